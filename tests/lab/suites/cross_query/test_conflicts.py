from __future__ import annotations

from itertools import combinations, product
from random import Random

import pytest

from holdtrue.budget import UNLIMITED
from holdtrue.logic.formula import AllDifferent, Formula, Variable
from holdtrue.logic.sorts import IntSort
from holdtrue.record import Label
from holdtrue.solving.explain.classification import label_of
from holdtrue.solving.explain.mus import all_mus
from holdtrue.solving.result import AllMuses
from holdtrue.solving.route import make_engine
from holdtrue_lab.suites.cross_query.conflicts import interact, literals

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
    """The definition itself, over all four pairs of literals."""
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
        # B and D are not in seat 1, so that A is: without its own premise one more has to go.
        assert set(false.rooms) == {frozenset({"P0"}), frozenset({"P2"})}
