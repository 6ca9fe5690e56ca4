"""Memos of formulas and sentences."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from holdtrue.budget import NEVER
from holdtrue.logic.evaluate import compile_formula
from holdtrue.logic.formula import AllDifferent, And, Formula, Truth, Variable
from holdtrue.logic.sorts import IntSort
from holdtrue.solving.memos import FormulaMemo, shape_of
from holdtrue_claims.fol import syntax as fol
from holdtrue_claims.solving.sentence_memo import SentenceMemo
from tests.solving.brute import A, B, assignments, formulas


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


X, Y, Z = (Variable(name, IntSort(1, 3)) for name in "xyz")


def test_only_names_are_forgotten() -> None:
    assert shape_of(X < Y)[0] == shape_of(Z < X)[0]
    assert shape_of(X < Y)[1] == [X, Y]
    different = [X < Y, X <= Y, X < X, Y + 1 > X, X.eq(1), X.eq(0), X < A, And((X < Y,)), ~(X < Y), Truth(True)]
    different += [Truth(False), AllDifferent((X, Y)), AllDifferent((X, X)), (X < Y) & (X < Z), (X < Y) & (Y < X)]
    assert len({shape_of(formula)[0] for formula in different}) == len(different)


@settings(deadline=None, max_examples=100)
@given(formulas((A, B)), formulas((A, B)))
def test_formulas_of_one_shape_hold_under_the_same_values(first: Formula, second: Formula) -> None:
    (one, own), (other, others) = shape_of(first), shape_of(second)
    if one != other:
        return
    for values in assignments(own):
        renamed = {theirs.name: values[mine.name] for mine, theirs in zip(own, others, strict=True)}
        assert compile_formula(first)(values) == compile_formula(second)(renamed)


def test_each_sentence_is_made_once() -> None:
    made: list[fol.Sentence] = []

    def make(sentence: fol.Sentence) -> int:
        made.append(sentence)
        return len(made)

    memo = SentenceMemo(make)
    one, same, other = fol.Holds("P"), fol.Holds("P"), fol.Holds("Q")
    assert [memo[one], memo[same], memo[other], memo[one], memo[same]] == [1, 1, 2, 1, 1]
    assert made == [one, other]


def test_nothing_is_kept_of_a_failure() -> None:
    known: dict[fol.Sentence, int] = {fol.Holds("P"): 1}
    memo = SentenceMemo(known.__getitem__)
    with pytest.raises(KeyError):
        memo[fol.Holds("Q")]
    assert len(memo) == 0


def test_a_long_series_leaves_little_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("holdtrue_claims.solving.sentence_memo.MOST_KEPT", 5)
    memo = SentenceMemo(str)
    for number in range(50):
        assert memo[fol.Holds(f"P{number}")] == memo[fol.Holds(f"P{number}")]
        assert len(memo) <= 5
