from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import pytest
from hypothesis import given, settings

from holdtrue.logic.evaluate import compile_formula
from holdtrue.logic.formula import AllDifferent, Formula, Iff, Or, Sum, Variable
from holdtrue.logic.sorts import IntSort
from holdtrue.solving.clauses import LADDER_FROM, Clause, Pool, VariableLiterals
from holdtrue.solving.encoding import FormulaTooLarge, Translator
from holdtrue.solving.result import Core, Satisfiable
from holdtrue.solving.sat_engine import SatEngine
from tests.solving.brute import AMPLE, VARIABLES, A, B, C, assignments, formulas, pigeons

ENGINE = SatEngine(VARIABLES)


@settings(deadline=None, max_examples=150)
@given(formulas())
def test_a_formula_and_its_cnf_hold_under_the_same_assignments(formula: Formula) -> None:
    holds = compile_formula(formula)
    for values in assignments(VARIABLES):
        result = ENGINE.check({"it": formula}, AMPLE, fixed=values)
        assert isinstance(result, Satisfiable) == holds(values)


@pytest.mark.parametrize("count", [LADDER_FROM - 1, LADDER_FROM, LADDER_FROM + 3])
def test_all_different_with_as_many_values_as_variables_leaves_the_last_one_no_choice(count: int) -> None:
    places = [Variable(f"x{number}", IntSort(1, count)) for number in range(count)]
    engine = SatEngine(places, [AllDifferent(tuple(places))])
    fixed = {place.name: value for value, place in enumerate(places[1:], 1)}
    found = engine.check({}, AMPLE, fixed=fixed)
    assert isinstance(found, Satisfiable)
    assert found.witness["x0"] == count
    assert isinstance(engine.check({"taken": places[0].eq(1)}, AMPLE, fixed=fixed), Core)
    assert isinstance(engine.check({"same": places[0].eq(places[1])}, AMPLE), Core)
    assert isinstance(engine.check({"not": ~AllDifferent(tuple(places))}, AMPLE), Core)


def _clauses(formula: Formula, variables: Sequence[Variable]) -> tuple[list[Clause], dict[str, VariableLiterals]]:
    pool = Pool()
    literals = {variable.name: VariableLiterals(variable, pool) for variable in variables}
    clauses = Translator(literals, pool).clauses(formula)
    return pool.take() + clauses, literals


def test_as_many_values_as_terms_are_all_taken() -> None:
    places = [Variable(f"x{number}", IntSort(1, 3)) for number in range(3)]
    clauses, literals = _clauses(AllDifferent(tuple(places)), places)
    for value in (1, 2, 3):
        assert [literals[place.name].equal(value) for place in places] in clauses
    two, _ = _clauses(AllDifferent(tuple(places[:2])), places)
    assert not any(len(clause) == 3 and all(literal > 0 for literal in clause) for clause in two)


def test_more_terms_than_values_are_false_at_once() -> None:
    birds, _ = pigeons(40, 39)
    assert _clauses(AllDifferent(tuple(birds)), birds)[0][-1] == []


def test_nested_equivalences_stay_small() -> None:
    formula: Formula = A < B
    for _ in range(60):
        formula = Iff(formula, C.eq(1))
    assert len(_clauses(formula, VARIABLES)[0]) < 1_000


def test_what_would_be_too_large_is_refused_before_it_is_made() -> None:
    wide = [Variable(f"x{number}", IntSort(0, 30)) for number in range(8)]
    with pytest.raises(FormulaTooLarge, match="27512614111 clauses"):
        _clauses(Sum(tuple((1, variable) for variable in wide)) <= 100, wide)
    with pytest.raises(FormulaTooLarge):
        _clauses(Or(tuple((x + y + z).eq(40) for x, y, z in combinations(wide, 3))), wide)
    assert _clauses(wide[0] + wide[1] <= 20, wide)
