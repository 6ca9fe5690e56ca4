from __future__ import annotations

from holdtrue.budget import NEVER
from holdtrue.logic.formula import Formula
from holdtrue.solving.memo import FormulaMemo
from tests.solving.brute import A, B


def test_equal_formulas_share_one_result_whether_or_not_they_are_one_object() -> None:
    made: list[Formula] = []

    def make(formula: Formula) -> int:
        made.append(formula)
        return len(made)

    memo = FormulaMemo(make)
    first = A < B
    assert [memo[first], memo[first], memo[A < B], memo[B < A], memo[first]] == [1, 1, 1, 2, 1]
    assert made == [A < B, B < A]
    assert len(memo) == 2


def test_a_formula_that_is_gone_does_not_lend_its_id_to_another() -> None:
    memo = FormulaMemo(str)
    for bound in range(200):
        formula = bound >= A
        assert memo[formula] == str(formula)
        del formula
    assert len(memo) == 200


def test_what_is_not_wanted_any_more_is_made_anew() -> None:
    made: list[Formula] = []

    def make(formula: Formula) -> int:
        made.append(formula)
        return len(made)

    memo = FormulaMemo(make)
    first, second, third = A < B, B < A, A >= 1
    assert memo.each([first, second, third], NEVER) == [1, 2, 3]
    kept = memo.only([first, B < A, A >= 2])
    assert (len(kept), list(kept.values())) == (2, [1, 2])
    assert kept.each([first, second, third, B < A], NEVER) == [1, 2, 4, 2]
    assert memo.each([first, second, third], NEVER) == [1, 2, 3]
