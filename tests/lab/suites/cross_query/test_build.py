from __future__ import annotations

from collections import Counter
from itertools import combinations, product
from random import Random

import pytest

from holdtrue.budget import UNLIMITED
from holdtrue.errors import SettingsError
from holdtrue.kinds.labels.case import Case
from holdtrue.logic.formula import AllDifferent, Formula, Variable
from holdtrue.logic.sorts import IntSort
from holdtrue.record import Label
from holdtrue.solving.explain.classification import label_of
from holdtrue.solving.explain.mus import all_mus
from holdtrue.solving.result import AllMuses
from holdtrue.solving.route import make_engine
from holdtrue_lab.suites.cross_query.build import build_case
from holdtrue_lab.suites.cross_query.conflicts import interact, literals
from tests.lab.suites.cross_query.toy import TOY, allowed, possible, worlds

E, C, U = Label.ENTAILED, Label.CONTRADICTED, Label.UNKNOWN
WANTED = {E: 1, C: 2, U: 3}


@pytest.fixture(scope="module")
def cases() -> list[Case]:
    return [build_case(Random(seed), TOY, WANTED, f"toy_{seed}") for seed in range(12)]


def test_labels_are_true_of_every_world_that_the_premises_allow(cases: list[Case]) -> None:
    for case in cases:
        left = allowed(case)
        assert left
        for query in case.queries:
            assert query.formula is not None
            truths = {query.formula.holds(world) for world in left}
            assert query.label is (U if len(truths) > 1 else E if True in truths else C)


def test_nothing_that_is_asked_follows_from_the_setting_alone(cases: list[Case]) -> None:
    for case in cases:
        every = worlds(case)
        for query in case.queries:
            assert query.formula is not None
            assert possible(every, [query.formula]) and possible(every, [query.formula.negation])


def test_reasoning_names_premises_that_are_enough_and_all_needed(cases: list[Case]) -> None:
    for case in cases:
        every = worlds(case)
        for query in case.queries:
            assert query.formula is not None
            named = [
                premise
                for place, premise in enumerate(case.premises, 1)
                if f" {place} ({premise.text.rstrip('.')})" in query.reasoning
            ]
            if query.label is U:
                assert query.reasoning.startswith("The premises allow both: ")
                continue
            beginning = "It follows from premise" if query.label is E else "It clashes with premise"
            assert query.reasoning.startswith(beginning)
            refuted = query.formula.negation if query.label is E else query.formula
            conflict = [refuted, *(premise.formula for premise in named if premise.formula is not None)]
            assert len(conflict) > 1 and not possible(every, conflict)
            for left_out in conflict:
                assert possible(every, [formula for formula in conflict if formula is not left_out])


def test_other_labels_fill_up_what_is_not_there() -> None:
    # With six of eight entailed: no draft of so few people gives that.
    case = build_case(Random(1), TOY, {E: 6, C: 1, U: 1}, "toy")
    assert len(case.queries) == 8
    assert Counter(query.label for query in case.queries).most_common(1)[0][1] <= 6


def test_what_no_draft_can_give_is_an_error() -> None:
    with pytest.raises(SettingsError, match="row: none of 100 drafts gives a bundle like 0 ENTAILED, 0 CONTRADICTED"):
        build_case(Random(1), TOY, {E: 0, C: 0, U: 5}, "toy")


A, B, D = (Variable(name, IntSort(1, 3)) for name in "abd")
LAWS = (AllDifferent((A, B, D)),)
ATOMS: list[Formula] = [
    *(variable.eq(value) for variable in (A, B, D) for value in (1, 2, 3)),
    *(x < y for x, y in combinations((A, B, D), 2)),
    *(abs(x - y).eq(1) for x, y in combinations((A, B, D), 2)),
]


def _label(premises: dict[str, Formula], statement: Formula) -> Label | None:
    found = label_of(make_engine((A, B, D), LAWS), premises, statement, UNLIMITED)
    return found if isinstance(found, Label) else None


def _by_all_mus(premises: dict[str, Formula], one: Formula, other: Formula) -> bool:
    """Return whether two queries interact by the definition, over all four pairs of literals."""
    for a, b in product((one, one.negation), (other, other.negation)):
        found = all_mus(make_engine((A, B, D), LAWS), {**premises, "a": a, "b": b}, UNLIMITED)
        if isinstance(found, AllMuses) and any({"a", "b"} <= set(mus) for mus in found.muses):
            return True
    return False


def test_interaction_is_a_shared_mus() -> None:
    rng, seen = Random(3), {True: 0, False: 0}
    for _ in range(120):
        drawn = rng.sample(ATOMS, 5)
        stated = [atom if rng.random() < 0.5 else atom.negation for atom in drawn[:3]]
        premises = {f"P{place}": formula for place, formula in enumerate(stated)}
        one, other = drawn[3:]
        labels = _label(premises, one), _label(premises, other)
        if labels[0] is None or labels[1] is None:
            continue
        engine = make_engine((A, B, D), LAWS)
        first, second = literals(engine, premises, one, labels[0]), literals(engine, premises, other, labels[1])
        assert first is not None and second is not None
        expected = _by_all_mus(premises, one, other)
        assert interact(engine, premises, first, second) is expected
        assert interact(engine, premises, second, first) is expected
        seen[expected] += 1
    assert min(seen.values()) > 5


@pytest.mark.parametrize(
    ("value", "label", "conflict"), [(1, Label.ENTAILED, ("P1",)), (2, Label.CONTRADICTED, ("P1",))]
)
def test_the_false_literal_knows_its_smallest_conflict(value: int, label: Label, conflict: tuple[str, ...]) -> None:
    premises: dict[str, Formula] = {"P0": B.ne(1), "P1": A.eq(1), "P2": D.ne(1)}
    both = literals(make_engine((A, B, D), LAWS), premises, A.eq(value), label)
    assert both is not None
    true, false = both
    assert true.formula.holds({"a": 1, "b": 2, "d": 3}) and not false.formula.holds({"a": 1, "b": 2, "d": 3})
    assert (true.conflict, false.conflict) == ((), conflict)
    if label is Label.ENTAILED:
        # B and D are not in seat 1, so A is. Without A's premise, another one has to go.
        assert set(false.rooms) == {frozenset({"P0"}), frozenset({"P2"})}
