from __future__ import annotations

import json
import math
from collections import Counter
from itertools import product
from typing import Any

import pytest

from holdtrue.errors import SettingsError
from holdtrue.kinds.search.problem import SearchProblem
from holdtrue.kinds.search.prompts import SearchSignal
from holdtrue.kinds.search.reader import Infeasible, read_candidate
from holdtrue.models.chat import Reply, Request, system, user
from holdtrue.world.answer import Assignment, Unparsed
from holdtrue_lab.kinds.search.simulation.model import SearchCharacter, SearchWorld, SimulatedSearcher
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


def test_witnesses_do_not_depend_on_what_was_asked_before() -> None:
    asked, fresh = SearchWorld(SOLVABLE), SearchWorld(SOLVABLE)
    first = asked.solution({"x3": -1})
    for value in range(-2, 5):
        fresh.solution({"x1": value})
    assert fresh.solution({"x3": -1}) == first


def test_near_misses_fail_and_are_near() -> None:
    for problem in (SOLVABLE, IMPOSSIBLE):
        world = SearchWorld(problem)
        for key in range(200):
            values = world.near_miss({}, 0.3, key)
            assert values is not None
            assert all(-2 <= value <= 4 for value in values.values())
            assert not all(each.holds(values) for each in problem.formulas.values())


@pytest.mark.parametrize(("changed", "mean"), [(0.0, 1.0), (0.3, 1.6), (1.0, 3.0)])
def test_so_many_values_of_a_solution_are_changed(changed: float, mean: float) -> None:
    """One for certain, and of the two others that share; what still satisfies all constraints is drawn again."""
    world = SearchWorld(SOLVABLE)
    base, changes = world.solution() or {}, 0
    for key in range(400):
        values = world.near_miss({}, changed, key) or {}
        changes += sum(values[name] != base[name] for name in base)
    assert changes / 400 == pytest.approx(mean, abs=0.2 if 0 < changed < 1 else 0)


def test_what_is_kept_stays_and_the_rest_fails() -> None:
    world = SearchWorld(SOLVABLE)
    for key in range(50):
        values = world.near_miss({"x2": 3}, 0.3, key)
        assert values is not None and values["x2"] == 3
        assert values not in SOLUTIONS


def test_near_misses_of_the_impossible_break_little() -> None:
    world = SearchWorld(IMPOSSIBLE)
    broken = [
        sum(not each.holds(values) for each in IMPOSSIBLE.formulas.values())
        for key in range(100)
        if (values := world.near_miss({}, 0.0, key)) is not None
    ]
    assert len(broken) == 100
    assert min(broken) == 1


def test_where_anything_goes_there_is_no_near_miss() -> None:
    assert SearchWorld(LOOSE).near_miss({}, 0.3, "key") is None


@pytest.mark.parametrize(
    ("name", "character"),
    [
        ("sim/search", SearchCharacter()),
        ("sim/search@3", SearchCharacter(seed=3)),
        ("sim/search:p=0.2", SearchCharacter(p=0.2)),
        (
            "sim/search:p=0.2,claim=0.1,generic=0,core=0.2,ranked=0.25,conflict=0.3,malformed=0.05@7",
            SearchCharacter(0.2, core=0.2, ranked=0.25, conflict=0.3, claim=0.1, malformed=0.05, seed=7),
        ),
        ("sim/search:p=0,witness=1,outside=.5,changed=1", SearchCharacter(0, witness=1, outside=0.5, changed=1)),
    ],
)
def test_names_say_what_a_searcher_is_like(name: str, character: SearchCharacter) -> None:
    assert SearchCharacter.read(name) == character
    assert SearchCharacter.read(character.name) == character


def test_the_shortest_spelling_is_the_name() -> None:
    spelled = "sim/search:core=0.20,p=0.10,claim=0,changed=0.3@0"
    assert SearchCharacter.read(spelled).name == "sim/search:p=0.1,core=0.2"


def test_feedback_adds_its_own_effect_alone() -> None:
    character = SearchCharacter.read("sim/search:p=0.2,generic=0.1,core=0.3")
    assert [round(character.skill(kind), 9) for kind in ("", "generic", "core", "ranked")] == [0.2, 0.3, 0.5, 0.2]


