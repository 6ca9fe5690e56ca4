from __future__ import annotations

import pytest

from holdtrue.errors import DomainError
from holdtrue.logic.formula import Variable
from holdtrue.logic.sorts import IntSort
from holdtrue.logic.variable_names import check_about, check_ids, check_variables, repeated

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
