"""Turns about queries in words: the conflicts, and the withdrawn labels with their reasons."""

from __future__ import annotations

from dataclasses import replace

import pytest

from holdtrue.kinds.labels.record import LabelAttempt
from holdtrue.kinds.labels.verdict_words import Sayings, describe_labels
from holdtrue.record import AnswerStatus, ReadingRecord, Satisfiability, VerdictRecord
from holdtrue_lab.kit.transcript import Transcript
from tests.lab.kinds.labels.labelled import BLANK, FINE, E
from tests.lab.kinds.labels.runs import dialogue, queries


def sayings() -> Sayings:
    found = Sayings()
    found.note(queries()[1].record)
    return found


def verdict(ledger: Satisfiability, answer: AnswerStatus, **more: object) -> VerdictRecord:
    return VerdictRecord(ledger, answer, **more)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("found", "lines"),
    [
        (FINE, ["These labels can all be right together."]),
        (BLANK, ["No label could be read: nothing in the text fits."]),
        (
            verdict(Satisfiability.SAT, AnswerStatus.REFUSED, missing=("q1",), reason="the model refused: no"),
            ["There is no answer: the model refused: no.", "No label for q1."],
        ),
        (
            verdict(Satisfiability.SAT, AnswerStatus.INCOMPLETE, missing=("q1", "q2")),
            ["No label for q1, q2."],
        ),
        (
            verdict(Satisfiability.SAT, AnswerStatus.UNDECIDED, reason="timeout"),
            ["Whether these labels can all be right is undecided: timeout."],
        ),
        (
            verdict(Satisfiability.UNSAT, AnswerStatus.UNDECIDED, mus=("P1", "P3")),
            ["The premises cannot all hold: premises P1, P3."],
        ),
        (
            verdict(Satisfiability.SAT, AnswerStatus.VIOLATING, refuted=("q1",), mus=("P4", "q1"), mus_minimal=False),
            [
                "The premises alone refute q1 “statement q1” as ENTAILED.",
                "These cannot all be right: premise P4; q1 “statement q1” as ENTAILED. "
                "They may not all be needed for the conflict.",
            ],
        ),
    ],
)
def test_verdicts_in_sentences(found: VerdictRecord, lines: list[str]) -> None:
    assert describe_labels(LabelAttempt(1, "answer", "text", {"q1": E}, found), sayings()) == lines


def test_a_turn_is_told_with_what_was_withdrawn_and_why() -> None:
    _, repaired, *_ = queries()
    lines = Transcript().tell(repaired)
    assert lines[0] == "p, turn 1 of 1, maxsat_repair"
    assert "  q0: statement q0" in lines
    assert "  answer: q0 ENTAILED, q1 CONTRADICTED, q2 CONTRADICTED, q3 UNKNOWN" in lines
    assert "  set aside q2 “Not the case: statement q2”: it cannot hold together with P2, P5" in lines
    assert lines[-1] == "  now: q0 ENTAILED, q1 CONTRADICTED, q2 UNKNOWN, q3 UNKNOWN (4 of 4 right)"


def test_what_is_wrong_is_told_with_the_truth_and_a_lost_label_as_lost() -> None:
    wrong, *_ = queries()
    assert Transcript().tell(wrong)[-1] == "    In truth q2 is UNKNOWN."
    detail = replace(wrong.record.detail, labels={"q0": E})
    bare = replace(wrong, score=None, record=replace(wrong.record, detail=detail))
    assert Transcript().tell(bare)[-1] == "  now: q0 ENTAILED, q1 no label, q2 no label, q3 no label"


def test_dialogues_are_told_one_by_one_in_whichever_order_they_take_turns() -> None:
    transcript = Transcript()
    mixed = [each for pair in zip(dialogue(problem="a"), dialogue(problem="b"), strict=True) for each in pair]
    titles = [transcript.tell(each)[0] for each in mixed]
    assert titles == [f"{name}, turn {n} of 2, min_change" for n in (1, 2) for name in ("a", "b")]


def test_labels_fit_together_as_far_as_sentences_were_read_also_in_later_turns() -> None:
    record = queries()[1].record
    found = Sayings()
    found.note(replace(record, readings=(ReadingRecord("Ann is odd", "rejected", reason="nothing fits"),)))
    attempt = replace(record.final, answer={"q0": E}, verdict=FINE)
    sure = "These labels can all be right together, as far as sentences were read."
    assert describe_labels(attempt, found) == [sure, 'Not read: "Ann is odd" (nothing fits).']
    found.note(record)
    assert describe_labels(attempt, found) == [sure, "1 earlier sentence was not read."]
