"""Tests of verdicts in words: reasons, conflicts, and faults of formulas."""

from __future__ import annotations

from dataclasses import replace

import pytest

from holdtrue.record import AnswerStatus, Satisfiability, VerdictRecord
from holdtrue_claims.claim_record import AlertRecord, ClaimRecord, ClaimVerdict, JointRecord, PremiseRecord
from holdtrue_claims.fol.vocabulary import Function
from holdtrue_claims.kind.premises import name_of
from holdtrue_claims.kind.record import ClaimAttempt
from holdtrue_claims.kind.verdict_words import (
    Sayings,
    describe_alert,
    describe_claim,
    describe_context,
    describe_joint,
    describe_no_answer,
    describe_premise,
    describe_route,
    describe_score,
    list_claims,
    list_context,
)
from holdtrue_lab.kinds.claims.shown import ShownQuestion
from holdtrue_lab.kit.shown import Side
from holdtrue_lab.kit.transcript import Transcript
from tests.lab.kinds.claims.claimed import check
from tests.lab.kinds.claims.runs import (
    CLASHING,
    CONFLICT,
    CONTEXT,
    FOLLOWS,
    JUDGED,
    OPEN,
    REFUTED,
    RESTATED,
    RIGHT,
    WRONG,
    mended,
    once,
)


@pytest.mark.parametrize(
    ("claim", "lines"),
    [
        (FOLLOWS, ['It follows from: P1 "All cats purr"; P2 "Tom is a cat".']),
        (RESTATED, ['It follows from: P2 "Tom is a cat".', "A premise alone says the same."]),
        (REFUTED, ['It is ruled out by (perhaps some could be spared): P1 "All cats purr"; P2 "Tom is a cat".']),
        (replace(FOLLOWS, premises=()), ["It follows from: what holds of the words alone."]),
        (replace(FOLLOWS, premises=("P9",)), ["It follows from: P9."]),
        (
            OPEN,
            [
                "It neither follows nor is it ruled out.",
                "It would hold with Old(tom) = 1, and fail with Old(tom) = 0.",
            ],
        ),
        (replace(OPEN, holds={}, fails={}), ["It neither follows nor is it ruled out."]),
        (
            JUDGED,
            [
                "Left to judges, no formula was sure enough: only 2 of 3 samples agree.",
                'undeclared: Happy is not in the vocabulary, at 1 in "Happy(tom)".',
                "The judges: 4 supported, 1 uncertain, confidence 0.80.",
            ],
        ),
        (
            replace(OPEN, holds={}, reason="P4 could not be read."),
            [
                "It neither follows nor is it ruled out.",
                "It would hold with nothing of it, and fail with Old(tom) = 0.",
                "P4 could not be read.",
            ],
        ),
        (
            replace(FOLLOWS, verdict=ClaimVerdict.UNKNOWN, reason="the time ran out."),
            ["Whether it follows could not be found out: the time ran out."],
        ),
        (
            replace(FOLLOWS, verdict=ClaimVerdict.UNKNOWN),
            ["Whether it follows could not be found out: no reason is told."],
        ),
        (
            replace(REFUTED, verdict=ClaimVerdict.INCONSISTENT_CONTEXT, reason="the premises cannot all hold"),
            ["It was not tested: the premises cannot all hold."],
        ),
    ],
)
def test_every_verdict_has_words(claim: ClaimRecord, lines: list[str]) -> None:
    assert describe_claim(claim, Sayings(CONTEXT, RIGHT)) == lines


def test_whose_words_they_are_is_told() -> None:
    said = replace(CONTEXT, premises=(PremiseRecord("U2.1", "I have one cat.", None, "user"),))
    assert Sayings(said).quote("U2.1") == 'U2.1 "I have one cat" (the user)'
    assert Sayings(None, WRONG).quote_all(("B1", "C1")) == 'B1 "What purrs is happy" (assumed); C1 "Tom does not purr"'


