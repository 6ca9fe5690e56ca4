"""This module lists what a report about searches shows: tables in order, headline, figures and searches."""

from __future__ import annotations

from collections.abc import Mapping

from holdtrue.figures.cells import decimal, percent, share
from holdtrue.lab.kinds.search.drawn import draw_convergence, draw_frontier, draw_shifts
from holdtrue.lab.kinds.search.flat import CANDIDATES
from holdtrue.lab.kinds.search.measure import measure_search
from holdtrue.lab.kinds.search.report import SearchReport, read_search_report
from holdtrue.lab.kinds.search.row import SearchRow
from holdtrue.lab.kinds.search.shown import show_searches
from holdtrue.lab.kinds.search.tables.costs import convergence, cost, efficiency, feedback, kept, kept_by_size, time
from holdtrue.lab.kinds.search.tables.results import (
    candidates,
    outcomes,
    results,
    results_by_difficulty,
    results_by_domain,
    solver_calls,
    unjudged,
    unjudged_candidates,
)
from holdtrue.lab.kinds.search.tables.tests import (
    mcnemar,
    mcnemar_revealed,
    paired_calls,
    paired_tests,
    paired_tests_revealed,
    paired_tokens,
    rewritten,
)
from holdtrue.lab.kit.cost_tables import COST_TABLES, right_cost
from holdtrue.lab.kit.groups import Group
from holdtrue.lab.kit.headline import Figure, best_of, gain_words, is_between
from holdtrue.lab.kit.reporting import Reporting
from holdtrue.lab.kit.tables import Contents
from holdtrue.lab.kit.words import Number

CONTENTS = Contents(
    sections=(
        (
            "Results",
            (
                *(results, solver_calls, paired_tests, mcnemar, results_by_difficulty, results_by_domain),
                *(paired_tests_revealed, mcnemar_revealed),
            ),
        ),
        (
            "Outcomes and feedback",
            (
                *(outcomes, unjudged, candidates, unjudged_candidates),
                *(convergence, feedback, kept, kept_by_size),
            ),
        ),
        (
            "Cost",
            (
                *(efficiency, cost, time, *COST_TABLES),
                *(paired_calls, paired_tokens),
            ),
        ),
        ("Robustness", (rewritten,)),
    ),
    short=(results, outcomes, right_cost),
)


def strongest_searches(report: SearchReport, group: Group[SearchRow]) -> tuple[SearchRow | None, SearchRow | None]:
    """Return the rows of a model's best method without feedback, and of its best method with feedback.

    Each is None if there is no such method. A method that was shown a solution is never taken, and one that makes a
    single call only if there is no other without feedback, because its budget is smaller.
    """
    rows = [r for r in group.whole if r.trials and not r.revealed and r.arm.method not in report.controls]
    silent = [row for row in rows if row.arm in report.baselines]
    matched = [row for row in silent if row.arm not in report.singles]
    return best_of(matched or silent, _verified), best_of(
        (row for row in rows if row.arm not in report.baselines), _verified
    )


def _verified(row: SearchRow) -> float | None:
    return row.verified.value


def _figure(report: SearchReport, row: SearchRow) -> Figure:
    per_solve = row.costs.calls if row.asks_model else row.costs.solver_calls
    what = "calls" if row.asks_model else "solver calls"
    return Figure(
        row.title,
        percent(row.verified.value),
        f"sat certified {share(row.sat_certified)}, unsat precision {share(row.claims.precision)}, "
        f"recall {share(row.claims.recall)}, {what} per certified solve {decimal(per_solve.per_solve.value)}",
        f"verified in {row.trials} trials of {Number(row.finished):problem}",
    )


def _gain(report: SearchReport, best: SearchRow, base: SearchRow) -> str:
    for each in report.comparisons:
        if is_between(each, best.arm, base.arm):
            budget = " at the same budget" if each.matched else " with one call against more"
            return gain_words(each, base.arm, f"{Number(each.problems):problem}", done="solved", aside=budget)
    return ""


def _drawings(report: SearchReport) -> Mapping[str, str]:
    return {
        "frontier": draw_frontier(report),
        "convergence": draw_convergence(report),
        "shifts": draw_shifts(report),
    }


REPORTING = Reporting(
    read=read_search_report,
    measure=measure_search,
    report=SearchReport,
    contents=lambda report: CONTENTS,
    template="search_page.html.jinja",
    package="holdtrue.lab.kinds.search",
    figure=_figure,
    gain=_gain,
    strongest=strongest_searches,
    drawings=_drawings,
    compared={
        "sat_certified": lambda row: row.sat_certified,
        "unsat_precision": lambda row: row.claims.precision,
        "unsat_recall": lambda row: row.claims.recall,
        "repeated_candidates": lambda row: row.repeated,
    },
    conversations=show_searches,
    rows=CANDIDATES,
)