@pytest.mark.parametrize(
    "name",
    [
        "sim/", "sim/searc", "search", "sim/search:", "sim/search:p", "sim/search:p=", "sim/search:p=1.1",
        "sim/search:p=-1", "sim/search:p=nan", "sim/search:dream=0.5", "sim/search:p=0.5,p=0.1", "sim/search:core=0.2",
        "sim/search:p=0.6,core=0.5", "sim/search:claim=0.6,outside=0.5", "sim/search:seed=1", "sim/search@",
        "sim/search@x", "sim/search:p=0.5@-1",
    ],
)  # fmt: skip
def test_other_names_are_refused(name: str) -> None:
    with pytest.raises(SettingsError, match="search"):
        SearchCharacter.read(name)


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
    """What a reply came to, found out without the searcher's own word: '' where it is right."""
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


@pytest.mark.parametrize("problem", KNOWN)
async def test_without_faults_every_candidate_is_right(problem: SearchProblem) -> None:
    assert await outcomes("sim/search", problem) == {"": DRAWS}


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


async def test_a_claim_is_no_failure_where_it_is_true() -> None:
    found = await outcomes("sim/search:p=0.3,claim=1", IMPOSSIBLE)
    assert found.keys() == {"", "near_miss"}
    assert within(found[""], DRAWS, 0.3)


async def test_what_cannot_be_missed_within_its_bounds_is_missed_outside_of_them() -> None:
    assert await outcomes("sim/search:p=0", LOOSE) == {"outside": DRAWS}


async def test_only_what_is_asked_is_answered_and_fits_what_is_kept() -> None:
    model = SimulatedSearcher("sim/search:p=0.5,claim=0.1,outside=0.1", KNOWN)
    kept, names, found = {"x3": -2}, ("x1", "x2"), Counter[str]()
    for sample in range(200):
        answered = await reply(model, asked(SOLVABLE, SIGNALS["generic"], asked=names, kept=kept), sample)
        came_to = judge(SOLVABLE, answered, names, kept)
        assert answered.annotations.get("injected", "") == came_to
        found[came_to] += 1
        given = json.loads(answered.text).get("assignment")
        assert given is None or tuple(given) == names
    assert within(found[""], 200, 0.5)


async def test_what_cannot_be_kept_is_never_solved() -> None:
    model = SimulatedSearcher("sim/search", KNOWN)
    answered = await reply(model, asked(SOLVABLE, SIGNALS["generic"], asked=("x1", "x2"), kept={"x3": 4}))
    assert answered.annotations["injected"] == "near_miss"


async def test_replies_depend_on_the_request_and_the_seed_alone() -> None:
    name = "sim/search:p=0.3,claim=0.2,outside=0.2@5"
    one, other = SimulatedSearcher(name, KNOWN), SimulatedSearcher(name, KNOWN[::-1])
    first = [await reply(one, asked(SOLVABLE), sample) for sample in range(20)]
    second = [await reply(other, asked(SOLVABLE), sample) for sample in reversed(range(20))]
    assert [each.text for each in first] == [each.text for each in reversed(second)]
    for changed in (
        [await reply(one, asked(SOLVABLE), sample, seed=1042) for sample in range(20)],
        [await reply(SimulatedSearcher(f"{name}1", KNOWN), asked(SOLVABLE), sample) for sample in range(20)],
        [await reply(one, asked(SOLVABLE, SIGNALS["generic"]), sample) for sample in range(20)],
    ):
        assert [each.text for each in changed] != [each.text for each in first]


async def test_what_is_not_known_is_not_answered() -> None:
    model = SimulatedSearcher("sim/search", [SOLVABLE])
    assert (await reply(model, asked(IMPOSSIBLE))).text == LOST
    greeting = Request((system("You help."), user("Hello!")), purpose="answer")
    assert (await model.complete(greeting)).text == LOST


async def test_worlds_are_made_again_after_closing() -> None:
    model = SimulatedSearcher("sim/search", KNOWN)
    before = await reply(model, asked(SOLVABLE))
    await model.aclose()
    await model.aclose()
    assert (await reply(model, asked(SOLVABLE))).text == before.text
