from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from functools import partial

import pytest

from holdtrue.budget import Budget
from holdtrue.errors import SettingsError
from holdtrue.logic.formula import Sum, Variable
from holdtrue.logic.sorts import IntSort
from holdtrue.solving import route
from holdtrue.solving.encoding import NotEncodable
from holdtrue.solving.engine import Soft
from holdtrue.solving.result import Core, Satisfiable, Unknown
from holdtrue.solving.route import (
    LARGEST_DOMAIN,
    SHARED_FROM_S,
    RoutedEngine,
    make_engine,
    reason_for,
)
from holdtrue.world.logic_grid import LOGIC_GRID
from holdtrue.world.scheduling import SCHEDULING
from holdtrue.world.seating import SEATING
from holdtrue_claims.fol.vocabulary import Vocabulary
from holdtrue_claims.solving.sentence_route import counted_sentences
from tests.patience import count_calls
from tests.solving.brute import AMPLE, VARIABLES, A
from tests.solving.optional import needs_cpsat
from tests.solving.standin import StandIn

CHEAP = 5_000
"""Calls of functions that take a moment."""
NAMES = ["Ann", "Bob", "Cid", "Dee"]


def test_small_problems_go_to_sat_and_large_domains_to_z3() -> None:
    assert make_engine(VARIABLES).name == "minisat22"
    edge = Variable("edge", IntSort(1, LARGEST_DOMAIN))
    assert make_engine([edge]).name == "minisat22"
    routed = RoutedEngine([A, Variable("over", IntSort(0, LARGEST_DOMAIN))])
    assert routed.name == "z3"


def test_there_is_always_a_reason_in_words() -> None:
    wide = Variable("over", IntSort(0, LARGEST_DOMAIN))
    assert (
        reason_for(make_engine(VARIABLES)) == "sat: 5 variables of at most 4 values, formulas of at most 20,000 clauses"
    )
    assert reason_for(make_engine([A, wide])) == "z3: over has 201 values, over 200"
    assert reason_for(make_engine(VARIABLES, prefer="z3")) == "z3: asked for by name"
    assert reason_for(counted_sentences(Vocabulary())) == "first-order: sentences about things of any number"


def test_a_formula_too_large_for_cnf_moves_the_conversation_to_z3_for_good() -> None:
    wide = [Variable(f"x{number}", IntSort(0, 99)) for number in range(6)]
    total = Sum(tuple((1, variable) for variable in wide))
    engine = RoutedEngine(wide, [wide[0] < wide[1]])
    assert isinstance(engine.check({"low": wide[1] <= 9}, AMPLE), Satisfiable)
    assert engine.reason.startswith("sat: 6 variables of at most 100 values")
    assert engine.check({"low": wide[1] <= 9, "high": total >= 414}, AMPLE) == Core(("low", "high"))
    assert engine.name == "z3"
    assert engine.reason.startswith("z3: a formula would need up to 10000000000 clauses")
    assert engine.check({"low": wide[1] <= 0}, AMPLE) == Core(("low",)), "the background came along"
    assert engine.name == "z3"


def test_a_background_too_large_for_cnf_starts_with_z3() -> None:
    wide = [Variable(f"x{number}", IntSort(0, 99)) for number in range(6)]
    engine = RoutedEngine(wide, [Sum(tuple((1, variable) for variable in wide)).eq(600 - 7)])
    assert engine.name == "z3"
    found = engine.check({}, AMPLE)
    assert isinstance(found, Satisfiable)
    assert sum(found.witness.values()) == 593


def test_a_preference_insists() -> None:
    assert make_engine(VARIABLES, prefer="z3").name == "z3"
    wide = [Variable(f"x{number}", IntSort(0, 99)) for number in range(6)]
    engine = make_engine(wide, prefer="sat")
    with pytest.raises(NotEncodable):
        engine.check({"sum": Sum(tuple((1, variable) for variable in wide)) <= 9}, AMPLE)


class Busy(StandIn):
    """Spends its time, and decides nothing."""

    name = "busy"

    def __init__(self, *theory: object) -> None:
        self.limits: list[Budget] = []

    def check(self, soft: Soft, budget: Budget, **more: object) -> Satisfiable | Core | Unknown:
        self.limits.append(budget)
        return Unknown("busy with other things")