@pytest.mark.parametrize(
    ("joint", "lines"),
    [
        (
            CONFLICT,
            [
                'These cannot all be true together: P1 "All cats purr"; B1 "What purrs is happy" (assumed); '
                'C1 "Tom does not purr".',
                "The others can hold without the least sure ones: C1.",
                "Without what was assumed there is no conflict.",
            ],
        ),
        (
            JointRecord("conflict", ("C1", "C2"), minimal=False, set_aside=("C1", "C2"), smallest=("C2",)),
            [
                'These cannot all be true together (perhaps some could be spared): C1 "Tom does not purr"; '
                'C2 "Tom is old".',
                "The others can hold without the least sure ones: C1, C2.",
                "They can hold without as few as these: C2.",
            ],
        ),
        (
            JointRecord("unknown", reason="the time ran out."),
            ["Whether the claims can all be true could not be found out: the time ran out."],
        ),
        (JointRecord("consistent"), []),
    ],
)
def test_claims_together(joint: JointRecord, lines: list[str]) -> None:
    assert describe_joint(joint, Sayings(CONTEXT, WRONG)) == lines


def test_a_context_that_cannot_hold_is_told_with_what_can_be_done() -> None:
    assert describe_context(CLASHING, Sayings(CLASHING)) == [
        'The premises cannot all hold: P1 "All cats purr"; P2 "Tom is a cat"; P3 "Tom never purrs".',
        "The others can hold without P3.",
        'Without a formula, and so counted for nothing: P4 "Perhaps".',
        'name clash: Cat and cat look alike, at 5 in "cat".',
    ]
    assert describe_context(CONTEXT, Sayings(CONTEXT)) == []
    late = replace(CONTEXT, status="unknown")
    assert describe_context(late, Sayings(late)) == [
        "Whether the premises can all hold could not be found out in time."
    ]


def test_alerts_routes_and_scores() -> None:
    assert (
        describe_alert(AlertRecord("free_variable", "x is bound by nothing.")) == "free variable: x is bound by nothing"
    )
    assert describe_route(FOLLOWS) == "logical, hard (type)"
    assert describe_route(JUDGED) == "logical, hybrid"
    assert describe_score(RIGHT) == "Score 1.00: accepted."
    assert describe_score(check()) == "No claim was found in the answer."
    clipped = describe_score(replace(RIGHT, clipped=True))
    assert clipped == "Score 1.00: accepted. The answer states more than these claims."


@pytest.mark.parametrize(
    ("verdict", "least_score", "why"),
    [
        ("conflict", 0.75, "its claims clash"),
        ("unknown", 0.75, "its claims may clash"),
        ("inconsistent_context", None, "the premises cannot all hold"),
        ("consistent", None, "too low"),
        ("consistent", 0.75, "0.75 is needed"),
    ],
)
def test_a_score_that_is_not_accepted_says_why(verdict: str, least_score: float | None, why: str) -> None:
    refused = replace(WRONG, joint=JointRecord(verdict))
    assert describe_score(refused, least_score) == f"Score 0.17: not accepted, {why}. To change: C1."
    assert describe_score(replace(refused, change=()), least_score) == f"Score 0.17: not accepted, {why}."


def test_claims_are_listed_with_their_formulas_and_then_all_of_them_together() -> None:
    assert list_claims(replace(WRONG, claims=(REFUTED, JUDGED)), Sayings(CONTEXT, WRONG), 0.75) == [
        'C1 contradictory: "Tom does not purr."',
        "  logical, hard (type): Purrs(tom)",
        '  It is ruled out by (perhaps some could be spared): P1 "All cats purr"; P2 "Tom is a cat".',
        'C2 supported: "Tom is happy."',
        "  logical, hybrid",
        *(f"  {line}" for line in describe_claim(JUDGED, Sayings(CONTEXT))),
        *describe_joint(CONFLICT, Sayings(CONTEXT, WRONG)),
        "Score 0.17: not accepted, its claims clash. To change: C1.",
    ]


