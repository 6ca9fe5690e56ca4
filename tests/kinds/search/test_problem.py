"""A problem of one's own: what cannot be meant is refused where it is made, before anything is certified by it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from holdtrue.errors import DomainError
from holdtrue.kinds.search.problem import Requirement, SearchProblem
from holdtrue.logic.formula import Variable
from holdtrue.logic.sorts import IntSort

A, B, C, D = (Variable(name, IntSort(0, 9)) for name in "abcd")
NUMBER: Any = 1
FIRST, SECOND = Requirement("x", "a < b", A < B), Requirement("y", "c < d", C < D)


def test_every_requirement_counts() -> None:
    problem = SearchProblem.of([A, B, C, D], [FIRST, SECOND])
    assert list(problem.formulas) == ["x", "y"]
    assert problem.is_solution({"a": 2, "b": 5, "c": 3, "d": 4})
    assert not problem.is_solution({"a": 5, "b": 2, "c": 3, "d": 4})


@pytest.mark.parametrize(
    ("variables", "constraints", "words"),
    [
        ([A, B, C, D], [FIRST, replace(SECOND, id="x")], "constraint 1 and constraint 2 have the same id 'x'"),
        ([A, B, C, D], [FIRST, SECOND, FIRST], "constraint 1 and constraint 3 have the same id 'x'"),
        ([A, B], [Requirement(NUMBER, "a < b", A < B)], "constraint 1 needs an id, a text, not 1"),
        ([A, B], [replace(FIRST, id=" ")], "constraint 1 needs an id, a text, not ' '"),
        ([A], [FIRST], "constraint 'x' is about 'b', which is not declared; declare it, or use one of a"),
        ([A, Variable("b", IntSort(0, 3))], [FIRST], r"'x' is about 'b' with the values .*0.*9.*, and it is declared"),
        ([A, B, A], [FIRST], "the variable 'a' is declared twice"),
        ([A, B, Variable("a", IntSort(0, 3))], [FIRST], "the variable 'a' is declared twice"),
        (["a", "b"], [FIRST], r"variable 1 must be a Variable\(name, sort\), not 'a'"),
        ([A, B], [A < B], r"constraint 1 must be a Requirement\(id, text, formula\)"),
        ([A, B], [], "there are no constraints, so that any values within the bounds would be certified"),
        ([], [], "there are no variables, so that there is nothing to search for"),
    ],
)
def test_what_cannot_be_meant_is_refused(variables: Any, constraints: Any, words: str) -> None:
    with pytest.raises(DomainError, match=f"problem 'own': .*{words}|problem 'own': {words}"):
        SearchProblem.of(variables, constraints)


def test_it_is_refused_however_the_problem_is_made() -> None:
    problem = SearchProblem.of([A, B, C, D], [FIRST, SECOND])
    with pytest.raises(DomainError, match="problem 'own': constraint 1 and constraint 2 have the same id"):
        replace(problem, constraints=(FIRST, FIRST))


def test_what_is_told_is_text() -> None:
    with pytest.raises(DomainError, match="requirement 'x': it is told as a text, not None"):
        Requirement("x", None, A < B)  # type: ignore[arg-type]
    with pytest.raises(DomainError, match=r"the setting is a list of sentences, not the text 'Two numbers.'"):
        SearchProblem.of([A, B], [FIRST], setting="Two numbers.")