class Quick(Busy):
    name = "quick"

    def check(self, soft: Soft, budget: Budget, **more: object) -> Satisfiable | Core | Unknown:
        self.limits.append(budget)
        return Core(tuple(soft))


class Unable(Busy):
    name = "unable"

    def check(self, soft: Soft, budget: Budget, **more: object) -> Satisfiable | Core | Unknown:
        raise NotEncodable("not of this kind")


@pytest.fixture
def engines(monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, Busy]]:
    """Stand-ins by the name of the engine that they are; SAT is always busy."""
    there: dict[str, Busy] = {"sat": Busy(), "z3": Busy()}
    monkeypatch.setattr(route, "has_cpsat", lambda: "cp-sat" in there)
    for name in ("sat", "z3", "cp-sat"):
        monkeypatch.setattr(route, f"{name.replace('-', '')}_engine", lambda *theory, name=name: there[name])
    yield there


def test_a_question_that_runs_out_of_time_goes_on_to_cp_sat(engines: dict[str, Busy]) -> None:
    engines["cp-sat"] = Quick()
    routed = RoutedEngine(VARIABLES)
    assert routed.reason.endswith("clauses")
    assert routed.check({"C1": A >= 1}, Budget(2 * SHARED_FROM_S)) == Core(("C1",))
    assert engines["sat"].limits == [Budget(SHARED_FROM_S)]
    (rest,) = engines["cp-sat"].limits
    assert rest.timeout_s is not None
    assert 2 * SHARED_FROM_S - 1 < rest.timeout_s <= 2 * SHARED_FROM_S, "the stand-in left nearly all of it"
    assert routed.reason.endswith("; what ran out of time went on to quick (1)")
    assert isinstance(routed.decide({"C1": A >= 1}, Budget(2 * SHARED_FROM_S)), Core)
    assert routed.reason.endswith("(2)")


def test_where_both_have_no_answer_there_is_none_and_both_say_why(engines: dict[str, Busy]) -> None:
    found = RoutedEngine(VARIABLES).check({}, Budget(2 * SHARED_FROM_S))
    assert found == Unknown("busy with other things; busy: busy with other things")


@pytest.mark.parametrize(
    "budget", [Budget(None), Budget(SHARED_FROM_S / 2), Budget(2 * SHARED_FROM_S, 100), Budget(None, 100)]
)
def test_short_limits_and_counted_work_stay_with_the_first_engine(engines: dict[str, Busy], budget: Budget) -> None:
    engines["cp-sat"] = Quick()
    assert RoutedEngine(VARIABLES).check({}, budget) == Unknown("busy with other things")
    assert engines["sat"].limits == [budget]


def test_what_the_second_engine_cannot_state_stays_unknown(engines: dict[str, Busy]) -> None:
    engines["cp-sat"] = Unable()
    assert RoutedEngine(VARIABLES).check({}, Budget(2 * SHARED_FROM_S)) == Unknown("busy with other things")


@needs_cpsat
def test_an_engine_that_is_an_extra_can_be_asked_for() -> None:
    assert make_engine(VARIABLES, prefer="cp-sat").name == "cp-sat"


def test_an_engine_that_is_not_installed_is_asked_for_in_vain(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ortools", None)
    with pytest.raises(SettingsError, match=r"ortools; get it by: pip install 'holdtrue\[cpsat\]"):
        make_engine(VARIABLES, prefer="cp-sat")


def test_an_engine_for_a_conversation_is_cheap() -> None:
    instances = [SEATING.instance([*NAMES, "Eve", "Fay"]), SCHEDULING.instance(NAMES), LOGIC_GRID.instance(NAMES)]
    for instance in instances:
        variables = tuple(instance.variables.values())
        make_engine(variables, instance.background)  # imported modules and kept results are not made again
        assert count_calls(partial(make_engine, variables, instance.background)) < CHEAP


def test_solvers_are_loaded_when_first_needed() -> None:
    code = "import sys, holdtrue.solving.route; sys.exit(not {'z3', 'pysat', 'ortools'}.isdisjoint(sys.modules))"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
