"""Which tables a report has, in order."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from holdtrue.figures.table import Table
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
from holdtrue.lab.kinds.claims.report import ClaimReport
from holdtrue.lab.kinds.claims.tables.contents import SECTIONS as CLAIM_SECTIONS
from holdtrue.lab.kinds.claims.tables.contents import SHORT as CLAIM_SHORT
from holdtrue.lab.kinds.labels.report import LabelReport
from holdtrue.lab.kinds.labels.tables.contents import SECTIONS as LABEL_SECTIONS
from holdtrue.lab.kinds.labels.tables.contents import SHORT as LABEL_SHORT
from holdtrue.lab.kinds.search.report import SearchReport
from holdtrue.lab.kinds.search.tables.contents import SECTIONS as SEARCH_SECTIONS
from holdtrue.lab.kinds.search.tables.contents import SHORT as SEARCH_SHORT

R = TypeVar("R", Report, LabelReport, SearchReport, ClaimReport)
AnyReport = Report | LabelReport | SearchReport | ClaimReport

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


def sections(report: AnyReport) -> list[tuple[str, list[Table]]]:
    """Every table that has a line, by section."""
    if isinstance(report, ClaimReport):
        return [(title, _made(makers, report)) for title, makers in CLAIM_SECTIONS]
    if isinstance(report, SearchReport):
        return [(title, _made(makers, report)) for title, makers in SEARCH_SECTIONS]
    if isinstance(report, LabelReport):
        return [(title, _made(makers, report)) for title, makers in LABEL_SECTIONS[report.suite]]
    return [(title, _made(makers, report)) for title, makers in SECTIONS]


def all_tables(report: AnyReport) -> list[Table]:
    """Every table that has a line."""
    return [table for _, tables in sections(report) for table in tables]


def short_tables(report: AnyReport) -> list[Table]:
    """Those that a terminal shows, the most important one first."""
    if isinstance(report, ClaimReport):
        return _made(CLAIM_SHORT, report)
    if isinstance(report, SearchReport):
        return _made(SEARCH_SHORT, report)
    if isinstance(report, LabelReport):
        return _made(LABEL_SHORT[report.suite], report)
    return _made(SHORT, report)


def first_table(report: AnyReport) -> Table:
    """The most important one of these."""
    if isinstance(report, ClaimReport):
        return CLAIM_SHORT[0](report)
    if isinstance(report, SearchReport):
        return SEARCH_SHORT[0](report)
    return LABEL_SHORT[report.suite][0](report) if isinstance(report, LabelReport) else SHORT[0](report)


def _made(makers: Sequence[Callable[[R], Table]], report: R) -> list[Table]:
    return [table for make in makers if (table := make(report)).lines]
