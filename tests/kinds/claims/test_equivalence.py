from __future__ import annotations

from hypothesis import given, settings

from holdtrue.budget import Budget
from holdtrue.kinds.claims.equivalence import same_meaning, strengthens
from holdtrue.logic.evaluate import evaluate
from holdtrue.logic.formula import And, Formula, Not, Or
from holdtrue.solving.result import Different, Equivalent, Inconsistent, Unknown
from tests.solving.brute import VARIABLES, A, B, assignments, possible
from tests.solving.explain.drawn import formulas

NO_TIME = Budget(timeout_s=0.0)


def same(one: Formula, other: Formula) -> bool:
    return isinstance(same_meaning(one, other), Equivalent)


@settings(deadline=None, max_examples=80)
@given(formulas(), formulas())
def test_it_is_what_all_assignments_say(one: Formula, other: Formula) -> None:
    every = list(assignments(VARIABLES))
    assert same(one, other) is all(evaluate(one, values) is evaluate(other, values) for values in every)
    entailed = all(evaluate(other, values) for values in every if evaluate(one, values))
    assert strengthens(one, other) is (entailed and possible(VARIABLES, [one]))


@settings(deadline=None, max_examples=60)
@given(formulas(), formulas(), formulas())
def test_it_is_an_equivalence_relation(one: Formula, other: Formula, third: Formula) -> None:
    assert same(one, one)
    assert same(one, other) is same(other, one)
    links = [same(one, other), same(other, third), same(one, third)]
    assert sum(links) != 2


@settings(deadline=None, max_examples=40)
@given(formulas(), formulas())
def test_it_does_not_see_how_a_formula_is_written(one: Formula, other: Formula) -> None:
    assert same(And((one, other)), And((other, one)))
    assert same(Not(Or((one, other))), And((Not(other), Not(one))))
    assert same(one.implies(other), Or((other, Not(one))))


@settings(deadline=None, max_examples=60)
@given(formulas(), formulas())
def test_what_is_added_strengthens_and_the_stronger_one_entails(one: Formula, other: Formula) -> None:
    both = And((one, other))
    assert strengthens(both, one) is possible(VARIABLES, [both])
    assert strengthens(one, Or((one, other))) is possible(VARIABLES, [one])
    if strengthens(one, other) and strengthens(other, one):
        assert same(one, other)


def test_laws_can_make_formulas_the_same() -> None:
    assert isinstance(same_meaning(A.eq(2), A >= 2), Different)
    assert same_meaning(A.eq(2), A >= 2, laws=[A.ne(3)]) == Equivalent()
    assert same_meaning(A.eq(2), A >= 2, laws=[B.ne(B)]) == Inconsistent()
    assert strengthens(A >= 2, A.eq(2)) is False
    assert strengthens(A >= 2, A.eq(2), laws=[A.ne(3)]) is True


def test_out_of_time_nothing_is_said() -> None:
    assert isinstance(same_meaning(A >= 2, A > 1, NO_TIME), Unknown)
    assert strengthens(A >= 2, A > 0, NO_TIME) is None
