"""Which tables a report about claims has, in order."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from holdtrue.figures.table import Table, with_lines
from holdtrue.lab.kinds.claims.report import ClaimReport
from holdtrue.lab.kinds.claims.tables.checks import agreement, alerts, contexts, funnel, gates, joint
from holdtrue.lab.kinds.claims.tables.costs import costs, purposes
from holdtrue.lab.kinds.claims.tables.results import (
    implied,
    results,
    results_by_dataset,
    routing,
    routing_by_dataset,
    verdicts,
)
from holdtrue.lab.kinds.claims.tables.rounds import rounds, trends, weights
from holdtrue.lab.kinds.claims.tables.tests import paired_scores, paired_tests, perturbed, perturbed_by_kind

Make = Callable[[ClaimReport], Table]

SECTIONS: Sequence[tuple[str, Sequence[Make]]] = (
    ("Results", (results, implied, paired_tests, results_by_dataset, paired_scores)),
    ("Rounds", (rounds, trends, weights)),
    ("Claims", (verdicts, routing, routing_by_dataset, joint)),
    ("Formulas", (funnel, gates, agreement, contexts, alerts)),
    ("Robustness", (perturbed, perturbed_by_kind)),
    ("Cost", (costs, purposes)),
)
SHORT: Sequence[Make] = (
    results,
    implied,
    paired_tests,
    results_by_dataset,
    rounds,
    trends,
    weights,
    verdicts,
    routing,
    funnel,
    agreement,
    contexts,
    alerts,
    joint,
    perturbed,
    perturbed_by_kind,
    costs,
)


def sections(report: ClaimReport) -> list[tuple[str, list[Table]]]:
    """Every table that has a line, by section."""
    return [(title, with_lines(make(report) for make in makers)) for title, makers in SECTIONS]


def short_tables(report: ClaimReport) -> list[Table]:
    """Those that a terminal shows, the most important one first."""
    return with_lines(make(report) for make in SHORT)
