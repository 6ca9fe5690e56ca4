"""Tests of the verdict of a turn on both axes, for each kind of check."""

from __future__ import annotations

from dataclasses import replace

import pytest

from holdtrue.record import AnswerStatus, Satisfiability, Trigger, TurnOutcome
from holdtrue_claims.claim_record import (
    CheckRecord,
    ClaimRecord,
    ClaimVerdict,
    ContextRecord,
    JointRecord,
    JointVerdict,
    SoftVerdict,
)
from holdtrue_claims.kind.acceptance import claim_score, read_verdict
from holdtrue_claims.kind.answering import claim_verdict
from holdtrue_claims.kind.settings import CheckSettings

CONTEXT = ContextRecord({}, {}, (), "consistent")
SETTINGS = CheckSettings()


def check(*verdicts: str, joint: JointRecord | None = None) -> CheckRecord:
    claims = tuple(
        ClaimRecord(f"C{place}", f"Claim {place}", "logical", "hard", "type", verdict)
        for place, verdict in enumerate(verdicts, start=1)
    )
    score = claim_score([read_verdict(verdict) for verdict in verdicts])
    joint = joint or JointRecord("consistent")
    accepted = bool(verdicts) and score.score >= 0.75 and joint.verdict == JointVerdict.CONSISTENT
    return CheckRecord(claims, joint, score.score, score.mean, score.deviation, accepted)


def test_an_answer_that_was_tested_in_part_is_undecided_unless_it_breaks_something() -> None:
    found = claim_verdict(replace(check("entailed"), clipped=True), CONTEXT, SETTINGS)
    assert found.answer is AnswerStatus.UNDECIDED and found.reason
    found = claim_verdict(replace(check("entailed", "contradictory"), clipped=True), CONTEXT, SETTINGS)
    assert found.answer is AnswerStatus.VIOLATING


@pytest.mark.parametrize(
    ("verdicts", "answer"),
    [
        ((), AnswerStatus.UNPARSED),
        (("entailed",), AnswerStatus.RESPECTING),
        (("entailed", "contradictory"), AnswerStatus.VIOLATING),
        (("unknown", "contradictory"), AnswerStatus.VIOLATING),
        (("entailed", "unknown"), AnswerStatus.UNDECIDED),
        (("unknown",), AnswerStatus.UNDECIDED),
        (("unsupported", "unknown"), AnswerStatus.RESPECTING),
        (("possible", "possible"), AnswerStatus.RESPECTING),
        (("uncertain",), AnswerStatus.RESPECTING),
    ],
)
def test_the_answer_follows_from_verdicts(verdicts: tuple[str, ...], answer: AnswerStatus) -> None:
    found = claim_verdict(check(*verdicts), CONTEXT, SETTINGS)
    assert (found.basis, found.answer) == (Satisfiability.SAT, answer)
    assert found.refuted == tuple(
        f"C{place}" for place, verdict in enumerate(verdicts, start=1) if verdict == "contradictory"
    )
    assert bool(found.reason) == (answer is AnswerStatus.UNDECIDED)
    assert found.mus is None


def test_what_is_enough_without_the_unknown_ones_is_no_fault_of_theirs() -> None:
    lenient = CheckSettings(least_score=0.1)
    assert claim_verdict(check("entailed", "entailed", "unknown"), CONTEXT, lenient).answer is AnswerStatus.RESPECTING


@pytest.mark.parametrize("minimal", [True, False])
def test_claims_that_clash_are_a_conflict(minimal: bool) -> None:
    joint = JointRecord("conflict", ("P1", "C1", "C2"), minimal)
    found = claim_verdict(check("possible", "possible", joint=joint), CONTEXT, SETTINGS)
    assert found.answer is AnswerStatus.VIOLATING and found.outcome is TurnOutcome.DRIFT
    assert found.mus == ("P1", "C1", "C2") and found.mus_minimal == minimal and not found.refuted
    assert found.triggers == (Trigger.ANSWER_LEDGER_CONFLICT,)


def test_bridges_that_clash_among_themselves_blame_no_claim() -> None:
    joint = JointRecord("conflict", ("P1", "B1"))
    assert claim_verdict(check("entailed", joint=joint), CONTEXT, SETTINGS).answer is AnswerStatus.UNDECIDED


def test_what_is_not_known_of_all_together_is_undecided() -> None:
    found = claim_verdict(check("entailed", joint=JointRecord("unknown", reason="time")), CONTEXT, SETTINGS)
    assert found.answer is AnswerStatus.UNDECIDED and found.reason == "time"


def test_premises_that_cannot_all_hold_are_a_contradiction() -> None:
    context = replace(CONTEXT, status="inconsistent", conflict=("P1", "P2"), minimal=True)
    found = claim_verdict(check("inconsistent_context", joint=JointRecord("inconsistent_context")), context, SETTINGS)
    assert found.outcome is TurnOutcome.CONTRADICTION and found.mus == ("P1", "P2")
    assert found.triggers == (Trigger.UNSAT_LEDGER,)


def test_unknown_premises_decide_nothing() -> None:
    found = claim_verdict(check("unknown"), replace(CONTEXT, status="unknown"), SETTINGS)
    assert (found.basis, found.outcome) == (Satisfiability.UNKNOWN, TurnOutcome.UNDECIDED)


def test_without_a_check_nothing_is_said() -> None:
    assert claim_verdict(None, CONTEXT, SETTINGS).outcome is TurnOutcome.UNDECIDED
    assert claim_verdict(None, None, SETTINGS).basis is Satisfiability.UNKNOWN


@pytest.mark.parametrize("verdict", [*ClaimVerdict, *SoftVerdict])
def test_every_verdict_is_read_as_what_it_is(verdict: ClaimVerdict | SoftVerdict) -> None:
    assert read_verdict(verdict.value) is verdict
