from __future__ import annotations

import pytest
from hypothesis import given, settings

from holdtrue.budget import UNLIMITED, Budget
from holdtrue.errors import FormulaError
from holdtrue.logic.evaluate import evaluate
from holdtrue.logic.formula import AllDifferent, Formula, Variable
from holdtrue.logic.sorts import IntSort
from holdtrue.record import Label
from holdtrue.solving.engine import Engine
from holdtrue.solving.explain.classification import classify, equivalent, label_of
from holdtrue.solving.result import (
    Different,
    Entailed,
    Equivalent,
    Inconsistent,
    Independent,
    Refuted,
    Satisfiable,
    Unknown,
)
from holdtrue.solving.route import make_engine
from holdtrue.solving.sat_engine import SatEngine
from holdtrue.solving.z3_engine import Z3Engine
from tests.solving.brute import AMPLE, VARIABLES, A, B, C, witnesses
from tests.solving.explain.drawn import formulas, theories
from tests.solving.explain.tiring import Tiring

BACKGROUND = (AllDifferent((A, B, C)),)
SAT, Z3 = SatEngine(VARIABLES, BACKGROUND), Z3Engine(VARIABLES, BACKGROUND)

Verdict = Entailed | Refuted | Independent | Inconsistent | Unknown


@pytest.mark.parametrize(("engine", "examples"), [(SAT, 120), (Z3, 30)], ids=["sat", "z3"])
def test_it_says_what_all_witnesses_say(engine: Engine, examples: int) -> None:
    @settings(deadline=None, max_examples=examples)
    @given(theories(most=3), formulas())
    def law(soft: dict[str, Formula], query: Formula) -> None:
        every = witnesses(VARIABLES, (*BACKGROUND, *soft.values()))
        truths = {evaluate(query, values) for values in every}
        kinds: dict[frozenset[bool], type[Verdict]] = {
            frozenset(): Inconsistent,
            frozenset({True}): Entailed,
            frozenset({False}): Refuted,
            frozenset({True, False}): Independent,
        }
        results = [classify(engine, soft, query, AMPLE)]
        results += [classify(engine, soft, query, AMPLE, witness=every[place]) for place in (0, -1) if every]
        for result in results:
            assert type(result) is kinds[frozenset(truths)]
            if isinstance(result, Independent):
                assert result.holds in every
                assert result.fails in every
                assert evaluate(query, result.holds)
                assert not evaluate(query, result.fails)

    law()


def test_with_a_known_witness_one_question_is_enough() -> None:
    soft, witness = {"high": A >= 2}, {"a": 2, "b": 0, "c": 1, "d": 4, "e": 2}
    for query, verdict in [(A >= 1, Entailed), (A <= 1, Refuted), (A.eq(3), Independent), (A.ne(3), Independent)]:
        engine = Tiring(SAT, 1)
        assert isinstance(classify(engine, soft, query, AMPLE, witness=witness), verdict)


def test_out_of_time_nothing_is_said() -> None:
    for query in (A >= 1, A <= 1, A.eq(3)):
        for answers in range(2):
            assert classify(Tiring(SAT, answers), {"high": A >= 2}, query, AMPLE) == Unknown("tired")


def test_a_query_about_a_variable_of_another_theory_is_refused() -> None:
    with pytest.raises(FormulaError, match="no variable 'z'"):
        classify(SAT, {}, Variable("z", IntSort(0, 3)) >= 1, AMPLE)


X = Variable("x", IntSort(1, 3))


def test_the_label_is_what_the_theory_says() -> None:
    engine = make_engine((X,))
    premises = {"P1": X >= 2}
    first = engine.decide(premises, UNLIMITED)
    assert isinstance(first, Satisfiable)
    wanted = {X > 1: Label.ENTAILED, X.eq(1): Label.CONTRADICTED, X.eq(2): Label.UNKNOWN}
    for query, label in wanted.items():
        assert label_of(engine, premises, query, UNLIMITED) is label
        assert label_of(engine, premises, query, Budget(), witness=first.witness) is label


def test_what_cannot_hold_says_nothing() -> None:
    assert label_of(make_engine((X,)), {"P1": X > 3}, X.eq(1), UNLIMITED) == Inconsistent()


SAT, Z3 = SatEngine(VARIABLES, BACKGROUND), Z3Engine(VARIABLES, BACKGROUND)


@pytest.mark.parametrize(("engine", "examples"), [(SAT, 100), (Z3, 25)], ids=["sat", "z3"])
def test_two_formulas_are_what_all_witnesses_say(engine: Engine, examples: int) -> None:
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


def test_out_of_time_nothing_is_said_of_two_formulas() -> None:
    for answers in range(3):
        assert equivalent(Tiring(SAT, answers), A >= 2, A > 1, AMPLE) == Unknown("tired")
    assert equivalent(Tiring(SAT, 3), A >= 2, A > 1, AMPLE) == Equivalent()
