from __future__ import annotations

from pathlib import Path

import pytest

from holdtrue.errors import SettingsError
from holdtrue.record import Label
from holdtrue_lab.suites.cross_query.card import share_out
from holdtrue_lab.suites.cross_query.families import SUBDOMAINS
from holdtrue_lab.suites.cross_query.files import write_benchmark
from holdtrue_lab.suites.cross_query.generate import generate
from holdtrue_lab.suites.cross_query.validate import validate
from tests.lab.suites.cross_query.toy import TOY

ROW = {"row": TOY}


def test_the_same_seed_gives_the_same_cases() -> None:
    made = generate(7, {"relational": 12}, subdomains=ROW)
    assert generate(7, {"relational": 12}, subdomains=ROW) == made
    assert generate(8, {"relational": 12}, subdomains=ROW) != made
    assert [case.id for case in made[:2]] == ["relational_row_0000", "relational_row_0001"]


@pytest.mark.parametrize("counts", [{"cooking": 1}, {"temporal": 1}, {"relational": -1}])
def test_domains_that_are_not_there_are_refused(counts: dict[str, int]) -> None:
    with pytest.raises(SettingsError, match="there are relational, temporal"):
        generate(7, counts, subdomains=ROW)


@pytest.mark.slow
def test_every_subdomain_gives_cases() -> None:
    made = generate(11, share_out(39))
    assert {case.subdomain for case in made} == set(SUBDOMAINS)
    assert all(query.formula is not None and query.reasoning for case in made for query in case.queries)


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
