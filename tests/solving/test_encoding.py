from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given, settings

from holdtrue.errors import FormulaError
from holdtrue.logic.evaluate import compile_formula
from holdtrue.logic.formula import AllDifferent, Formula, Iff, Or, Sum, Variable
from holdtrue.logic.sorts import IntSort
from holdtrue.solving.encoding import LADDER_FROM, Encoder, FormulaTooLarge
from holdtrue.solving.literals import FALSE, TRUE
from holdtrue.solving.result import Core, Satisfiable
from holdtrue.solving.sat_engine import SatEngine
from tests.solving.brute import AMPLE, VARIABLES, A, B, C, D, assignments, formulas, pigeons

ENGINE = SatEngine(VARIABLES)


@settings(deadline=None, max_examples=150)
@given(formulas())
def test_a_formula_and_its_cnf_hold_under_the_same_assignments(formula: Formula) -> None:
    holds = compile_formula(formula)
    for values in assignments(VARIABLES):
        result = ENGINE.check({"it": formula}, AMPLE, fixed=values)
        assert isinstance(result, Satisfiable) == holds(values)


@settings(deadline=None, max_examples=60)
@given(formulas())
def test_clauses_hold_no_constants_and_use_literals_up_to_top(formula: Formula) -> None:
    encoder = Encoder(VARIABLES)
    _, clauses = encoder.name(formula)
    used = {abs(literal) for clause in clauses for literal in clause}
    assert used <= set(range(2, encoder.top + 1))


def test_a_single_literal_needs_no_name() -> None:
    encoder = Encoder(VARIABLES)
    top = encoder.top
    assert encoder.name(A.eq(2)) == (encoder.literals["a"].equal(2), [])
    assert encoder.name(~(B >= 0)) == (encoder.literals["b"].at_most(-1), [])
    assert encoder.name(A <= 9) == (TRUE, [])
    assert encoder.name(2 * D <= 7) == (FALSE, [])
    assert encoder.top == top


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


def test_as_many_values_as_terms_are_all_taken() -> None:
    places = [Variable(f"x{number}", IntSort(1, 3)) for number in range(3)]
    encoder = Encoder(places)
    clauses = encoder.assertion(AllDifferent(tuple(places)))
    for value in (1, 2, 3):
        assert [encoder.literals[place.name].equal(value) for place in places] in clauses
    assert all(len(clause) == 2 for clause in encoder.assertion(AllDifferent(tuple(places[:2]))))


def test_more_terms_than_values_are_false_at_once() -> None:
    birds, _ = pigeons(40, 39)
    assert Encoder(birds).assertion(AllDifferent(tuple(birds))) == [[]]


def test_nested_equivalences_stay_small() -> None:
    formula: Formula = A < B
    for _ in range(60):
        formula = Iff(formula, C.eq(1))
    _, clauses = Encoder(VARIABLES).name(formula)
    assert len(clauses) < 1_000


def test_what_would_be_too_large_is_refused_before_it_is_made() -> None:
    wide = [Variable(f"x{number}", IntSort(0, 30)) for number in range(8)]
    encoder = Encoder(wide)
    with pytest.raises(FormulaTooLarge, match="27512614111 clauses"):
        encoder.name(Sum(tuple((1, variable) for variable in wide)) <= 100)
    pairs = Or(tuple((x + y + z).eq(40) for x, y, z in combinations(wide, 3)))
    with pytest.raises(FormulaTooLarge):
        encoder.name(pairs)
    assert encoder.name(wide[0] + wide[1] <= 20)[1]


@pytest.mark.parametrize("stranger", [Variable("z", IntSort(0, 3)), Variable("a", IntSort(0, 4))])
def test_a_variable_of_another_theory_is_refused(stranger: Variable) -> None:
    with pytest.raises(FormulaError, match="has no variable"):
        Encoder(VARIABLES).name(stranger <= 2)
