"""The scripted dialogues in a session, with a model that reads them as their authors did."""

from __future__ import annotations

import pytest

from holdtrue.budget import Budget
from holdtrue.models.scripted import ScriptModel
from holdtrue.record import AnswerStatus, Satisfiability, TurnOutcome, TurnRecord, VerdictRecord
from holdtrue_claims.claim_record import CheckRecord, ClaimRecord, JointRecord
from holdtrue_claims.kind.record import ClaimAttempt, ClaimsDetail, ClaimsRecord
from holdtrue_lab.kinds.claims.dialogue import Dialogue, DialogueTurn, Drift
from holdtrue_lab.kinds.claims.settings import Formal
from holdtrue_lab.kinds.claims.simulation.model import SimulatedReasoner
from holdtrue_lab.suites.verge.dialogues.study import (
    DriftScore,
    conflicts,
    load_dialogues,
    measure_dialogues,
    measure_turn,
    play_dialogue,
)
from tests.lab.suites.verge.dialogues.earlier_statements import earlier_statements

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


DIALOGUES = load_dialogues()
WITHOUT_END = Budget(timeout_s=None)


async def played(name: str, formal: Formal = "gold", dialogues: tuple[Dialogue, ...] = DIALOGUES) -> DriftScore:
    model = SimulatedReasoner(name, dialogues=DIALOGUES)
    records = {each.id: await play_dialogue(each, model, formal=formal, budget=WITHOUT_END) for each in dialogues}
    return measure_dialogues(dialogues, records)


@pytest.mark.slow
async def test_every_planted_drift_is_found_and_nothing_else_is_taken_for_one() -> None:
    """One of 23 is not explained, because the law that no two places are second is only in the authors' vocabulary.

    Each clean turn also says something besides its listed claims, which has no formula here, and so it is undecided.
    """
    score = await played("sim/claims", "gold_entities")
    print(score)
    assert score == DriftScore(
        turns=57, planted=20, found=20, clean=37, clean_open=37, near=score.near, drifts=23, named=22, located=22
    )
    assert score.near >= score.planted


@pytest.mark.slow
async def test_names_that_nobody_gave_beforehand_are_found_in_what_is_said() -> None:
    """A law that no text states explains nothing."""
    score = await played("sim/claims", "llm")
    assert (score.planted, score.found, score.missed, score.planted_open) == (20, 20, 0, 0)
    assert (score.false_alarms, score.clean_open) == (0, 37)
    assert (score.drifts, score.named) == (23, 22)


QUICK = ("travel-ghent", "policy-remote-work")


@pytest.mark.parametrize(
    "dialogue",
    [pytest.param(each, id=each.id, marks=[] if each.id in QUICK else [pytest.mark.slow]) for each in DIALOGUES],
)
async def test_each_turn_is_held_against_what_was_said_before(dialogue: Dialogue) -> None:
    seen: list[int] = []

    def watch(about: Dialogue, number: int, record: ClaimsRecord) -> None:
        assert about is dialogue and record.turn == number
        seen.append(number)

    model = SimulatedReasoner("sim/claims", dialogues=DIALOGUES)
    records = await play_dialogue(dialogue, model, formal="gold", budget=WITHOUT_END, watch=watch)
    assert seen == list(range(1, len(dialogue.turns) + 1))
    for number, (turn, record) in enumerate(zip(dialogue.turns, records, strict=True), start=1):
        # Parts of the answer besides its listed claims have no formula.
        more = record.final.check is not None and any(own.verdict == "unproved" for own in record.final.check.claims)
        otherwise = TurnOutcome.UNDECIDED if more else TurnOutcome.CONSISTENT
        assert record.outcome is (TurnOutcome.DRIFT if turn.drifts else otherwise)
        assert set(conflicts(record)) == {frozenset(drift.against) for drift in turn.drifts}
        assert record.detail.context is not None
        assert {premise.id: premise.text for premise in record.detail.context.premises} == {
            id: statement.text if id[0] != "T" else statement.text[0].upper() + statement.text[1:]
            for id, statement in earlier_statements(dialogue, number).items()
        }


@pytest.mark.slow
async def test_a_model_that_misreads_misses_some_and_cries_wolf() -> None:
    few = tuple(each for each in DIALOGUES if each.topic == "policy")
    score = await played("sim/claims:misread=0.4@1", dialogues=few)
    assert score.found < score.planted and score.missed + score.planted_open + score.found == score.planted
    assert score.named < score.drifts


async def test_a_model_that_writes_nothing_finds_nothing_and_raises_no_alarm() -> None:
    dialogue = DIALOGUES[0]
    model = ScriptModel(lambda request: "I do not know.")
    records = await play_dialogue(dialogue, model)
    score = measure_dialogues([dialogue], {dialogue.id: records})
    assert (score.turns, score.found, score.false_alarms, score.named) == (len(dialogue.turns), 0, 0, 0)
