from __future__ import annotations

import pytest
from hypothesis import given, settings

from holdtrue.errors import FormulaError
from holdtrue.logic.evaluate import evaluate
from holdtrue.logic.formula import Formula, Variable
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
    Unknown,
)
from tests.solving.brute import AMPLE, VARIABLES, A, witnesses
from tests.solving.explain.drawn import BACKGROUND, SAT, both, formulas, theories
from tests.solving.explain.tiring import Tiring

Verdict = Entailed | Refuted | Independent | Inconsistent | Unknown


@both(120, 30)
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
            labels = {Entailed: Label.ENTAILED, Refuted: Label.CONTRADICTED, Independent: Label.UNKNOWN}
            assert label_of(engine, soft, query, AMPLE) == labels.get(type(result), result)
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


@both(100, 25)
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
