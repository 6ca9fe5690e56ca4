"""Problems and methods of a search: impossible ones are refused as soon as they are made."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from holdtrue.errors import DomainError, SettingsError
from holdtrue.kinds.search.method import REVEALED, SEARCH_PRESETS, SearchMethod, find_search_method, revealed
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


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"feedback": "core", "reveal_witness": True}, r"names end with \+witness just where a witness is revealed"),
        ({"name": f"mine{REVEALED}", "feedback": "core"}, r"names end with \+witness just where a witness is revealed"),
        ({"name": f"mine{REVEALED}", "feedback": "conflict", "reveal_witness": True}, "only feedback core or ranked"),
        ({"frame": "cot"}, "there is no frame 'cot', only direct"),
        ({"temperature": 2.5}, r"a temperature is in 0\.\.2, got 2\.5"),
    ],
)
def test_settings_that_do_not_fit_are_refused(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(SettingsError, match=message):
        SearchMethod(**{"name": "mine", **settings})


def test_what_reveals_a_witness_is_marked_also_under_a_name_of_its_own() -> None:
    mine = revealed(SearchMethod("mine", feedback="ranked"))
    assert (mine.name, mine.reveal_witness) == (f"mine{REVEALED}", True)
    silent = SearchMethod("silent")
    assert revealed(silent) == silent


def test_all_that_is_there_is_named_where_something_else_is_asked_for() -> None:
    with pytest.raises(SettingsError) as refused:
        find_search_method(f"cd_vgs{REVEALED}")
    for name in (*SEARCH_PRESETS, f"multi_unsat_core_feedback{REVEALED}", f"cd_vgs_core_rank{REVEALED}"):
        assert name in str(refused.value)
        assert find_search_method(name).name == name
