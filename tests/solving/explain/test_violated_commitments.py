from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from holdtrue.budget import Budget
from holdtrue.logic.evaluate import evaluate
from holdtrue.logic.formula import AllDifferent, Formula
from holdtrue.solving.explain.violated_commitments import violated, violated_partial
from holdtrue.solving.result import Core, Unknown, Violated
from holdtrue.solving.sat_engine import SatEngine
from tests.solving.brute import AMPLE, VARIABLES, A, B, C, D, assignments, possible
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
