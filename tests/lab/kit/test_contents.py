from __future__ import annotations

import re
from pathlib import Path

import pytest

from holdtrue_lab.figures.table import SOFT_HYPHEN, Table
from holdtrue_lab.kinds.assignment.report import Report
from holdtrue_lab.kinds.assignment.reporting import CONTENTS
from holdtrue_lab.kit.report import all_tables, sections, short_tables
from tests.lab.conftest import read_report
from tests.lab.kinds.assignment.test_report import write

# What says over how many turns the rates of a table are.
COVERAGE = ("decided", "scored", "turns", "problems", "right", "answers", "wrong in A")


def titles(table: Table) -> list[str]:
    return [column.title.replace(SOFT_HYPHEN, "") for column in table.columns]


@pytest.fixture(scope="module")
def tables(report: Report) -> list[Table]:
    return all_tables(report)


def test_every_table_is_there_once_and_whole(report: Report, tables: list[Table]) -> None:
    names = [table.name for table in tables]
    assert len(set(names)) == len(names)
    assert all(re.fullmatch("[a-z_]+", name) for name in names)
    makers = [make for _, made in CONTENTS.sections for make in made]
    assert len(makers) == len(set(makers)) and set(CONTENTS.short) <= set(makers)
    # Nothing was truncated in these runs, and yet there is a row that says so.
    # That of retries is there for every kind of answer, where a run has any; no conversation is ten turns long.
    assert {make.name for make in makers} == ({*names, "retention"} - {"retries"})
    assert [table for _, each in sections(report) for table in each] == tables
    for table in tables:
        assert table.title and table.note and table.lines
        assert all(len(line) == len(table.columns) for line in table.lines)
        assert all(cell for line in table.lines for cell in line)


def test_every_table_with_rates_says_over_how_many_turns(tables: list[Table]) -> None:
    for table in tables:
        assert set(titles(table)) & set(COVERAGE), table.name


def test_drift_is_never_shown_without_accuracy_and_ledger_gap(tables: list[Table]) -> None:
    showing = [titles(table) for table in tables if any(re.search(r"\bdrift\b", title) for title in titles(table))]
    assert len(showing) == 4
    for columns in showing:
        assert "accuracy %" in columns
        assert any(column.startswith("ledger gap") for column in columns)


def test_models_stand_on_every_line_with_their_method(report: Report, tables: list[Table]) -> None:
    labels = {group.label for group in report.groups}
    methods = {row.arm.method for group in report.groups for row in group.whole}
    for table in tables:
        columns = titles(table)
        if table.name == "structure":
            continue
        for line in table.lines:
            named = dict(zip(columns, line, strict=True))
            assert {value for name, value in named.items() if name.startswith("model")} <= labels
            assert {value for name, value in named.items() if name.startswith("method")} <= methods
        assert any(name.startswith("model") for name in columns)
        assert any(name.startswith("method") for name in columns)


def test_tables_without_a_line_are_left_out(tmp_path: Path) -> None:
    report = read_report([write(tmp_path)])
    names = {table.name for table in all_tables(report)}
    assert not names & {"summary", "paired_tests", "overlap_of_models", "overlap_of_methods", "after_retry"}
    assert names >= {"accuracy", "channels", "structure"}
    assert {table.name for table in short_tables(report)} <= names
