from __future__ import annotations

import subprocess
import sys
import time

import pytest

from holdtrue.domains.logic_grid import LOGIC_GRID
from holdtrue.domains.scheduling import SCHEDULING
from holdtrue.domains.seating import SEATING
from holdtrue.logic.formula import Sum, Variable
from holdtrue.logic.sorts import IntSort
from holdtrue.solving.encoding import FormulaTooLarge
from holdtrue.solving.result import Core, Satisfiable
from holdtrue.solving.route import LARGEST_DOMAIN, RoutedEngine, make_engine
from tests.solving.brute import AMPLE, VARIABLES, A

NAMES = ["Ann", "Bob", "Cid", "Dee"]


def test_small_problems_go_to_sat_and_large_domains_to_z3() -> None:
    assert make_engine(VARIABLES).name == "minisat22"
    edge = Variable("edge", IntSort(1, LARGEST_DOMAIN))
    assert make_engine([edge]).name == "minisat22"
    routed = RoutedEngine([A, Variable("over", IntSort(0, LARGEST_DOMAIN))])
    assert routed.name == "z3"
    assert routed.reason == f"over has {LARGEST_DOMAIN + 1} values, over {LARGEST_DOMAIN}"


def test_a_formula_too_large_for_cnf_moves_the_conversation_to_z3_for_good() -> None:
    wide = [Variable(f"x{number}", IntSort(0, 99)) for number in range(6)]
    total = Sum(tuple((1, variable) for variable in wide))
    engine = RoutedEngine(wide, [wide[0] < wide[1]])
    assert isinstance(engine.check({"low": wide[1] <= 9}, AMPLE), Satisfiable)
    assert (engine.name, engine.reason) == ("minisat22", None)
    assert engine.check({"low": wide[1] <= 9, "high": total >= 414}, AMPLE) == Core(("low", "high"))
    assert engine.name == "z3"
    assert engine.reason is not None
    assert "clauses" in engine.reason
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
    with pytest.raises(FormulaTooLarge):
        engine.check({"sum": Sum(tuple((1, variable) for variable in wide)) <= 9}, AMPLE)


def test_an_engine_for_a_conversation_is_cheap() -> None:
    instances = [SEATING.instance([*NAMES, "Eve", "Fay"]), SCHEDULING.instance(NAMES), LOGIC_GRID.instance(NAMES)]
    for instance in instances:
        variables = tuple(instance.variables.values())
        spent = []
        for _ in range(5):
            start = time.perf_counter()
            make_engine(variables, instance.background)
            spent.append(time.perf_counter() - start)
        assert min(spent) < 0.005


def test_solvers_are_loaded_when_first_needed() -> None:
    code = "import sys, holdtrue.solving.route; sys.exit('z3' in sys.modules or 'pysat' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
