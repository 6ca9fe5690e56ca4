"""The files of words: what their short forms mean."""

from __future__ import annotations

from random import Random

import pytest

from holdtrue.world.domain import Entity, Integer
from holdtrue_lab.suites.cross_query.subdomains import SUBDOMAINS
from holdtrue_lab.suites.cross_query.words import Words


def test_a_kind_is_read_with_the_meaning_that_it_negates() -> None:
    table = SUBDOMAINS["seating_circular"].declaration.instance(["Ann", "Bob", "Cy", "Dee"])
    yes, no = (table.formula(table.constraint(kind, ["Ann", "Bob"])) for kind in ("clockwise", "not_clockwise"))
    assert no == ~yes


def test_a_range_ends_where_the_instance_says() -> None:
    row = SUBDOMAINS["seating_linear"].declaration.instance(["Ann", "Bob", "Cy", "Dee"])
    one, other, steps = row.types["apart"].arguments
    assert one == other == Entity()
    assert isinstance(steps, Integer)
    assert (row.bound(steps.low), row.bound(steps.high)) == (2, 3)


def test_a_kind_without_a_meaning_is_refused() -> None:
    with pytest.raises(KeyError, match="depends"):
        Words("fault").kinds({})


@pytest.mark.parametrize("name", SUBDOMAINS)
def test_lines_are_told_each_in_one_of_its_wordings(name: str) -> None:
    words, (line, *_) = Words(name), Words(name).lines
    values = {"count": 3, "names": "x", "people": "x", "patients": "x", "suspects": "x", "components": "x"}
    assert {words.tell(Random(seed), line, **values)[0] for seed in range(40)} == {
        wording.format(**values) for wording in words.lines[line]
    }
