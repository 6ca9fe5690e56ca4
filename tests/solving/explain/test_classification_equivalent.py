from __future__ import annotations

import pytest
from hypothesis import given, settings

from holdtrue.logic.evaluate import evaluate
from holdtrue.logic.formula import AllDifferent, Formula, Not
from holdtrue.solving.engine import Engine
from holdtrue.solving.explain.classification import equivalent
from holdtrue.solving.result import Different, Equivalent, Inconsistent, Unknown
from holdtrue.solving.sat_engine import SatEngine
from holdtrue.solving.z3_engine import Z3Engine
from tests.solving.brute import AMPLE, VARIABLES, A, B, C, witnesses
from tests.solving.explain.drawn import formulas, theories
from tests.solving.explain.tiring import Tiring

BACKGROUND = (AllDifferent((A, B, C)),)
SAT, Z3 = SatEngine(VARIABLES, BACKGROUND), Z3Engine(VARIABLES, BACKGROUND)


@pytest.mark.parametrize(("engine", "examples"), [(SAT, 100), (Z3, 25)], ids=["sat", "z3"])
def test_it_says_what_all_witnesses_say(engine: Engine, examples: int) -> None:
    @settings(deadline=None, max_examples=examples)
    @given(theories(most=2), formulas(), formulas())
    def law(soft: dict[str, Formula], one: Formula, other: Formula) -> None:
        every = witnesses(VARIABLES, (*BACKGROUND, *soft.values()))
        result = equivalent(engine, one, other, AMPLE, soft=soft)
        if not every:
            assert result == Inconsistent()
        elif all(evaluate(one, values) is evaluate(other, values) for values in every):
            assert result == Equivalent()
        else:
            assert isinstance(result, Different)
            assert result.witness in every
            assert evaluate(one, result.witness) is result.first
            assert evaluate(other, result.witness) is not result.first

    law()


@settings(deadline=None, max_examples=30)
@given(formulas())
def test_a_formula_is_its_own_double_negation_and_never_its_negation(one: Formula) -> None:
    assert equivalent(SAT, one, Not(Not(one)), AMPLE) == Equivalent()
    assert isinstance(equivalent(SAT, one, Not(one), AMPLE), Different)


def test_what_is_agreed_can_make_two_formulas_the_same() -> None:
    one, other = A.eq(2), A >= 2
    assert isinstance(equivalent(SAT, one, other, AMPLE), Different)
    assert equivalent(SAT, one, other, AMPLE, soft={"not three": A.ne(3)}) == Equivalent()
    assert equivalent(SAT, one, other, AMPLE, soft={"never": A.ne(A)}) == Inconsistent()


def test_out_of_time_nothing_is_said() -> None:
    for answers in range(3):
        assert equivalent(Tiring(SAT, answers), A >= 2, A > 1, AMPLE) == Unknown("tired")
    assert equivalent(Tiring(SAT, 3), A >= 2, A > 1, AMPLE) == Equivalent()
