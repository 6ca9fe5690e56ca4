"""Simulated readers recover from contradictions at the planted rate, and the table after repair shows it.

Under protocol `upstream` every attempt is read together with its answer, so that a model can take a misreading back.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from math import comb

import pytest

from holdtrue.kinds.assignment.method import find_method
from holdtrue.record import Satisfiability, Trigger
from holdtrue_lab.kinds.assignment.entry import AssignmentEntry
from holdtrue_lab.kinds.assignment.measured import measure_run
from holdtrue_lab.kinds.assignment.playing import AssignmentPlayer
from holdtrue_lab.kinds.assignment.problem import Problem
from holdtrue_lab.kinds.assignment.row import Retried
from holdtrue_lab.kinds.assignment.simulation.misreading import Reader
from holdtrue_lab.kinds.assignment.simulation.model import open_simulated
from holdtrue_lab.kinds.assignment.simulation.names import read_name
from holdtrue_lab.kinds.assignment.simulation.world import World
from holdtrue_lab.suites.drift.generate import generate
from tests.lab.kinds.assignment.simulation.chats import sentences
from tests.lab.kit.plans import plan_for

PROBLEMS, RUNS = 30, 100
RECOVER = 0.6
FEWEST, MOST = 90, 99


@cache
def problems(turns: int = 1) -> tuple[Problem, ...]:
    return tuple(generate(seed=11, count=PROBLEMS, turns=turns))


async def play(name: str, method: str, asked: Sequence[Problem], protocol: str = "upstream") -> list[AssignmentEntry]:
    """The entries of a run in which the simulated model also reads."""
    chosen = find_method(method)
    plan = plan_for("drift", asked, [chosen], model=name, protocol=protocol, extractor="llm")
    player, model = AssignmentPlayer(plan), open_simulated(name)
    return [
        AssignmentEntry(
            "drift", problem.id, problem.domain, method, played.record.turn, len(problem.turns), played.record,
            played.score, played.problem_lines,
        )
        for problem in asked
        async for played in player.play(problem, chosen, model)
    ]  # fmt: skip


def contradictions(entries: Sequence[AssignmentEntry]) -> Retried:
    """What the table says of retried turns whose first attempt had an unsatisfiable ledger."""
    row = next(row for row in measure_run(entries).rows if row.domain is None)
    return row.after_retry[Trigger.UNSAT_LEDGER]


def possible(hits: int, of: int, p: float) -> bool:
    """Whether so many hits are a possible draw of independent events, at a level of one in ten thousand."""
    chances = [comb(of, n) * p**n * (1 - p) ** (of - n) for n in range(of + 1)]
    return min(sum(chances[: hits + 1]), sum(chances[hits:])) > 0.5e-4


async def test_contradictions_end_at_the_planted_rate() -> None:
    # In problems of one turn no contradiction is left over from an earlier one.
    found = contradictions(await play(f"sim/contradict:1+recover:{RECOVER}@1", "mus_repair", problems()))
    # Where no sentence of a message can be contradicted in its own words, there is nothing to recover from.
    assert found.turns > PROBLEMS / 2
    # The second repair is the same request as the first, and has the same reply: there is one chance.
    assert possible(found.sat.hits, found.sat.of, RECOVER)


@pytest.mark.parametrize(("rate", "share"), [("0", 0.0), ("1", 1.0)])
async def test_none_or_all_recover(rate: str, share: float) -> None:
    found = contradictions(await play(f"sim/contradict:1+recover:{rate}", "mus_repair", problems()[:9]))
    assert found.turns and found.sat.value == share
    # Answers never believed what clashes, so that they were right all along.
    assert found.accuracy.value == 1.0


async def test_without_the_conflict_nothing_is_taken_back() -> None:
    """A repair that quotes no conflict, and a ledger that was read before the answer, leave nothing to recover."""
    name = "sim/contradict:1+recover:1"
    told = await play(name, "drift_repair", problems()[:6])
    assert contradictions(told).sat.value == 1.0
    stated = contradictions(await play(name, "drift_repair", problems()[:6], "stated"))
    assert not stated.turns or stated.sat.value == 0.0


async def test_what_was_taken_back_stays_so_in_later_turns() -> None:
    entries = await play("sim/contradict:0.4+recover:1@2", "mus_repair", problems(3)[:9])
    assert any(len(entry.record.attempts) > 1 for entry in entries)
    for entry in entries:
        assert entry.record.final.verdict.basis is Satisfiability.SAT
        assert entry.score is not None and entry.score.correct
    stuck = await play("sim/contradict:0.4@2", "mus_repair", problems(3)[:9])
    last = [entry.record.final.verdict.basis for entry in stuck if entry.turn == entry.turns]
    assert Satisfiability.UNSAT in last


@pytest.mark.parametrize("fault", ["add", "flip", "contradict"])
def test_what_is_taken_back_is_read_rightly(fault: str) -> None:
    misread = 0
    for instance, sentence, true in sentences():
        reader = Reader(World(instance), read_name(f"sim/{fault}:1"))
        [once] = reader.read(sentence)
        wrong = [instance.sentence(made) for made in reader.wrong(once)]
        [again] = reader.read(sentence, wrong)
        misread += bool(wrong)
        assert (again.reported, again.fault) == ((true,), None)
    assert misread


@pytest.mark.slow
async def test_intervals_cover_the_planted_rate_of_recovery() -> None:
    covered = 0
    for seed in range(RUNS):
        found = contradictions(await play(f"sim/contradict:1+recover:{RECOVER}@{seed}", "mus_repair", problems())).sat
        assert found.low is not None and found.high is not None
        covered += found.low <= RECOVER <= found.high
    print(f"covered in {covered} of {RUNS} runs")
    assert FEWEST <= covered <= MOST
