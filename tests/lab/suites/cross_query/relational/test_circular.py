"""The five-seat example of the benchmark's card: its worlds are counted seat by seat."""

from __future__ import annotations

from itertools import combinations

from holdtrue.budget import Budget
from holdtrue.solving.explain.classification import classify
from holdtrue.solving.explain.possible_values import count_witnesses
from holdtrue.solving.result import Entailed, Independent, Refuted
from holdtrue.solving.route import make_engine
from holdtrue_lab.suites.cross_query.families.relational import CIRCULAR

AMPLE = Budget(30)
TABLE = CIRCULAR.declaration.instance(["Alice", "Bob", "Charlie", "Diana", "Eve"])
PREMISES = {
    "P1": TABLE.formula(TABLE.constraint("adjacent", ["Alice", "Bob"])),
    "P2": TABLE.formula(TABLE.constraint("not_adjacent", ["Charlie", "Diana"])),
}
ENGINE = make_engine(list(TABLE.variables.values()), TABLE.background)


def test_the_example_has_twenty_models() -> None:
    found = count_witnesses(ENGINE, PREMISES, AMPLE)
    assert (found.count, found.exact) == (20, True)


def test_which_pairs_are_neighbours() -> None:
    labels: dict[type, set[str]] = {Entailed: set(), Refuted: set(), Independent: set()}
    for one, other in combinations(TABLE.entities, 2):
        query = TABLE.formula(TABLE.constraint("adjacent", [one, other]))
        labels[type(classify(ENGINE, PREMISES, query, AMPLE))].add(one[0] + other[0])
    assert labels == {
        Entailed: {"AB", "CE", "DE"},
        Refuted: {"AE", "BE", "CD"},
        Independent: {"AC", "AD", "BC", "BD"},
    }


def test_charlie_may_have_any_seat() -> None:
    for seat in range(1, 6):
        query = TABLE.formula(TABLE.constraint("at_seat", ["Charlie", seat]))
        assert isinstance(classify(ENGINE, PREMISES, query, AMPLE), Independent)
