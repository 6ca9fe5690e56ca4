"""One door for all that formulas are written with."""

from __future__ import annotations

from holdtrue.logic import connectives, formula, operations, quantifiers, terms
from holdtrue.logic.connectives import Formula
from holdtrue.logic.terms import Term


def test_every_kind_of_formula_and_term_comes_through_the_door() -> None:
    for room in (connectives, operations, terms):
        found = [kind for name, kind in vars(room).items() if isinstance(kind, type) and not name.startswith("_")]
        kinds = [kind for kind in found if issubclass(kind, Formula | Term)]
        assert {kind.__name__ for kind in kinds} <= set(formula.__all__)
    assert {"at_most", "at_least", "exactly", "ite", "for_all", "exists"} <= set(formula.__all__)


def test_nothing_is_another_thing_behind_the_door() -> None:
    for name in formula.__all__:
        homes = [room for room in (connectives, operations, quantifiers, terms) if hasattr(room, name)]
        assert homes
        assert all(getattr(room, name) is getattr(formula, name) for room in homes)
