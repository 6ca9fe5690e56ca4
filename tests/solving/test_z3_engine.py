from __future__ import annotations

from typing import Any

import pytest
import z3
from hypothesis import given, settings
from hypothesis import strategies as st

from holdtrue.budget import Budget
from holdtrue.errors import FormulaError
from holdtrue.logic.evaluate import compile_formula
from holdtrue.logic.formula import AllDifferent, Compare, Count, Element, Formula, Iff, Not, Sum, Term, Truth, Variable
from holdtrue.logic.sorts import IntSort
from holdtrue.solving import z3_terms
from holdtrue.solving.result import Core, Satisfiable
from holdtrue.solving.z3_engine import Z3Engine
from holdtrue.solving.z3_terms import Z3Terms
from tests.solving.brute import AMPLE, VARIABLES, A, C, Values, assignments, formulas, terms


def test_wide_sums_over_large_domains() -> None:
    wide = [Variable(f"x{number}", IntSort(0, 10**6)) for number in range(12)]
    total = Sum(tuple((number + 1, variable) for number, variable in enumerate(wide)))
    engine = Z3Engine(wide, [total.eq(7_654_321)])
    found = engine.check({"apart": abs(wide[0] - wide[1]) >= 900_000}, AMPLE)
    assert isinstance(found, Satisfiable)
    assert sum((number + 1) * found.witness[f"x{number}"] for number in range(12)) == 7_654_321
    assert engine.check({}, AMPLE, fixed={"x11": 638_000}) == Core(("=x11",))


@pytest.mark.parametrize("names", [("a\0b", "a\0c"), ("\ud800", "%D800;"), ("", "|"), ("k!0", "formula 0")])
def test_variables_are_told_apart_whatever_their_names(names: tuple[str, str]) -> None:
    one, other = (Variable(name, IntSort(0, 1)) for name in names)
    found = Z3Engine([one, other]).check({"apart": one < other}, AMPLE)
    assert found == Satisfiable({one.name: 0, other.name: 1})


def test_limits_beyond_what_z3_can_count_are_none() -> None:
    engine = Z3Engine([A])
    for timeout in (5e6, float("inf")):
        assert isinstance(engine.check({}, Budget(timeout_s=timeout)), Satisfiable)


CONTEXT = z3.Context()
TERMS = Z3Terms(VARIABLES, CONTEXT, z3.SimpleSolver(ctx=CONTEXT).add)


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


@settings(deadline=None, max_examples=25)
@given(st.lists(terms(every=False), min_size=2, max_size=5), formulas())
def test_many_terms_that_differ_are_numbered_and_mean_the_same(drawn: list[Term], other: Formula) -> None:
    """Held by itself, held not to be, and inside another formula; here already from two terms on."""
    formula = AllDifferent(tuple(drawn))
    soft = {"differ": formula, "same": Not(formula), "as": Iff(formula, other)}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(z3_terms, "PAIRED", 1)
        engine = Z3Engine(VARIABLES)
        for values in list(assignments(VARIABLES))[::9]:
            for id, one in soft.items():
                found = engine.check({id: one}, AMPLE, fixed=values)
                assert isinstance(found, Satisfiable) is one.holds(values)


def test_from_some_number_of_terms_on_they_are_numbered() -> None:
    """Few terms are compared in pairs, and many are numbered. Both ways find the same."""
    for count in (z3_terms.PAIRED, z3_terms.PAIRED + 1, 3 * z3_terms.PAIRED):
        birds = [Variable(f"p{number}", IntSort(1, 10 * count)) for number in range(count)]
        formula = AllDifferent(tuple(bird + number for number, bird in enumerate(birds)))
        engine = Z3Engine(birds)
        assert isinstance(engine.check({"all": formula}, AMPLE), Satisfiable)
        assert isinstance(engine.check({"not": Not(formula)}, AMPLE), Satisfiable)
        clash = {"all": formula, "idle": birds[2] >= 2, "same": birds[0].eq(birds[1] + 1)}
        assert engine.check(clash, AMPLE) == Core(("all", "same"))
        assert engine.check({"all": formula, "not": Not(formula)}, AMPLE) == Core(("all", "not"))


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
