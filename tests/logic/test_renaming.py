"""Renaming: the same truth under the same values by other names."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from hypothesis import given, settings

from holdtrue.errors import FormulaError
from holdtrue.logic.connectives import Formula
from holdtrue.logic.formula import AllDifferent, Variable
from holdtrue.logic.opaque import opaque
from holdtrue.logic.sorts import IntSort
from holdtrue.logic.variable_names import renamed
from tests.logic.formulas import VARIABLES, assignments, formulas, holds

A, B = Variable("a", IntSort(0, 3)), Variable("b", IntSort(0, 3))
SWAPPED = {"a": "b.start", "b.start": "a", "c d": "third"}


@settings(max_examples=60, deadline=None)
@given(formula=formulas, values=assignments)
def test_it_holds_under_the_same_values_by_other_names(formula: Formula, values: Mapping[str, int]) -> None:
    made = renamed(formula, SWAPPED)
    assert made.holds({SWAPPED[name]: value for name, value in values.items()}) is holds(formula, values)
    sorts = {SWAPPED[variable.name]: variable.sort for variable in VARIABLES}
    assert all(variable.sort == sorts[variable.name] for variable in made.variables)


def test_what_has_no_new_name_keeps_its_own() -> None:
    assert renamed(2 * A - B >= 1, {"b": "c"}) == (2 * A - Variable("c", B.sort) >= 1)


def test_two_variables_do_not_become_one() -> None:
    with pytest.raises(FormulaError, match="the same name"):
        renamed(AllDifferent((A, B)), {"a": "b"})


def test_text_in_another_language_is_refused() -> None:
    stated = opaque("(= (mod a 2) 0)", {"a": A}.__getitem__)
    with pytest.raises(FormulaError, match="SMT-LIB"):
        renamed(stated & (B >= 1), {"b": "c"})
