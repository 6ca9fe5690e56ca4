from __future__ import annotations

from collections.abc import Mapping

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdtrue.budget import Budget
from holdtrue.errors import InputError
from holdtrue.logic.evaluate import evaluate
from holdtrue.logic.formula import Formula, Variable
from holdtrue.logic.sorts import IntSort
from holdtrue.solving.result import BackgroundConflict, Mcs, MinimumMcs, Satisfiable, Unknown
from holdtrue.solving.sat_engine import SatEngine
from holdtrue_claims.kind.context import InconsistentContext, check_ids, correct
from tests.claims.kind.bounded_numbers import IMPOSSIBLE, WORDS, context, values, words
from tests.solving.brute import AMPLE, VARIABLES, A, B, is_mus, possible
from tests.solving.explain.drawn import theories
from tests.solving.explain.naive import Theory
from tests.solving.explain.tiring import Tiring

CLASH: Mapping[str, Formula] = {"p1": B >= 0, "p2": A >= 2, "p3": A <= 1, "p4": A <= 0}


@settings(deadline=None, max_examples=60)
@given(theories())
def test_premises_hold_together_or_clash_with_a_smallest_conflict(premises: dict[str, Formula]) -> None:
    status = context(premises).status
    if possible(VARIABLES, premises.values()):
        assert isinstance(status, Satisfiable)
        assert all(evaluate(formula, values(status.witness)) for formula in premises.values())
    else:
        assert isinstance(status, InconsistentContext)
        assert status.minimal
        assert is_mus(VARIABLES, (), premises, status.premises)
        assert len(status.premises) == len(Theory(VARIABLES, (), premises).muses()[0])


@settings(deadline=None, max_examples=40)
@given(theories())
def test_a_correction_makes_the_premises_possible(premises: dict[str, Formula]) -> None:
    least = context(premises).correction()
    assert isinstance(least, MinimumMcs)
    assert all(evaluate(premises[id], values(least.witness)) for id in least.kept)
    assert least.set_aside in Theory(VARIABLES, (), premises).mcses()


def test_laws_that_are_impossible_name_no_premise() -> None:
    assert context(CLASH, IMPOSSIBLE).status == InconsistentContext((), True)


def test_laws_count_and_are_not_named() -> None:
    premises = {"p1": A >= 2, "p2": B >= 1}
    assert isinstance(context(premises).status, Satisfiable)
    assert context(premises, words([Variable("a", IntSort(0, 1)), B])).status == InconsistentContext(("p1",), True)


def test_out_of_time_nothing_is_said_about_the_premises() -> None:
    assert isinstance(context(CLASH, answers=0).status, Unknown)
    assert isinstance(context(CLASH, WORDS, Budget(timeout_s=0.0)).status, Unknown)


@pytest.mark.parametrize("answers", [1, 2])
def test_a_clash_that_was_proved_stays_one_where_time_ran_out_for_its_conflict(answers: int) -> None:
    status = context(CLASH, answers=answers).status
    assert isinstance(status, InconsistentContext)
    assert not status.minimal
    assert not possible(VARIABLES, [CLASH[id] for id in status.premises])


def test_the_status_is_asked_once() -> None:
    asked = context(CLASH, answers=1)
    assert asked.status is asked.status


def test_names_are_unique_and_none_is_the_engines() -> None:
    check_ids({"a": 1}, {"b": 2})
    with pytest.raises(InputError, match="'a'"):
        check_ids({"a": 1}, {"a": 2})
    with pytest.raises(InputError, match="'=b'"):
        context({"=b": A >= 2})


SAT = SatEngine(VARIABLES)
CONFIDENCE = st.dictionaries(
    st.sampled_from([f"c{number}" for number in range(1, 7)]), st.sampled_from([0.2, 0.5, 0.9])
)


def algorithm_1(soft: dict[str, Formula], confidence: dict[str, float]) -> tuple[str, ...]:
    """Return the claims that the published loop sets aside: it goes by confidence, and keeps each claim that fits."""
    kept: list[str] = []
    for id in sorted(soft, key=lambda id: confidence.get(id, 0.0), reverse=True):
        if possible(VARIABLES, [soft[other] for other in (*kept, id)]):
            kept.append(id)
    return tuple(id for id in soft if id not in kept)


@settings(deadline=None, max_examples=60)
@given(theories(), CONFIDENCE)
def test_the_greedy_correction_is_the_published_one_and_nothing_of_it_can_be_spared(
    soft: dict[str, Formula], confidence: dict[str, float]
) -> None:
    found = correct(SAT, soft, confidence, AMPLE)
    assert type(found) is Mcs
    assert found.set_aside == algorithm_1(soft, confidence)
    assert found.set_aside in Theory(VARIABLES, (), soft).mcses()
    assert all(evaluate(soft[id], found.witness) for id in found.kept)


@settings(deadline=None, max_examples=40)
@given(theories(), CONFIDENCE)
def test_the_minimum_correction_is_a_smallest_one(soft: dict[str, Formula], confidence: dict[str, float]) -> None:
    found = correct(SAT, soft, confidence, AMPLE, minimum=True)
    assert isinstance(found, MinimumMcs)
    assert found.cost == len(found.set_aside) == len(Theory(VARIABLES, (), soft).mcses()[0])
    assert all(evaluate(soft[id], found.witness) for id in found.kept)


def test_out_of_time_there_is_none() -> None:
    assert isinstance(correct(Tiring(SAT, 0), {"high": A >= 2}, {}, AMPLE), Unknown)


def test_where_the_background_is_impossible_there_is_none() -> None:
    assert isinstance(correct(SatEngine(VARIABLES, [A.eq(9)]), {"high": A >= 2}, {}, AMPLE), BackgroundConflict)
