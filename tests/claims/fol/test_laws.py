"""The laws of a vocabulary that only text could say otherwise."""

from __future__ import annotations

import pytest

from holdtrue.errors import FormulaError
from holdtrue_claims.fol.laws import stated_laws
from holdtrue_claims.fol.notation import write_fol
from holdtrue_claims.fol.vocabulary import Entity, Function, Predicate, Vocabulary

PARCEL = Entity("A", "parcel")


def laws(*functions: Function) -> list[str]:
    return [write_fol(law) for law in stated_laws(Vocabulary((PARCEL,), (Predicate("Sent", ("parcel",)),), functions))]


def test_bounds_hold_for_all_things_of_the_sort() -> None:
    assert laws(Function("fee", ("parcel",), 0, 9, result="EUR")) == [
        "∀x1 ∈ parcel (fee(x1) ≥ 0 EUR)",
        "∀x1 ∈ parcel (fee(x1) ≤ 9 EUR)",
    ]
    assert laws(Function("fee", ("EUR", "parcel"), result="EUR")) == []


@pytest.mark.parametrize("low, high", [(0, None), (None, 9), (0, 9)])
@pytest.mark.parametrize("sort", ["EUR", "date", "whole"])
def test_bounds_of_a_function_that_takes_values_are_refused_in_words(
    low: int | None, high: int | None, sort: str
) -> None:
    with pytest.raises(FormulaError, match=f"fee takes {sort}, which is no thing: leave out its low and high"):
        laws(Function("fee", ("parcel", sort), low, high, result="EUR"))
