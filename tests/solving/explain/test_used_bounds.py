from __future__ import annotations

from collections.abc import Iterable, Mapping

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from holdtrue.budget import Budget
from holdtrue.errors import FormulaError
from holdtrue.logic.formula import Compare, Comparison, Constant, Element, Formula, Sum, Variable
from holdtrue.logic.sorts import IntSort
from holdtrue.solving.engine import EngineFault
from holdtrue.solving.explain.mus import used_bounds
from tests.solving.brute import AMPLE, possible

X, Y, Z = (Variable(name, IntSort(0, 4)) for name in "xyz")
FEW = (X, Y, Z)
FAR = range(-40, 41)
"""Far beyond what two variables with so small coefficients can tell apart."""


def linear() -> st.SearchStrategy[Formula]:
    factors = st.sampled_from([-2, -1, 0, 1, 2])
    relations: st.SearchStrategy[Comparison] = st.sampled_from(["<=", ">=", "=="])
    return st.builds(
        lambda a, b, op, right: Compare(op, Sum(((a, X), (b, Y))), Constant(right)),
        factors,
        factors,
        relations,
        st.integers(-6, 9),
    )


@settings(deadline=None, max_examples=25)
@given(drawn=st.lists(linear(), min_size=1, max_size=3))
def test_the_bounds_are_needed_and_suffice(drawn: list[Formula]) -> None:
    """The twin lets both variables range widely, and has the bounds as formulas like others."""
    soft = {f"c{number}": formula for number, formula in enumerate(drawn, 1)}
    assume(not possible((X, Y), drawn))
    bounds = {"x >= 0": X >= 0, "x <= 4": X <= 4, "y >= 0": Y >= 0, "y <= 4": Y <= 4}

    def can(kept: Iterable[str]) -> bool:
        checks = [formula.holds for formula in (*drawn, *(bounds[bound] for bound in kept))]
        return any(all(holds({"x": x, "y": y}) for holds in checks) for x in FAR for y in FAR)

    found = used_bounds(FEW, soft, tuple(soft), AMPLE)
    assert [bound for bound in bounds if bound in found] == list(found)
    assert not can(found)
    assert all(can(kept for kept in found if kept != spared) for spared in found)


SOFT: Mapping[str, Formula] = {"c1": (3 * X + Y).eq(43), "c2": X + 1 <= Y, "c3": Y <= X, "c4": Z >= 0}


def test_bounds_are_named_in_the_order_of_the_variables() -> None:
    assert used_bounds(FEW, SOFT, ("c1",), AMPLE) == ("x <= 4", "y <= 4")


def test_a_conflict_of_constraints_alone_rests_on_no_bound() -> None:
    assert used_bounds(FEW, SOFT, ("c2", "c3"), AMPLE) == ()


def test_out_of_time_every_bound_that_could_matter_is_named() -> None:
    assert used_bounds(FEW, SOFT, ("c1",), Budget(timeout_s=0.0)) == ("x >= 0", "x <= 4", "y >= 0", "y <= 4")


def test_what_is_no_conflict_is_refused() -> None:
    with pytest.raises(EngineFault, match="c2, c4"):
        used_bounds(FEW, SOFT, ("c2", "c4"), AMPLE)


def test_beyond_its_bounds_an_index_has_no_entries() -> None:
    soft = {"c1": Element((1, 2, 3, 4, 5), X) >= 6}
    with pytest.raises(FormulaError, match="table"):
        used_bounds(FEW, soft, ("c1",), AMPLE)