def test_a_context_is_listed_with_its_words_and_formulas() -> None:
    assert list_context(CONTEXT) == [
        "Things:",
        "  tom: thing",
        "Words:",
        "  Cat(x): x is a cat",
        "  Purrs(x): x purrs",
        "Premises:",
        '  P1 "All cats purr"',
        "    ∀x (Cat(x) → Purrs(x))",
        '  P2 "Tom is a cat"',
        "    Cat(tom)",
        "    asked for again 1 time, because of a clash",
        "    brackets repaired: one added",
        "All premises that have a formula can hold.",
    ]
    assert list_context(CLASHING)[-4:] == describe_context(CLASHING, Sayings(CLASHING))
    unread = PremiseRecord("U1.1", "Perhaps.", None, "user", refined=2)
    assert list_context(replace(CONTEXT, things={}, words={}, premises=(unread,))) == [
        "Things: none",
        "Words: none",
        "Premises:",
        '  U1.1 "Perhaps" (the user)',
        "    no formula",
        "    asked for again 2 times, because of a clash",
        'Without a formula, and so counted for nothing: U1.1 "Perhaps" (the user).',
    ]
    assert list_context(replace(CONTEXT, things={}, words={}, premises=()))[2:] == ["Premises: none"]


def test_a_function_is_shown_with_what_its_values_are() -> None:
    assert name_of(Function("place", ("runner",), 1, 5, distinct=True)) == "place(x): whole, 1..5, distinct"
    assert name_of(Function("sent", ("parcel", "person"), result="date")) == "sent(x, y): date"
    assert name_of(Function("weight", ("parcel",), 0, result="kg")) == "weight(x): kg, 0.."
    assert name_of(Function("fee", (), result="EUR(2)")) == "fee: EUR(2)"


def test_sorts_of_which_all_things_are_named_are_listed() -> None:
    closed = replace(CONTEXT, things={"Ann": "night_nurse"}, closed=("night_nurse", "day_nurse", "thing"))
    assert list_context(closed)[:5] == [
        "Things:",
        "  Ann: night_nurse",
        "  There is no other night nurse.",
        "  There is no day nurse.",
        "  There is nothing else.",
    ]


SIDE = Side("s1", "sim/test", "verge")


def test_what_has_to_be_seen_is_marked() -> None:
    asked = ShownQuestion(SIDE, once("p", "B", WRONG))
    assert "P1" in asked.clash and "P2" not in asked.clash
    assert asked.check is not None
    assert (asked.check.supported, asked.check.proved, asked.measured) == ("B", "A", 2)
    clean = replace(CONTEXT, premises=CONTEXT.premises[:1])
    assert [ShownQuestion(SIDE, once("p", premises=each)).faulty for each in (CLASHING, CONTEXT, clean)] == [
        True,
        True,
        False,
    ]


def test_a_question_is_told_from_its_context_to_its_last_answer() -> None:
    lines = Transcript().tell(mended("p"))
    assert lines[:2] == ["p, turn 1 of 1, verge", "  P1: All cats purr."]
    assert "  P1 as ∀x (Cat(x) → Purrs(x))" in lines
    place = lines.index("  P2 as Cat(tom)")
    assert lines[place + 1 : place + 3] == [f"    {line}" for line in describe_premise(CONTEXT.premises[1])[1:]]
    assert lines.index('    C1 contradictory: "Tom does not purr."') < lines.index('    C1 entailed: "Tom purrs."')
    first_lines = [f"    {line}" for line in list_claims(RIGHT, Sayings(CONTEXT, RIGHT))[:3]]
    assert "\n".join(first_lines) in "\n".join(lines)
    assert lines[-2:] == ["    Score 0.90: accepted. Only judged, not proved: C2.", "  A, consistent; right"]
    assert "  P4: no formula" in Transcript().tell(once("c", premises=CLASHING))
    bare = Transcript().tell(once("r", None, None, premises=None, gold=None))
    assert bare[-2:] == ["  answer: no option, text", "  no option, consistent"]
    assert Transcript().tell(once("q", delivered=None))[-1] == "  no answer, consistent; wrong, it is A"


def test_an_attempt_that_is_no_answer_says_why() -> None:
    says = {AnswerStatus.REFUSED: "There is no answer: ", AnswerStatus.UNPARSED: "No answer could be read: "}
    for status, said in says.items():
        verdict = VerdictRecord(Satisfiability.SAT, status, reason="why")
        assert describe_no_answer(ClaimAttempt(1, "answer", "", None, verdict)) == [f"{said}why."]
    undecided = VerdictRecord(Satisfiability.SAT, AnswerStatus.UNDECIDED)
    assert describe_no_answer(ClaimAttempt(1, "answer", "", None, undecided)) == []
