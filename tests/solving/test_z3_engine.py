from __future__ import annotations

import pytest

from holdtrue.budget import Budget
from holdtrue.logic.formula import Sum, Variable
from holdtrue.logic.sorts import IntSort
from holdtrue.solving.result import Core, Satisfiable, Unknown
from holdtrue.solving.z3_engine import Z3Engine
from tests.solving.brute import AMPLE, A, pigeons


def test_wide_sums_over_large_domains() -> None:
    wide = [Variable(f"x{number}", IntSort(0, 10**6)) for number in range(12)]
    total = Sum(tuple((number + 1, variable) for number, variable in enumerate(wide)))
    engine = Z3Engine(wide, [total.eq(7_654_321)])
    found = engine.check({"apart": abs(wide[0] - wide[1]) >= 900_000}, AMPLE)
    assert isinstance(found, Satisfiable)
    assert sum((number + 1) * found.witness[f"x{number}"] for number in range(12)) == 7_654_321
    assert engine.check({}, AMPLE, fixed={"x11": 638_000}) == Core(("=x11",))


def test_a_timeout_is_unknown_and_the_engine_goes_on() -> None:
    birds, opaque = pigeons(10, 9)
    soft = {f"c{number}": formula for number, formula in enumerate(opaque)}
    engine = Z3Engine(birds)
    result = engine.check(soft, Budget(timeout_s=0.02))
    assert isinstance(result, Unknown)
    assert result.reason.startswith("z3 gave up")
    assert isinstance(engine.check({"first": opaque[0]}, Budget(timeout_s=None)), Satisfiable)


@pytest.mark.parametrize("names", [("a\0b", "a\0c"), ("\ud800", "%D800;"), ("", "|"), ("k!0", "formula 0")])
def test_variables_are_told_apart_whatever_their_names(names: tuple[str, str]) -> None:
    one, other = (Variable(name, IntSort(0, 1)) for name in names)
    found = Z3Engine([one, other]).check({"apart": one < other}, AMPLE)
    assert found == Satisfiable({one.name: 0, other.name: 1})


def test_limits_beyond_what_z3_can_count_are_none() -> None:
    engine = Z3Engine([A])
    for timeout in (5e6, float("inf")):
        assert isinstance(engine.check({}, Budget(timeout_s=timeout)), Satisfiable)
