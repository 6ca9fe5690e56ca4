"""Which tables a report about searches has, in order."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from holdtrue.figures.table import Table, with_lines
from holdtrue.lab.kinds.search.report import SearchReport
from holdtrue.lab.kinds.search.tables.costs import convergence, cost, cost_of_solve, efficiency, feedback
from holdtrue.lab.kinds.search.tables.results import (
    candidates,
    outcomes,
    results,
    results_by_difficulty,
    results_by_domain,
)
from holdtrue.lab.kinds.search.tables.tests import paired_costs, paired_tests, paired_tests_revealed, rewritten

Make = Callable[[SearchReport], Table]

SECTIONS: Sequence[tuple[str, Sequence[Make]]] = (
    ("Results", (results, paired_tests, results_by_difficulty, results_by_domain, paired_tests_revealed)),
    ("Outcomes and feedback", (outcomes, candidates, convergence, feedback)),
    ("Cost", (efficiency, cost, cost_of_solve, paired_costs)),
    ("Robustness", (rewritten,)),
)
SHORT: Sequence[Make] = (
    results,
    paired_tests,
    results_by_difficulty,
    results_by_domain,
    outcomes,
    convergence,
    cost_of_solve,
    rewritten,
)


def sections(report: SearchReport) -> list[tuple[str, list[Table]]]:
    """Every table that has a line, by section."""
    return [(title, with_lines(make(report) for make in makers)) for title, makers in SECTIONS]


def short_tables(report: SearchReport) -> list[Table]:
    """Those that a terminal shows, the most important one first."""
    return with_lines(make(report) for make in SHORT)
