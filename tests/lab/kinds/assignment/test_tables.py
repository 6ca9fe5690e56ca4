from __future__ import annotations

from pathlib import Path

from holdtrue_lab.kinds.assignment.tables import (
    retention,
)
from holdtrue_lab.kit.report import all_tables
from tests.lab.conftest import read_report
from tests.lab.kinds.written import write_run
from tests.lab.kit.entries import turn
from tests.lab.kit.lookup import row


def test_retention_is_told_both_ways_and_of_how_many(tmp_path: Path) -> None:
    ends = {"p": True, "q": False}
    played = [turn(problem, 1, turns=10) for problem in ends]
    played += [turn(problem, 10, turns=10, correct=right) for problem, right in ends.items()]
    report = read_report([write_run(tmp_path, [*played, turn("r", 1, correct=False, turns=1)])])
    shown = row(retention(report), method="direct")
    assert (shown["turn 1 %"], shown["turn 10 %"]) == ("66.7 of 3", "50.0 of 2")
    assert (shown["as published %"], shown["same problems %"], shown["with both"]) == ("75.0", "50.0", "2")
    assert "retention" in {table.name for table in all_tables(report)}
