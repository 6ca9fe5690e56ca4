"""Which tables a report has, in order."""

from __future__ import annotations

from holdtrue.report.read import Report
from holdtrue.report.tables.accuracy import accuracy, accuracy_by_domain, accuracy_by_turn
from holdtrue.report.tables.comparisons import overlap_of_methods, overlap_of_models, paired_tests, summary
from holdtrue.report.tables.failures import channels, channels_by_domain, published_split, triggers
from holdtrue.report.tables.ledger import cost, delivery
from holdtrue.report.tables.repair import after_retry, harm_and_help, truncation
from holdtrue.report.tables.structure import structure
from holdtrue.report.tables.table import Table

SECTIONS = (
    ("Accuracy", (summary, accuracy, paired_tests, accuracy_by_domain, accuracy_by_turn)),
    ("Failures", (channels, published_split, channels_by_domain, overlap_of_models, overlap_of_methods)),
    ("Checking and repair", (harm_and_help, triggers, after_retry, truncation)),
    ("Ledger, cost, problems", (delivery, cost, structure)),
)
SHORT = (
    accuracy,
    paired_tests,
    accuracy_by_domain,
    channels,
    published_split,
    harm_and_help,
    delivery,
    accuracy_by_turn,
    triggers,
    cost,
)


def sections(report: Report) -> list[tuple[str, list[Table]]]:
    """Every table that has a line, by section."""
    return [(title, [table for make in makers if (table := make(report)).lines]) for title, makers in SECTIONS]


def all_tables(report: Report) -> list[Table]:
    """Every table that has a line."""
    return [table for _, tables in sections(report) for table in tables]


def short_tables(report: Report) -> list[Table]:
    """Those that a terminal shows."""
    return [table for make in SHORT if (table := make(report)).lines]
