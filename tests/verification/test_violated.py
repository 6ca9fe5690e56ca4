from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdtrue.budget import Budget
from holdtrue.logic.evaluate import evaluate
from holdtrue.logic.formula import AllDifferent, Formula
from holdtrue.solving.result import Core, Unknown, Violated
from holdtrue.solving.sat_engine import SatEngine
from holdtrue.verification import verifier
from holdtrue.verification.verifier import Evaluation, violated, violated_partial
from tests.solving.brute import AMPLE, VARIABLES, A, B, C, D, assignments, formulas, possible
from tests.solving.explain.drawn import theories

EVERYTHING = list(assignments(VARIABLES))
BACKGROUND = (AllDifferent((A, B, C)),)
ENGINE = SatEngine(VARIABLES, BACKGROUND)


@settings(deadline=None, max_examples=40)
@given(theories(), st.sampled_from(EVERYTHING))
def test_of_a_complete_answer_the_false_ones(soft: dict[str, Formula], values: dict[str, int]) -> None:
    assert violated(soft, values) == tuple(id for id, formula in soft.items() if not evaluate(formula, values))


@settings(deadline=None, max_examples=60)
@given(theories(), st.fixed_dictionaries({}, optional={"a": st.integers(0, 3), "c": st.integers(0, 2)}))
def test_of_a_partial_answer_what_no_completion_satisfies(soft: dict[str, Formula], fixed: dict[str, int]) -> None:
    result = violated_partial(ENGINE, soft, fixed, AMPLE)
    if not possible(VARIABLES, BACKGROUND, fixed):
        assert isinstance(result, Core)
        assert set(result.ids) == {"=a", "=c"}
        return
    broken = [id for id, formula in soft.items() if not possible(VARIABLES, (*BACKGROUND, formula), fixed)]
    assert result == Violated(tuple(broken))


def test_a_complete_answer_is_judged_alike_by_both() -> None:
    soft = {"sum": A + B >= 2, "apart": abs(A - D) >= 3, "colour": C.eq(0)}
    values = {"a": 2, "b": 1, "c": 0, "d": 4, "e": 2}
    assert violated(soft, values) == ("apart",)
    assert violated_partial(ENGINE, soft, values, AMPLE) == Violated(("apart",))


def test_impossible_together_is_not_violated_one_by_one() -> None:
    soft = {"up": A > D - 3, "down": A < B + 2}
    assert violated_partial(ENGINE, soft, {"d": 5, "b": 1}, AMPLE) == Violated(())


def test_without_time_nothing_is_said() -> None:
    assert isinstance(violated_partial(ENGINE, {"any": A.eq(1)}, {"a": 2}, Budget(timeout_s=0.0)), Unknown)


asked = st.lists(st.tuples(st.integers(0, 8), st.booleans(), st.sampled_from(EVERYTHING)), min_size=1, max_size=8)


@pytest.fixture(autouse=True)
def from_the_first_formula_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(verifier, "ALL_BELOW", 0)


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
