from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdtrue.logic.formula import Formula
from holdtrue.solving.explain import violated_commitments as evaluation
from holdtrue.solving.explain.violated_commitments import Evaluation, violated
from tests.solving.brute import VARIABLES, A, B, assignments, formulas

ALL = list(assignments(VARIABLES))
asked = st.lists(st.tuples(st.integers(0, 8), st.booleans(), st.sampled_from(ALL)), min_size=1, max_size=8)


@pytest.fixture(autouse=True)
def from_the_first_formula_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(evaluation, "ALL_BELOW", 0)


@settings(deadline=None, max_examples=50)
@given(st.lists(formulas(), max_size=8), asked)
def test_it_is_what_evaluating_everything_says(
    drawn: list[Formula], questions: list[tuple[int, bool, dict[str, int]]]
) -> None:
    kept = Evaluation()
    for count, backwards, values in questions:
        some = dict(enumerate(drawn[:count]))
        theory = {f"C{place}": some[place] for place in sorted(some, reverse=backwards)}
        assert kept.broken(theory, values) == violated(theory, values)


def test_a_value_that_is_missing_leaves_nothing_half_known() -> None:
    kept, theory = Evaluation(), {"a": A.eq(0), "b": B.eq(0)}
    assert kept.broken(theory, {"a": 1, "b": 0}) == ("a",)
    with pytest.raises(KeyError):
        kept.broken({**theory, "c": A < B}, {"a": 0})
    assert kept.broken({**theory, "c": A < B}, {"a": 0, "b": 1}) == ("b",)


@pytest.mark.parametrize("later", [{"a": 1}, {"a": 1, "c": 0}])
def test_a_value_that_is_missing_later_is_missed(later: dict[str, int]) -> None:
    kept, theory = Evaluation(), {"a": A.eq(0), "b": B.eq(0)}
    assert kept.broken(theory, {"a": 1, "b": 0}) == ("a",)
    with pytest.raises(KeyError):
        kept.broken(theory, later)


def test_only_what_may_have_changed_is_evaluated() -> None:
    kept, theory = Evaluation(), {"a": A.eq(0), "b": B.eq(0)}
    looked: list[str] = []

    def watch(id: str) -> Callable[[Mapping[str, int]], bool]:
        def holds(values: Mapping[str, int]) -> bool:
            looked.append(id)
            return values[id] == 0

        return holds

    for id, formula in theory.items():
        formula.__dict__["holds"] = watch(id)
    kept.broken(theory, {"a": 0, "b": 0})
    assert looked == ["a", "b"]
    assert kept.broken(theory, {"a": 0, "b": 1}) == ("b",)
    assert looked == ["a", "b", "b"]
    assert kept.broken(theory, {"a": 0, "b": 1}) == ("b",)
    assert looked == ["a", "b", "b"]
