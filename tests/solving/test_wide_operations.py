"""Products and divisions of terms with many values, which z3 and CP-SAT compute natively."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product as combinations

import pytest

from holdtrue.errors import FormulaError
from holdtrue.logic.evaluate import compile_term
from holdtrue.logic.formula import Formula, Term, Variable, product, quotient, remainder
from holdtrue.logic.sorts import IntSort
from holdtrue.solving.encoding import NotEncodable
from holdtrue.solving.engine import EngineFactory
from holdtrue.solving.result import Satisfiable, Unsatisfiable
from holdtrue.solving.route import cpsat_engine, sat_engine, z3_engine
from holdtrue.solving.z3_terms import FEW
from tests.slow import first_of
from tests.solving.brute import AMPLE
from tests.solving.optional import needs_cpsat

X, Y = Variable("x", IntSort(-40, 40)), Variable("y", IntSort(1, 90))
ENGINES = [z3_engine, sat_engine, pytest.param(cpsat_engine, marks=needs_cpsat)]
TERMS: list[Callable[[Term, Term], Term]] = [
    product,
    quotient,
    remainder,
    lambda x, y: quotient(x, -y),
    lambda x, y: remainder(x, -y),
    lambda x, y: quotient(y, x - 50),
    lambda x, y: remainder(3 * x - y, x + 41),
]


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("make", first_of(TERMS, 3))
def test_what_engines_find_is_there(engine: EngineFactory, make: Callable[[Term, Term], Term]) -> None:
    assert Y.sort.size is not None and Y.sort.size > FEW
    value = make(X, Y)
    measure = compile_term(value)
    possible = {measure({"x": x, "y": y}) for x, y in combinations(X.sort.values, Y.sort.values)}
    asked = [-361, -40, -13, -1, 0, 1, 7, 35, *sorted(possible)[:: 1 + len(possible) // 9]]
    try:
        made = engine((X, Y), ())
        for number in asked:
            found = made.check({"it": value.eq(number)}, AMPLE)
            assert isinstance(found, Satisfiable) is (number in possible)
    except NotEncodable:
        assert engine is sat_engine


def test_sat_takes_what_has_few_cases_and_leaves_the_rest() -> None:
    few, wide = Variable("few", IntSort(1, 12)), Variable("wide", IntSort(0, 20_000 - 1))
    engine = sat_engine((few, X), [(X // few).eq(3), (X % few).eq(2)])
    assert isinstance(engine.check({"more": X > 11}, AMPLE), Satisfiable)
    assert isinstance(engine.check({"more": 38 + few < X}, AMPLE), Unsatisfiable)
    formula: Formula = (wide * wide).eq(49)
    with pytest.raises(NotEncodable):
        sat_engine((wide,), [formula])


def test_what_may_be_zero_divides_nothing() -> None:
    with pytest.raises(FormulaError, match="the divisor x may be zero"):
        quotient(Y, X)
