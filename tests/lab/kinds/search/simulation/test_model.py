from __future__ import annotations

import math
from collections import Counter
from itertools import product
from typing import Any

import pytest

from holdtrue.kinds.search.problem import SearchProblem
from holdtrue.kinds.search.prompts import SearchSignal
from holdtrue.kinds.search.reader import Infeasible, read_candidate
from holdtrue.models.chat import Reply, Request, system, user
from holdtrue.world.answer import Assignment, Unparsed
from holdtrue_lab.kinds.search.simulation import SearchWorld, SimulatedSearcher, view_search
from holdtrue_lab.kit.simulation.model import LOST
from tests.lab.kinds.search.simulation.searches import GIVEN, IMPOSSIBLE, LOOSE, SOLVABLE, X, asked, reply

EVERY = [
    {variable.name: n for variable, n in zip(X, choice, strict=True)} for choice in product(range(-2, 5), repeat=3)
]
SOLUTIONS = [values for values in EVERY if all(each.holds(values) for each in SOLVABLE.formulas.values())]


def test_solutions_are_found_around_whatever_can_be_kept() -> None:
    world = SearchWorld(SOLVABLE)
    for name in ("x1", "x2", "x3"):
        for value in range(-2, 5):
            found = world.solution({name: value})
            there = [values for values in SOLUTIONS if values[name] == value]
            assert (found in there) if there else (found is None)
    assert world.solution() in SOLUTIONS
    assert SearchWorld(IMPOSSIBLE).solution() is None


KNOWN = [SOLVABLE, IMPOSSIBLE, LOOSE]
DRAWS = 400
SIGNALS = {
    "": None,
    "generic": SearchSignal("not_satisfied", GIVEN),
    "core": SearchSignal("not_satisfied", GIVEN, core=("c1",)),
    "ranked": SearchSignal("not_satisfied", GIVEN, core=("c1",), revise=("x1", "x2"), keep=("x3",)),
    "conflict": SearchSignal("not_satisfied", GIVEN, violated=("c1",), revise=("x1", "x2"), keep=("x3",)),
    "witness": SearchSignal("false_unsat_claim", core=("c1",), witness=GIVEN),
}


def judge(problem: SearchProblem, answered: Reply, asked: tuple[str, ...] = (), kept: Any = None) -> str:
    """Return the fault of a reply, found without the annotation of the searcher, or '' if the reply is right."""
    read = read_candidate(asked or tuple(variable.name for variable in problem.variables), answered.text)
    if isinstance(read, Unparsed):
        return "malformed"
    if isinstance(read, Infeasible):
        return "" if problem.gold == "unsat" else "claim"
    assert isinstance(read, Assignment)
    values = {**read.values, **(kept or {})}
    assert len(values) == len(problem.variables)
    if any(not -2 <= value <= 4 for value in values.values()):
        return "outside"
    return "" if all(each.holds(values) for each in problem.formulas.values()) else "near_miss"


def within(count: int, of: int, rate: float) -> bool:
    """Whether so many of so many is within four standard deviations of the rate."""
    return abs(count - of * rate) <= 4 * math.sqrt(of * rate * (1 - rate)) + 1e-9


async def outcomes(name: str, problem: SearchProblem, signal: SearchSignal | None = None) -> Counter[str]:
    model, found = SimulatedSearcher(name, KNOWN), Counter[str]()
    for sample in range(DRAWS):
        answered = await reply(model, asked(problem, signal), sample)
        came_to = judge(problem, answered)
        assert answered.annotations.get("injected", "") == came_to
        found[came_to] += 1
    return found


@pytest.mark.parametrize("problem", [SOLVABLE, IMPOSSIBLE])
@pytest.mark.parametrize("kind", list(SIGNALS))
async def test_success_comes_at_its_rate_with_what_feedback_adds(problem: SearchProblem, kind: str) -> None:
    name = "sim/search:p=0.2,generic=0.1,core=0.2,ranked=0.3,conflict=0.4,witness=0.6@1"
    added = {"generic": 0.1, "core": 0.2, "ranked": 0.3, "conflict": 0.4, "witness": 0.6}.get(kind, 0.0)
    found = await outcomes(name, problem, SIGNALS[kind])
    assert within(found[""], DRAWS, 0.2 + added)


async def test_failures_come_at_their_shares() -> None:
    name = "sim/search:p=0.1,claim=0.2,outside=0.3,malformed=0.15@2"
    found = await outcomes(name, SOLVABLE)
    failed = DRAWS - found[""]
    for kind, share in {"claim": 0.2, "outside": 0.3, "malformed": 0.15, "near_miss": 0.35}.items():
        assert within(found[kind], failed, share)


async def test_what_cannot_be_missed_within_its_bounds_is_missed_outside_of_them() -> None:
    assert await outcomes("sim/search:p=0", LOOSE) == {"outside": DRAWS}


async def test_what_cannot_be_kept_is_never_solved() -> None:
    model = SimulatedSearcher("sim/search", KNOWN)
    answered = await reply(model, asked(SOLVABLE, SIGNALS["generic"], asked=("x1", "x2"), kept={"x3": 4}))
    assert answered.annotations["injected"] == "near_miss"


async def test_what_is_not_known_is_not_answered() -> None:
    model = SimulatedSearcher("sim/search", [SOLVABLE])
    assert (await reply(model, asked(IMPOSSIBLE))).text == LOST
    greeting = Request((system("You help."), user("Hello!")), purpose="answer")
    assert (await model.complete(greeting)).text == LOST


FAILED = SearchSignal("not_satisfied", GIVEN)


@pytest.mark.parametrize(
    ("kind", "signal"),
    [
        ("generic", FAILED),
        ("generic", SearchSignal("not_json", details=("the status is missing",))),
        ("generic", SearchSignal("false_unsat_claim")),
        ("core", SearchSignal("not_satisfied", GIVEN, core=("c1",))),
        ("ranked", SearchSignal("not_satisfied", GIVEN, core=("c1",), revise=("x1", "x2"), keep=("x3",))),
        ("ranked", SearchSignal("not_satisfied", GIVEN, core=("c1",), revise=("x1", "x2", "x3"))),
        ("conflict", SearchSignal("not_satisfied", GIVEN, violated=("c1", "c2"), conflict=("c1",), revise=("x1",))),
        ("conflict", SearchSignal("false_unsat_claim", refuted=(GIVEN,))),
        ("witness", SearchSignal("false_unsat_claim", core=("c1",), witness=GIVEN)),
    ],
)
def test_kinds_of_feedback_are_told_apart(kind: str, signal: SearchSignal) -> None:
    task = view_search(asked(SOLVABLE, signal).messages())
    assert task is not None
    assert task.feedback == kind
    assert task.lines == view_search(asked(SOLVABLE).messages()).lines  # type: ignore[union-attr]
