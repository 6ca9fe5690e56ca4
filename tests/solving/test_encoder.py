from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pysat.solvers import Minisat22

from holdtrue.errors import FormulaError
from holdtrue.logic.formula import AllDifferent, Formula, Variable
from holdtrue.logic.sorts import IntSort
from holdtrue.solving.clauses import FALSE, LADDER_FROM, TRUE
from holdtrue.solving.encoder import Encoder, TemplateStore
from holdtrue.solving.memos import shape_of
from tests.solving.brute import VARIABLES, A, B, D, assignments, formulas, pigeons

EVERYTHING = list(assignments(VARIABLES))


@settings(deadline=None, max_examples=60)
@given(formulas())
def test_clauses_hold_no_constants_and_use_literals_up_to_top(formula: Formula) -> None:
    encoder = Encoder(VARIABLES)
    encoder.pool.take()
    encoder.name(formula)
    used = {abs(literal) for clause in encoder.pool.take() for literal in clause}
    assert used <= set(range(2, encoder.pool.top + 1))


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
    template_of(abs(x - y) >= 2)  # too much to be kept beside the first
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
