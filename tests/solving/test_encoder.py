from __future__ import annotations

import pytest
from hypothesis import given, settings

from holdtrue.errors import FormulaError
from holdtrue.logic.formula import AllDifferent, Formula, Variable
from holdtrue.logic.sorts import IntSort
from holdtrue.solving.encoder import Encoder, TemplateStore
from holdtrue.solving.encoding import CLAUSE_LIMIT
from holdtrue.solving.literals import FALSE, TRUE
from holdtrue.solving.shape import shape_of
from tests.solving.brute import VARIABLES, A, B, D, formulas, pigeons


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


def test_what_cannot_hold_is_asserted_false() -> None:
    birds, _ = pigeons(4, 3)
    encoder = Encoder(birds)
    encoder.pool.take()
    encoder.hold(AllDifferent(tuple(birds)))
    assert encoder.pool.take() == [[FALSE]]


@pytest.mark.parametrize("stranger", [Variable("z", IntSort(0, 3)), Variable("a", IntSort(0, 4))])
def test_a_variable_of_another_theory_is_refused(stranger: Variable) -> None:
    with pytest.raises(FormulaError, match="has no variable"):
        Encoder(VARIABLES).name(stranger <= 2)


def test_formulas_of_one_shape_share_a_template_until_the_store_is_full() -> None:
    store = TemplateStore(most=6)
    x, y, z = (Variable(name, IntSort(1, 3)) for name in "xyz")

    def template_of(formula: Formula) -> object:
        shape, variables = shape_of(formula)
        return store.get(formula, shape, variables, True, CLAUSE_LIMIT)

    first = template_of(x < y)
    assert template_of(z < x) is first
    assert template_of(x < x + 0 * y) is not first
    template_of(abs(x - y) >= 2)  # too much to be kept beside the first
    assert template_of(x < y) is not first
