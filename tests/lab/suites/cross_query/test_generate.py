from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random

import pytest

from holdtrue.errors import SettingsError
from holdtrue.record import Label
from holdtrue_lab.suites.cross_query.card import CARD, CASES, SIZES, is_balanced, share_out
from holdtrue_lab.suites.cross_query.files import write_benchmark
from holdtrue_lab.suites.cross_query.generate import Quotas, generate
from holdtrue_lab.suites.cross_query.validate import validate
from tests.lab.suites.cross_query.toy import TOY


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


@pytest.mark.parametrize("counts", [{"cooking": 1}, {"temporal": 1}, {"relational": -1}])
def test_domains_that_are_not_there_are_refused(counts: dict[str, int]) -> None:
    with pytest.raises(SettingsError, match="there are relational, temporal"):
        generate(7, counts, subdomains={"row": TOY})


@pytest.mark.slow
def test_the_whole_benchmark(tmp_path: Path) -> None:
    made = generate(7)
    texts = [query.text for case in made for query in case.queries]
    labels = [query.label for case in made for query in case.queries]
    shares = {label.value: round(labels.count(label) / len(labels), 3) for label in Label}
    print(f"{len(set(texts)) / len(texts):.1%} unique; {shares}")
    write_benchmark(made, tmp_path, {})
    found = validate(tmp_path)  # counts, shares within 4 points, unique texts, splits, dependencies, all labels by z3
    assert (found.cases, found.queries, found.proved, found.problems) == (390, 2515, 2515, ())


def test_the_card_adds_up() -> None:
    assert CASES == 390
    assert sum(row.queries for row in CARD.values()) == 2515
    assert all(sum(row.labels.values()) == pytest.approx(1) for row in CARD.values())


@pytest.mark.parametrize("total", [1, 4, 13, 39, 390])
def test_cases_are_shared_out_in_the_cards_proportions(total: int) -> None:
    counts = share_out(total)
    assert sum(counts.values()) == total
    assert all(abs(counts[name] - total * row.cases / CASES) < 1 for name, row in CARD.items())
    assert total < CASES or counts == {name: row.cases for name, row in CARD.items()}


def test_there_is_at_least_one_case() -> None:
    with pytest.raises(SettingsError, match="at least 1"):
        share_out(0)
