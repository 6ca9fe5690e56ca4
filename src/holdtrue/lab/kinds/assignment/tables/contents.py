"""Which tables a report about assignments has, in order."""

from __future__ import annotations

from holdtrue.figures.table import Table, with_lines
from holdtrue.lab.kinds.assignment.report import Report
from holdtrue.lab.kinds.assignment.tables.accuracy import accuracy, accuracy_by_domain, accuracy_by_turn
from holdtrue.lab.kinds.assignment.tables.comparisons import (
    overlap_of_methods,
    overlap_of_models,
    paired_tests,
    summary,
)
from holdtrue.lab.kinds.assignment.tables.failures import channels, channels_by_domain, published_split, triggers
from holdtrue.lab.kinds.assignment.tables.ledger import cost, delivery
from holdtrue.lab.kinds.assignment.tables.repair import after_retry, harm_and_help, truncation
from holdtrue.lab.kinds.assignment.tables.structure import structure

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
    return [(title, with_lines(make(report) for make in makers)) for title, makers in SECTIONS]


def short_tables(report: Report) -> list[Table]:
    """Those that a terminal shows, the most important one first."""
    return with_lines(make(report) for make in SHORT)
