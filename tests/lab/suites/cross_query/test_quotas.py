from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from holdtrue.lab.suites.cross_query.card import CARD, SIZES, is_balanced
from holdtrue.lab.suites.cross_query.quotas import Quotas
from holdtrue.record import Label


@pytest.mark.parametrize("domain", CARD)
@pytest.mark.parametrize("seed", range(5))
def test_a_domain_comes_out_as_on_the_card(domain: str, seed: int) -> None:
    row, given, sizes = CARD[domain], Counter[Label](), set[int]()
    quotas = Quotas(row)
    for index in range(row.cases):
        wanted = quotas.next_counts(Random(f"{seed}/{index}"))
        labels = [label for label, count in wanted.items() for _ in range(count)]
        assert SIZES[0] <= len(labels) <= SIZES[1]
        assert is_balanced(labels)
        sizes.add(len(labels))
        given.update(labels)
        quotas.note(labels)
    assert given.total() == row.queries
    assert sizes == {5, 6, 7, 8}
    for label, share in row.labels.items():
        assert given[label] / row.queries == pytest.approx(share, abs=0.01)


def test_what_one_bundle_lacks_the_next_ones_make_up_for() -> None:
    row, given = CARD["relational"], Counter[Label]()
    quotas = Quotas(row)
    for index in range(row.cases):
        wanted = quotas.next_counts(Random(index))
        if index % 3 == 0:  # a kind of case that never entails anything
            wanted[Label.UNKNOWN] += wanted[Label.ENTAILED]
            wanted[Label.ENTAILED] = 0
        labels = [label for label, count in wanted.items() for _ in range(count)]
        given.update(labels)
        quotas.note(labels)
    for label, share in row.labels.items():
        assert given[label] / row.queries == pytest.approx(share, abs=0.02)
