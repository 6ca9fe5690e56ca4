from __future__ import annotations

from itertools import product

from holdtrue.kinds.labels.case import Case
from holdtrue.record import Label
from holdtrue_lab.kinds.labels.simulation import LabelWorld
from tests.lab.kinds.assignment.simulation.lamps import LAMPS, commitment, possible

E, C, U = Label.ENTAILED, Label.CONTRADICTED, Label.UNKNOWN


def tried(case: Case, place: int, earlier: int, label: Label) -> list[Label]:
    """The labels that clash with one earlier answer, by trying every world."""
    held = commitment(case, earlier, label)
    if not possible(case, held):
        return []
    options = [option for option in (E, C) if not possible(case, held, commitment(case, place, option))]
    return [option for option in options if possible(case, commitment(case, place, option))] or options


def test_clashing_labels_are_those_that_no_world_allows() -> None:
    found = 0
    for case in LAMPS[:25]:
        world = LabelWorld(case)
        for place, earlier in product(range(len(case.queries)), repeat=2):
            ids = case.queries[place].id, case.queries[earlier].id
            for label in (E, C):
                options = world.clashing(ids[0], [(ids[1], label), (ids[1], label)])
                assert options == tried(case, place, earlier, label)
                found += bool(options)
            assert world.clashing(ids[0], [(ids[1], U)]) == []
    assert found > 500
