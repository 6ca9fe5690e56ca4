"""Planted faults come out in the channel that they belong to, and in no other."""

from __future__ import annotations

from collections import Counter

import pytest

from holdtrue.conversation import Session
from holdtrue.kinds.assignment.record import AssignmentRecord
from holdtrue.language.extract import LlmExtractor, ReadingSettings
from holdtrue.language.readers import GoldExtractor
from holdtrue.record import Channel, TurnOutcome, channel
from holdtrue_lab.kinds.assignment.scoring import Gold, Scorer
from holdtrue_lab.kinds.assignment.simulation.model import open_simulated
from holdtrue_lab.suites.drift.generate import generate

PROBLEMS = 60
AGREEMENT = 0.99
# What the model reports, as it reports it: grounding, a second view and direction cues mend some planted clashes.
AS_REPORTED = ReadingSettings(views=("plain",), tie_break=None, direction_check="none", grounded=False)
# Faults of the answer are measured behind the oracle reader, faults of reading through the model's own replies.
CASES = [
    ("forget:0.4", "gold", Channel.DRIFT),
    ("slip:0.4", "gold", Channel.DRIFT),
    ("malform:0.4", "gold", Channel.UNPARSED),
    ("omit:0.4", "gold", Channel.INCOMPLETE),
    ("contradict:0.15", "llm", Channel.CONTRADICTION),
    ("drop:0.2", "llm", Channel.LEDGER_GAP),
]


def measured(record: AssignmentRecord, correct: bool) -> Channel | None:
    """The channel that the turn came out in; an unsat ledger counts even where the answer happens to be right."""
    if record.outcome is TurnOutcome.CONTRADICTION:
        return Channel.CONTRADICTION
    return None if correct else channel(record.final.verdict.outcome)


def injected(record: AssignmentRecord, fault: str) -> bool:
    """Whether the model says that the fault had an effect in this turn."""
    answers = [call for attempt in record.attempts for call in attempt.calls]
    calls = [*record.extraction, *record.measuring] if fault == "contradict" else answers
    return any(fault in call.annotations.get("injected", "").split(",") for call in calls)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "extractor", "expected"), CASES, ids=[case[0] for case in CASES])
async def test_injected_and_measured_channels_agree(name: str, extractor: str, expected: Channel) -> None:
    fault = name.partition(":")[0]
    turns, agreed, planted = 0, 0, 0
    elsewhere: Counter[Channel] = Counter()
    for problem in generate(seed=11, count=PROBLEMS):
        model, gold = open_simulated(f"sim/{name}@3"), Gold(problem)
        reader = GoldExtractor(gold.by_turn) if extractor == "gold" else LlmExtractor(model, AS_REPORTED)
        session, scorer = Session(gold.instance, model=model, method="direct", extractor=reader), Scorer(gold)
        clash = False
        for turn in problem.turns:
            record = await session.turn(turn.message)
            score = scorer.score(record)
            assert score is not None
            found = measured(record, score.correct)
            now = injected(record, fault)
            # Two statements that clash stay in the ledger until the user takes one back.
            clash = clash or (now and fault == "contradict")
            wanted = expected if (clash or now) else None
            turns, planted, agreed = turns + 1, planted + (wanted is not None), agreed + (found is wanted)
            if found not in (None, expected):
                elsewhere[found] += 1
    print(f"{name}: {planted} of {turns} turns planted, {agreed / turns:.2%} agree, elsewhere {dict(elsewhere)}")
    assert planted > turns / 10, "a calibration without faults shows nothing"
    assert agreed / turns >= AGREEMENT
    assert sum(elsewhere.values()) <= (1 - AGREEMENT) * turns
