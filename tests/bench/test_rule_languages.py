"""The rules of the airline in three languages; the page states the findings of their trial."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache

import pytest

from bench.policies.airline_calls import BOOK, CALLS, CASES, Case
from bench.policies.airline_cedar import DIRECT, MOST, NEAREST, WRITTEN_OUT
from bench.policies.airline_rules import IN_EXAMPLE, KINDS, NO_CALL, RULES, airline, left_out
from bench.policies.deciders import by_cedar
from bench.rule_languages import BEGIN, END, PAGE, Row, cel_texts, rows, tables
from tests.data import DATA

pytest.importorskip("cedarpy", reason="cedarpy is not installed, which only measures")

LIST = DATA / "tau_airline" / "rules.json"


@cache
def tried() -> Sequence[Row]:
    return rows()


def test_the_page_has_the_tables_that_trying_gives() -> None:
    _, _, rest = PAGE.read_text(encoding="utf-8").partition(BEGIN)
    shown, end, _ = rest.partition(END)
    assert end, "the page marks where its tables begin and end"
    assert shown.strip() == tables(tried()).strip(), "python -m bench.rule_languages --write puts them into the page"


def test_the_page_of_the_docs_repeats_these_tables() -> None:
    page = (PAGE.parents[1] / "docs" / "policy-languages.md").read_text(encoding="utf-8")
    compared = page.partition("## Work of the app")[0]
    shown = [line for line in compared.splitlines() if line.startswith(("| Cedar", "| CEL", "| holdtrue"))]
    assert len(shown) == 7 and set(shown) <= set(PAGE.read_text(encoding="utf-8").splitlines())


def test_every_rule_is_tried_or_there_is_a_reason_why_not() -> None:
    assert {row.id for row in tried()} == CASES.keys() == RULES.keys() - NO_CALL.keys() == cel_texts().keys()
    assert DIRECT.keys() | WRITTEN_OUT.keys() == CASES.keys()
    assert DIRECT.keys().isdisjoint(WRITTEN_OUT) and WRITTEN_OUT.keys() == NEAREST.keys()


def test_what_the_example_leaves_out_is_told_apart_from_what_it_has() -> None:
    ids = {rule.id for rule in airline().rules}
    assert {IN_EXAMPLE.get(id, id) for id in CASES} - ids == {"G1"}, "a yes is no rule, and tools ask for it"
    assert [row.id for row in tried() if row.holdtrue == "yes, left out"] == left_out()


@pytest.mark.skipif(not LIST.is_file(), reason="the list of rules is not beside the repository")
def test_the_rules_are_those_of_the_projects_list() -> None:
    listed = json.loads(LIST.read_text(encoding="utf-8"))
    assert [(rule["id"], KINDS[rule["kind"]]) for rule in listed] == [(id, kind) for id, (kind, _) in RULES.items()]


@pytest.mark.parametrize("count", [1, MOST, MOST + 1])
def test_what_is_written_out_denies_longer_lists(count: int) -> None:
    flights = [CALLS[BOOK]["flights"][0]] * count
    assert by_cedar(WRITTEN_OUT["D1"], Case(BOOK, {"flights": flights})).kind == ("allow" if count <= MOST else "deny")
