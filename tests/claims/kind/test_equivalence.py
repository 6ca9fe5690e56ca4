from __future__ import annotations

from hypothesis import given, settings

from holdtrue.budget import Budget
from holdtrue.logic.evaluate import evaluate
from holdtrue.logic.formula import Formula, Variable
from holdtrue.logic.sorts import IntSort
from holdtrue.solving.result import Different, Equivalent, Inconsistent, Unknown
from holdtrue_claims.fol.vocabulary import Vocabulary
from holdtrue_claims.kind.equivalence import same_meaning, strengthens
from tests.claims.kind.bounded_numbers import IMPOSSIBLE, WORDS, stated, words
from tests.solving.brute import VARIABLES, A, assignments, possible
from tests.solving.explain.drawn import formulas

NO_TIME = Budget(timeout_s=0.0)


SMALLER = words([Variable("a", IntSort(0, 2))])


def compared(one: Formula, other: Formula, vocabulary: Vocabulary = WORDS) -> object:
    return same_meaning(stated(one), stated(other), vocabulary)


def same(one: Formula, other: Formula) -> bool:
    return isinstance(compared(one, other), Equivalent)


def stronger(new: Formula, old: Formula, vocabulary: Vocabulary = WORDS) -> bool | None:
    return strengthens(stated(new), stated(old), vocabulary)


@settings(deadline=None, max_examples=50)
@given(formulas(), formulas())
def test_it_is_what_all_assignments_say(one: Formula, other: Formula) -> None:
    every = list(assignments(VARIABLES))
    assert same(one, other) is all(evaluate(one, values) is evaluate(other, values) for values in every)
    entailed = all(evaluate(other, values) for values in every if evaluate(one, values))
    assert stronger(one, other) is (entailed and possible(VARIABLES, [one]))


def test_laws_can_make_formulas_the_same() -> None:
    assert isinstance(compared(A.eq(2), A >= 2), Different)
    assert compared(A.eq(2), A >= 2, SMALLER) == Equivalent()
    assert compared(A.eq(2), A >= 2, IMPOSSIBLE) == Inconsistent()
    assert stronger(A >= 2, A.eq(2)) is False
    assert stronger(A >= 2, A.eq(2), SMALLER) is True


def test_out_of_time_nothing_is_said() -> None:
    assert isinstance(same_meaning(stated(A >= 2), stated(A > 1), WORDS, NO_TIME), Unknown)
    assert strengthens(stated(A >= 2), stated(A > 0), WORDS, NO_TIME) is None
