"""A report about searches in a few numbers for each model; controls always stand beside the rest."""

from __future__ import annotations

from collections.abc import Iterable

from holdtrue.figures.cells import decimal, percent, share
from holdtrue.lab.kinds.search.report import SearchReport
from holdtrue.lab.kinds.search.row import SearchRow
from holdtrue.lab.kit.gain import gain_words, is_between
from holdtrue.lab.kit.groups import Group
from holdtrue.lab.kit.headline import Figure, Headline


def search_headlines(report: SearchReport) -> list[Headline]:
    """One for each model: its best method that asks again without feedback, the best other one, and the controls."""
    return [_headline(report, group) for group in report.groups]


def strongest_searches(report: SearchReport, group: Group[SearchRow]) -> tuple[SearchRow | None, SearchRow | None]:
    """The best method of a model that tells it nothing of failures, and the best one that does; None without any.

    Never one that was shown a solution; and of the first kind one with a single call only where there is no other,
    for its budget is not that of the rest.
    """
    rows = [r for r in group.whole if r.trials and not r.revealed and r.arm.method not in report.controls]
    silent = [row for row in rows if row.arm in report.baselines]
    matched = [row for row in silent if row.arm not in report.singles]
    return _best(matched or silent), _best(row for row in rows if row.arm not in report.baselines)


def _best(rows: Iterable[SearchRow]) -> SearchRow | None:
    return max(rows, key=lambda row: row.verified.value or 0.0, default=None)


def _headline(report: SearchReport, group: Group[SearchRow]) -> Headline:
    base, best = strongest_searches(report, group)
    controls = [row for row in group.whole if row.arm.method in report.controls]
    figures = tuple(_figure(row) for row in (base, best, *controls) if row is not None)
    return Headline(group.label, figures, _gain(report, best, base) if base is not None and best is not None else "")


def _figure(row: SearchRow) -> Figure:
    per_solve = row.costs.calls if row.asks_model else row.costs.solver_calls
    what = "calls" if row.asks_model else "solver calls"
    return Figure(
        row.title,
        percent(row.verified.value),
        f"sat certified {share(row.sat_certified)}, unsat precision {share(row.claims.precision)}, "
        f"recall {share(row.claims.recall)}, {what} per certified solve {decimal(per_solve.per_solve.value)}",
        f"verified in {row.trials} trials of {row.finished} problem{'' if row.finished == 1 else 's'}",
    )


def _gain(report: SearchReport, best: SearchRow, base: SearchRow) -> str:
    for each in report.comparisons:
        if is_between(each, best.arm, base.arm):
            over = f"{each.problems} problem{'' if each.problems == 1 else 's'}"
            budget = " at the same budget" if each.matched else " with one call against more"
            return gain_words(each, base.arm, over, done="solved", aside=budget)
    return ""
