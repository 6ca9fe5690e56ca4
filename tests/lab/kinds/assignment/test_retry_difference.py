"""An ablation of retries finds the planted rate of repair where retries differ, and says so where they cannot."""

from __future__ import annotations

import asyncio
import math
from dataclasses import replace
from functools import cache

import pytest

from holdtrue.conversation import Session
from holdtrue.kinds.assignment.method import find_method
from holdtrue.language.readers import GoldExtractor
from holdtrue.language.retries import RetryDifference
from holdtrue.models.sampling import Sampling
from holdtrue_lab.kinds.assignment.entry import AssignmentEntry
from holdtrue_lab.kinds.assignment.problem import Problem
from holdtrue_lab.kinds.assignment.scoring import Gold
from holdtrue_lab.kinds.assignment.simulation.model import open_simulated
from holdtrue_lab.kit.retries import RetryCounts, RetryRow
from holdtrue_lab.suites.drift.generate import generate

RATE = 0.6  # of answers that break something, drawn anew for every other prompt or draw
TRIES = {"one_try": 1, "published": 2, "four_tries": 4}
DIFFERING: tuple[RetryDifference, ...] = ("number", "quote", "sample")
Z999 = 3.290526731491926  # the normal quantile at 0.9995: an interval that holds 99.9% of draws


@cache
def _problems() -> tuple[Problem, ...]:
    return tuple(generate(seed=23, count=40, turns=3))


@cache
def _play(tries: int, difference: RetryDifference) -> RetryRow:
    """The retries of `mus_repair` with so many tries, against a model that breaks commitments at `RATE`."""
    method = replace(find_method("mus_repair"), name="tried", repairs=tries, retry_difference=difference)
    sampling = Sampling(temperature=0.7 if difference == "sample" else 0.0)
    return asyncio.run(_rows(method.name, Session, method, sampling))


async def _rows(name: str, face: type[Session], method: object, sampling: Sampling) -> RetryRow:
    entries = []
    model = open_simulated(f"sim/forget:{RATE}@5")
    for problem in _problems():
        gold = Gold(problem)
        reader = GoldExtractor(gold.by_turn)
        session = face(gold.instance, model=model, method=method, extractor=reader, sampling=sampling)  # type: ignore[arg-type]
        for turn in problem.turns:
            record = await session.turn(turn.message)
            told = ("drift", problem.id, problem.domain, name, record.turn, len(problem.turns))
            entries.append(AssignmentEntry(*told, record, None))
    counts = RetryCounts()
    assert len(list(counts.watch(entries))) == len(entries)
    (row,) = counts.rows()
    assert row.kind == "repair"
    return row


def _within(hits: int, of: int, rate: float) -> bool:
    """Whether so many hits are among the 99.9% that are most likely at this rate, by the normal law."""
    return abs(hits - of * rate) <= Z999 * math.sqrt(of * rate * (1 - rate))


@pytest.mark.slow
@pytest.mark.parametrize("tries", TRIES.values(), ids=TRIES)
@pytest.mark.parametrize("difference", DIFFERING)
def test_retries_that_differ_mend_at_the_planted_rate(difference: RetryDifference, tries: int) -> None:
    row = _play(tries, difference)
    assert row.identical.hits == 0
    # Each retry is another throw of the dice: what is left over after n of them is the n-th power of the rate.
    assert _within(sum(row.mended), row.retried, 1 - RATE**tries), row
    assert _within(row.mended[0], row.retried, 1 - RATE)


@pytest.mark.slow
@pytest.mark.parametrize("tries", TRIES.values(), ids=TRIES)
def test_retries_that_cannot_differ_mend_as_much_as_one(tries: int) -> None:
    one, row = _play(1, "none"), _play(tries, "none")
    assert row.mended == one.mended and row.mended[1:] == (0, 0), "further tries bring nothing"
    assert _within(row.mended[0], row.retried, 1 - RATE)
    further = row.identical_further
    assert further.hits == further.of == row.identical.hits, "at temperature 0 all further ones are identical"
    assert further.of == (tries - 1) * (row.retried - row.mended[0])


@pytest.mark.slow
def test_the_first_answers_are_the_same_whatever_the_setting() -> None:
    settings: tuple[RetryDifference, ...] = ("none", "number", "quote", "sample")
    assert len({_play(tries, each).retried for tries in TRIES.values() for each in settings}) == 1
