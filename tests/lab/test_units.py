"""Figures in one table say so if they are shares of different totals."""

from __future__ import annotations

from typing import Any

import pytest

from holdtrue_lab.kinds.assignment import failure_tables as failures
from holdtrue_lab.kinds.assignment import failure_tables as ledger
from holdtrue_lab.kinds.assignment import tables as assignment_tests
from holdtrue_lab.kinds.claims.tables import checks
from holdtrue_lab.kinds.claims.tables import results as claim_results
from holdtrue_lab.kinds.decisions import tables as decisions
from holdtrue_lab.kinds.labels import tables as label_tests
from holdtrue_lab.kinds.labels import tables as queries
from holdtrue_lab.kinds.search import tables as search_results
from holdtrue_lab.kit.registry import find_suite
from holdtrue_lab.kit.tables import ReportTable

SAID = [
    (assignment_tests.paired_tests, "each counting once however many turns"),
    (failures.published_split, "ledger gap a share of the turns that are wrong by ours"),
    (ledger.delivery, "are of all turns"),
    (claim_results.results, "over the questions whose answer was verified"),
    (claim_results.verdicts, "ccuracy is of questions"),
    (claim_results.routing, "ccuracy is of questions"),
    (checks.funnel, "everything else but accuracy, which is of questions"),
    (queries.outcomes, "accuracy is of queries"),
    (label_tests.paired_figures, "means over cases, each counting once however many queries"),
    (search_results.candidates, "verified is of trials"),
    (decisions.results, "False blocks: of the calls that break no rule; let through: of the calls that are sound"),
    (decisions.questions, "Held: of the broken calls; asked: of those that facts leave undecided"),
    (decisions.paired_tests, "over the tasks that both have finished, each counting once"),
]


@pytest.mark.parametrize(("table", "words"), SAID, ids=lambda value: getattr(value, "name", ""))
def test_a_caption_says_of_what_its_shares_are(table: ReportTable[Any], words: str) -> None:
    assert words in f"{table.note} {table.more}"


@pytest.mark.parametrize("suite", ["drift", "cross_query", "verge", "cegvr", "guard", "reading"])
def test_no_caption_says_by_hand_what_intervals_are(suite: str) -> None:
    """The code adds a sentence about intervals to each table that has some."""
    makers = find_suite(suite).kind.reporting().contents
    report: Any = type("Report", (), {"suite": suite})()
    for _, tables in makers(report).sections:
        for table in tables:
            said = f"{table.note} {table.more}"
            assert "interval" not in said and "bootstrap" not in said, table.name
