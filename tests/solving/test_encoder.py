from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pysat.solvers import Minisat22

from holdtrue.errors import FormulaError
from holdtrue.logic.evaluate import compile_formula
from holdtrue.logic.formula import AllDifferent, Formula, Iff, Or, Sum, Variable
from holdtrue.logic.sorts import IntSort
from holdtrue.solving.clauses import FALSE, LADDER_FROM, TRUE, Clause, Pool, VariableLiterals
from holdtrue.solving.encoder import Encoder, TemplateStore
from holdtrue.solving.encoding import FormulaTooLarge, Translator
from holdtrue.solving.memos import shape_of
from holdtrue.solving.result import Core, Satisfiable
from holdtrue.solving.sat_engine import SatEngine
from tests.solving.brute import AMPLE, VARIABLES, A, B, C, D, assignments, formulas, pigeons

EVERYTHING = list(assignments(VARIABLES))


def test_a_single_literal_needs_no_name() -> None:
    encoder = Encoder(VARIABLES)
    assert encoder.name(A.eq(2)) == encoder.literals["a"].equal(2)
    encoder.pool.take()
    top = encoder.pool.top
    assert encoder.name(A.eq(2)) == encoder.literals["a"].equal(2)
    assert encoder.name(~(B >= 0)) == encoder.literals["b"].at_most(-1)
    assert encoder.name(A <= 9) == TRUE
    assert encoder.name(2 * D <= 7) == FALSE
    assert (encoder.pool.top, encoder.pool.take()) == (top, [])


@pytest.mark.parametrize("stranger", [Variable("z", IntSort(0, 3)), Variable("a", IntSort(0, 4))])
def test_a_variable_of_another_theory_is_refused(stranger: Variable) -> None:
    with pytest.raises(FormulaError, match="has no variable"):
        Encoder(VARIABLES).name(stranger <= 2)


def test_formulas_of_one_shape_share_a_template_until_the_store_is_full() -> None:
    store = TemplateStore(most=6)
    x, y, z = (Variable(name, IntSort(1, 3)) for name in "xyz")

    def template_of(formula: Formula) -> object:
        shape, variables = shape_of(formula)
        return store.get(formula, shape, variables, True)

    first = template_of(x < y)
    assert template_of(z < x) is first
    assert template_of(x < x + 0 * y) is not first
    template_of(abs(x - y) >= 2)  # too much to keep together with the first
    assert template_of(x < y) is not first


@settings(deadline=None, max_examples=40)
@given(st.lists(formulas(), min_size=3, max_size=3), st.sampled_from(EVERYTHING))
def test_dropped_names_ask_for_nothing_and_the_others_go_on_meaning_what_they_did(
    drawn: list[Formula], values: dict[str, int]
) -> None:
    encoder = Encoder(VARIABLES)
    _, kept, held = (encoder.name(formula) for formula in drawn)
    encoder.hold_named(held)
    encoder.drop_names({kept})
    encoder.drop_names({kept})
    own = encoder.literals
    pins = [literal for name, v in values.items() for literal in (own[name].at_least(v), own[name].at_most(v))]
    with Minisat22(encoder.pool.clauses) as solver:
        assert solver.solve(pins) is drawn[2].holds(values)
        assert solver.solve([*pins, kept]) is (drawn[1].holds(values) and drawn[2].holds(values))


def test_a_dropped_name_of_something_counted_asks_for_nothing() -> None:
    birds, _ = pigeons(LADDER_FROM, LADDER_FROM + 1)
    encoder = Encoder(birds)
    name = encoder.name(AllDifferent(tuple(birds)))
    same = [encoder.literals[bird.name].equal(3) for bird in birds]
    with Minisat22(encoder.pool.clauses) as solver:
        assert not solver.solve([name, *same[:2]])
        assert solver.solve([name])
    encoder.drop_names(())
    with Minisat22(encoder.pool.clauses) as solver:
        assert solver.solve(same)


def test_helpers_of_dropped_names_are_counted_once() -> None:
    encoder = Encoder(VARIABLES)
    names = [encoder.name(abs(A - B) + D >= bound) for bound in (5, 6, 7)]
    single = encoder.name(A >= 1)
    assert encoder.dead == 0
    encoder.hold_named(names[0])
    encoder.drop_names({names[1], single})
    once = encoder.dead
    assert once >= 1
    encoder.drop_names({names[1]})
    assert encoder.dead == once
    encoder.pool.take()
    encoder.drop_names(())
    assert encoder.dead > once
    assert encoder.pool.take(), "the second name is denied, the first is held, and the literal of a value is no helper"


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
