from __future__ import annotations

import re

import pytest

from holdtrue_lab.figures.table import SOFT_HYPHEN, Table
from holdtrue_lab.kinds.assignment.report import Report
from holdtrue_lab.kit.report import all_tables

# Titles of columns that give the number of turns behind a table's rates.
COVERAGE = ("decided", "scored", "turns", "problems", "right", "answers", "wrong in A")


def titles(table: Table) -> list[str]:
    return [column.title.replace(SOFT_HYPHEN, "") for column in table.columns]


@pytest.fixture(scope="module")
def tables(report: Report) -> list[Table]:
    return all_tables(report)


def test_every_table_with_rates_says_over_how_many_turns(tables: list[Table]) -> None:
    for table in tables:
        assert set(titles(table)) & set(COVERAGE), table.name


def test_drift_is_never_shown_without_accuracy_and_ledger_gap(tables: list[Table]) -> None:
    showing = [titles(table) for table in tables if any(re.search(r"\bdrift\b", title) for title in titles(table))]
    assert len(showing) == 4
    for columns in showing:
        assert "accuracy %" in columns
        assert any(column.startswith("ledger gap") for column in columns)
