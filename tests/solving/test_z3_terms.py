"""What z3 is told is what direct evaluation finds, under every assignment."""

from __future__ import annotations

from typing import Any

import pytest
import z3
from hypothesis import given, settings

from holdtrue.errors import FormulaError
from holdtrue.logic.evaluate import compile_formula, compile_term
from holdtrue.logic.formula import Compare, Count, Element, Formula, Term, Truth, Variable
from holdtrue.logic.sorts import IntSort
from holdtrue.solving.result import Core, Satisfiable
from holdtrue.solving.z3_engine import Z3Engine
from holdtrue.solving.z3_terms import Z3Terms
from tests.solving.brute import AMPLE, VARIABLES, A, C, Values, assignments, formulas, terms, theories, witnesses

CONTEXT = z3.Context()
TERMS = Z3Terms(VARIABLES, CONTEXT)
ENGINE = Z3Engine(VARIABLES)


def _under(expression: Any, values: Values) -> Any:
    given = [(TERMS.unknowns[name], z3.IntVal(value, CONTEXT)) for name, value in values.items()]
    return z3.simplify(z3.substitute(expression, *given))


@settings(deadline=None, max_examples=60)
@given(formulas(every=True))
def test_formulas_mean_the_same_to_z3(formula: Formula) -> None:
    expression, holds = TERMS.formula(formula), compile_formula(formula)
    for values in list(assignments(VARIABLES))[::5]:
        found = _under(expression, values)
        assert z3.is_true(found) if holds(values) else z3.is_false(found)


@settings(deadline=None, max_examples=60)
@given(terms(every=True))
def test_terms_mean_the_same_to_z3(term: Term) -> None:
    expression, measure = TERMS.term(term), compile_term(term)
    for values in list(assignments(VARIABLES))[::5]:
        assert _under(expression, values).as_long() == measure(values)


@settings(deadline=None, max_examples=40)
@given(theories(every=True, most=3))
def test_the_engine_finds_what_brute_force_finds(soft: dict[str, Formula]) -> None:
    expected = witnesses(VARIABLES, soft.values())
    result = ENGINE.check(soft, AMPLE)
    if expected:
        assert isinstance(result, Satisfiable)
        assert dict(result.witness) in expected
    else:
        assert isinstance(result, Core)
        assert not witnesses(VARIABLES, [soft[id] for id in result.ids])


@pytest.mark.parametrize("op", ["<=", "<", ">=", ">", "==", "!="])
@pytest.mark.parametrize("bound", range(-2, 5))
def test_counts_at_and_beyond_their_ends(op: Any, bound: int) -> None:
    for size in range(4):
        formula = Count(op, bound, tuple(A.ne(number) for number in range(size)))
        expression, holds = TERMS.formula(formula), compile_formula(formula)
        for a in range(4):
            values = {"a": a, "b": 0, "c": 0, "d": 4, "e": 2}
            assert z3.is_true(_under(expression, values)) is holds(values)


def test_a_long_table_is_not_nested_deeply() -> None:
    size = 5_000
    index = Variable("i", IntSort(0, size - 1))
    squares = Element(tuple(number * number for number in range(size)), index)
    found = Z3Engine([index], [squares.eq(4_321 * 4_321)]).check({}, AMPLE)
    assert isinstance(found, Satisfiable)
    assert found.witness == {"i": 4_321}


def test_what_it_does_not_know_is_refused() -> None:
    for stranger in (Variable("z", IntSort(0, 3)), Variable("a", IntSort(0, 4))):
        with pytest.raises(FormulaError, match="the engine has no variable"):
            TERMS.formula(C.eq(stranger))
    unknown: Any = "=<"
    with pytest.raises(FormulaError, match="unknown comparison '=<'"):
        TERMS.formula(Compare(unknown, A, C))
    with pytest.raises(FormulaError, match="not a formula"):
        TERMS.formula(Formula())
    with pytest.raises(FormulaError, match="not a term"):
        TERMS.term(Term())
    assert z3.is_true(TERMS.formula(Truth(True)))
