"""Candidates in words: the broken constraints, the content of a prompt, and a whole trial."""

from __future__ import annotations

from dataclasses import replace

import pytest

from holdtrue.kinds.search.record import SearchAttempt, SearchStep, candidate_outcome
from holdtrue.kinds.search.verdict_words import Lines, describe_candidate, describe_prompt, in_words, list_values
from holdtrue.record import AnswerStatus, Satisfiability, VerdictRecord
from holdtrue_lab.kit.transcript import Transcript
from tests.lab.kinds.search.runs import (
    BROKEN,
    CLAIM,
    FALSE,
    FINE,
    NEAR,
    OUTSIDE,
    PROBLEM_LINES,
    PROVED,
    SOLVED,
    UNREAD,
    UNSURE,
    candidate,
    failed,
    repaired,
    verdict,
)


@pytest.mark.parametrize(
    ("found", "values", "lines"),
    [
        (FINE, SOLVED, ["Every constraint holds."]),
        (PROVED, CLAIM, ["Rightly said to have no solution: c1: x1 + x2 >= 9; c2: 3*x1 + x2 = 15."]),
        (
            replace(PROVED, mus_minimal=False),
            CLAIM,
            [
                "Rightly said to have no solution: c1: x1 + x2 >= 9; c2: 3*x1 + x2 = 15. "
                "They may not all be needed for that."
            ],
        ),
        (BROKEN, NEAR, ["Broken: c1: x1 + x2 >= 9.", "Broken: c2: 3*x1 + x2 = 15."]),
        (OUTSIDE, {**NEAR, "x1": 12}, ["x1 = 12 is outside 0..9.", "Broken: c2: 3*x1 + x2 = 15."]),
        (FALSE, CLAIM, ["Said to have no solution, and there is one."]),
        (UNREAD, None, ["No candidate could be read: no JSON object with a status was found."]),
        (UNSURE, CLAIM, ["Not decided: the time ran out."]),
        (replace(verdict(AnswerStatus.INCOMPLETE), missing=("x2", "x3")), {"x1": 1}, ["No value for x2, x3."]),
        (verdict(AnswerStatus.VIOLATING, violated=("elsewhere",)), NEAR, ["Broken: elsewhere."]),
    ],
)
def test_every_outcome_has_words(found: VerdictRecord, values: dict[str, int] | None, lines: list[str]) -> None:
    attempt = candidate(1, found, values)
    assert describe_candidate(attempt, Lines(PROBLEM_LINES)) == lines
    again = replace(attempt, step=SearchStep(2, repeated=True))
    assert describe_candidate(again, Lines(PROBLEM_LINES))[0].startswith("The same candidate had failed before")


def test_a_constraint_is_quoted_where_a_variable_has_its_name() -> None:
    assert Lines(["a: integer from 0 to 9", "a: a + b <= 4"]).quote("a") == "a: a + b <= 4"


def test_a_prompt_is_told_from_what_it_was_to_mend() -> None:
    first, _, last = repaired("p").record.attempts
    problem = Lines(PROBLEM_LINES)
    assert describe_prompt(first, None, problem) == []
    assert describe_prompt(last, first, problem) == [
        "Told of candidate 1: failed certification.",
        "In conflict there: c2: 3*x1 + x2 = 15.",
        "To revise x1, x2; to keep x3.",
        "Asked for x1, x2 alone, beside x3 = 3.",
    ]
    whole = replace(last, step=SearchStep(2, mends=1))
    assert describe_prompt(whole, candidate(1, FALSE, CLAIM), problem) == ["Told of candidate 1: false unsat claim."]


def test_trials_are_told_in_plain_lines() -> None:
    lines = Transcript().tell(repaired("p", turns=2))
    assert lines[0] == "p, trial 1 of 2, cd_vgs"
    assert [line.strip() for line in lines[1:7]] == list(PROBLEM_LINES)
    assert "  candidate 1 (round 1): x1 = 4, x2 = 2, x3 = 3" in lines
    assert "    Broken: c2: 3*x1 + x2 = 15." in lines
    assert "  To revise x1, x2; to keep x3." in lines
    assert "    The same candidate had failed before, and was not checked again." in lines
    assert lines[-1] == "  certified sat; right"
    assert Transcript().tell(repaired("p", turn=2, turns=2))[1] == "  candidate 1 (round 1): x1 = 4, x2 = 2, x3 = 3"
    ended = Transcript().tell(failed("p", exhausted="seconds"))[-1]
    assert ended == "  budget exceeded, no seconds left; wrong, it is sat"


def test_a_refused_candidate_is_told_with_its_reason() -> None:
    verdict = VerdictRecord(Satisfiability.UNKNOWN, AnswerStatus.REFUSED, reason="the model refused")
    attempt = SearchAttempt(1, "candidate", "No.", None, verdict, step=SearchStep(1))
    assert list_values(attempt) == "refused"
    assert describe_candidate(attempt, Lines(())) == ["There is no candidate: the model refused."]
    assert in_words(candidate_outcome(attempt)) == "refused"
