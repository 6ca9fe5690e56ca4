"""What is counted of planted drift."""

from __future__ import annotations

from holdtrue.claim_record import CheckRecord, ClaimRecord, JointRecord
from holdtrue.kinds.claims.record import ClaimAttempt, ClaimsDetail, ClaimsRecord
from holdtrue.lab.kinds.claims.dialogue import DialogueTurn, Drift
from holdtrue.lab.suites.verge.dialogues.measure import DriftScore, conflicts, measure_dialogues, measure_turn
from holdtrue.lab.suites.verge.dialogues.study import load_dialogues
from holdtrue.record import AnswerStatus, Satisfiability, TurnRecord, VerdictRecord

PLANTED = DialogueTurn("Q", "A", (), {}, drifts=(Drift(("C1",), ("P1", "U1.1")), Drift(("C2", "C3"), ("T2.C1",))))
CLEAN = DialogueTurn("Q", "A", (), {}, near=("C1",))


def record(
    answer: AnswerStatus,
    *premises: tuple[str, ...],
    joint: tuple[str, ...] = (),
    ledger: Satisfiability = Satisfiability.SAT,
) -> ClaimsRecord:
    claims = tuple(
        ClaimRecord(f"C{place}", "It is so.", "logical", "hard", "type", "contradictory", premises=each)
        for place, each in enumerate(premises, start=1)
    )
    check = CheckRecord(claims, JointRecord("conflict" if joint else "consistent", joint), 0.0, 0.0, 0.0, False)
    attempt = ClaimAttempt(1, "answer", "A", None, VerdictRecord(ledger, answer), check=check)
    return TurnRecord(1, "Q", "verge", "m", "stated", "llm", (attempt,), "A", detail=ClaimsDetail())


def test_a_drift_that_is_found_is_named_or_only_located() -> None:
    found = record(AnswerStatus.VIOLATING, ("P1", "U1.1"), ("P2",), joint=("T2.C3", "C2", "C1"))
    assert conflicts(found) == tuple(map(frozenset, [("P1", "U1.1"), ("P2",), ("T2.C3",)]))
    assert measure_turn(PLANTED, found) == DriftScore(turns=1, planted=1, found=1, drifts=2, named=1, located=2)
    other = record(AnswerStatus.VIOLATING, ("P1", "U2.1"))
    assert measure_turn(PLANTED, other) == DriftScore(turns=1, planted=1, found=1, drifts=2)


def test_missed_and_undecided_are_told_apart() -> None:
    assert measure_turn(PLANTED, record(AnswerStatus.RESPECTING)).missed == 1
    for open in (
        record(AnswerStatus.UNDECIDED),
        record(AnswerStatus.UNPARSED),
        record(AnswerStatus.VIOLATING, ("P1", "U1.1"), ledger=Satisfiability.UNSAT),
    ):
        score = measure_turn(PLANTED, open)
        assert (score.planted_open, score.found, score.missed, score.named) == (1, 0, 0, 0)
        assert measure_turn(CLEAN, open) == DriftScore(turns=1, clean=1, clean_open=1, near=1)


def test_alarms_without_a_drift_are_false() -> None:
    assert measure_turn(CLEAN, record(AnswerStatus.VIOLATING, ("U1.1",))) == DriftScore(
        turns=1, clean=1, false_alarms=1, near=1, near_alarms=1
    )
    assert measure_turn(CLEAN, record(AnswerStatus.RESPECTING)) == DriftScore(turns=1, clean=1, near=1)


def test_turns_add_up() -> None:
    dialogues = load_dialogues()
    quiet = {each.id: [record(AnswerStatus.RESPECTING)] * len(each.turns) for each in dialogues}
    score = measure_dialogues(dialogues, quiet)
    assert score.turns == score.planted + score.clean == sum(len(each.turns) for each in dialogues)
    assert (score.found, score.missed, score.false_alarms) == (0, score.planted, 0)
    assert score.drifts > score.planted
    assert measure_dialogues(dialogues, {}) == DriftScore()
