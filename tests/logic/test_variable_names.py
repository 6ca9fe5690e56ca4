"""Names in formulas are checked to be unique and declared, and are changed."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from hypothesis import given, settings

from holdtrue.errors import DomainError, FormulaError
from holdtrue.logic.connectives import Formula
from holdtrue.logic.formula import AllDifferent, Variable
from holdtrue.logic.sorts import IntSort
from holdtrue.logic.variable_names import check_about, check_ids, check_variables, renamed, repeated
from tests.logic.formulas import VARIABLES, assignments, formulas, holds

X, Y = Variable("x", IntSort(0, 9)), Variable("y", IntSort(0, 9))


def test_the_first_name_that_was_there_before_is_found() -> None:
    assert repeated(["a", "b", "b", "a"]) == "b"
    assert repeated(["a", "b"]) is None
    assert repeated([]) is None


def test_ids_are_texts_and_each_is_there_once() -> None:
    check_ids("the list", "item", ["a", "b"])
    with pytest.raises(DomainError, match=r"the list: item 2 and item 3 have the same id 'b', .* an id of its own"):
        check_ids("the list", "item", ["a", "b", "b"])
    with pytest.raises(DomainError, match="the list: item 2 needs an id, a text, not None"):
        check_ids("the list", "item", ["a", None])


def test_a_name_stands_for_one_variable() -> None:
    check_variables("here", [X, Y])
    with pytest.raises(DomainError, match="here: the variable 'x' is declared twice"):
        check_variables("here", [X, Y, Variable("x", IntSort(0, 1))])

    with pytest.raises(DomainError, match=r"variable 1 must have a text for its name and IntSort.* not 'x' and 5"):
        check_variables("here", [Variable("x", 5)])  # type: ignore[arg-type]


def test_a_formula_is_about_what_is_declared_with_the_same_values() -> None:
    check_about("the law", X < Y, [X, Y])
    with pytest.raises(DomainError, match="the law is about 'y', which is not declared; declare it, or use one of x"):
        check_about("the law", X < Y, [X])
    with pytest.raises(DomainError, match=r"the law is about 'x' with the values .*; make the variable once"):
        check_about("the law", X < Y, [Variable("x", IntSort(0, 1)), Y])


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
