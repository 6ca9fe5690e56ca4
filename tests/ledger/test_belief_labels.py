"""A statement has the label of the last answer, and the one that rules and beliefs entail."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from holdtrue.budget import Budget
from holdtrue.ledger.belief_revision import expand, revise
from holdtrue.ledger.beliefs import BeliefBase, committed_label, entailed_label
from holdtrue.record import Label
from holdtrue.solving.result import Inconsistent, Unknown
from tests.ledger.horn import BUDGET, Clause, Horn, atoms, believe

A, B, C = atoms(3)
WORLD = Horn((A, B, C), (Clause((0,), 1),))


def test_the_last_commitment_counts_and_entailment_says_more() -> None:
    base = BeliefBase(WORLD.known())
    revise(base, [believe("q1", A, True, 1)], "greedy", BUDGET)
    assert committed_label(base, A.eq(1)) is Label.ENTAILED
    assert committed_label(base, A.eq(0)) is Label.CONTRADICTED
    assert committed_label(base, B.eq(1)) is Label.UNKNOWN
    assert entailed_label(base, B.eq(1), BUDGET) is Label.ENTAILED
    assert entailed_label(base, B.eq(1).negation, BUDGET) is Label.CONTRADICTED
    assert entailed_label(base, C.eq(1), BUDGET) is Label.UNKNOWN


def test_of_two_that_exclude_each_other_the_later_counts_and_nothing_follows() -> None:
    base = BeliefBase(WORLD.known())
    expand(base, [believe("q1", C, False, 1)])
    expand(base, [believe("q2", C, True, 2)])
    assert committed_label(base, C.eq(1)) is Label.ENTAILED
    assert committed_label(base, C.eq(0)) is Label.CONTRADICTED
    assert entailed_label(base, C.eq(1), BUDGET) == Inconsistent()


def test_without_time_nothing_follows() -> None:
    base = BeliefBase(WORLD.known())
    expand(base, [believe("q1", A, True, 1)])
    assert isinstance(entailed_label(base, B.eq(1), Budget(timeout_s=0.0)), Unknown)


@given(st.lists(st.tuples(st.integers(0, 2), st.booleans()), max_size=4), st.integers(0, 2))
@settings(deadline=None, max_examples=30)
def test_entailment_is_what_all_models_say(said: list[tuple[int, bool]], asked: int) -> None:
    base = BeliefBase(WORLD.known())
    for turn, (place, true) in enumerate(said, start=1):
        revise(base, [believe(f"q{turn}", WORLD.atoms[place], true, turn)], "recency", BUDGET)
    models = [m for m in WORLD.models() if all(formula.holds(m) for formula in base.soft.values())]
    values = {model[f"a{asked}"] for model in models}
    expected = Label.UNKNOWN if len(values) > 1 else Label.ENTAILED if values == {1} else Label.CONTRADICTED
    assert entailed_label(base, WORLD.atoms[asked].eq(1), BUDGET) is expected
