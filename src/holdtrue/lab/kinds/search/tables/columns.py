"""Columns that several tables about searches share."""

from __future__ import annotations

from collections.abc import Callable

from holdtrue.figures.cells import MISSING, coverage, decimal_interval, percent, rate_interval
from holdtrue.figures.statistics import Estimate, Rate
from holdtrue.figures.table import Column
from holdtrue.lab.kinds.search.row import Cost, SearchRow

SearchCell = Callable[[SearchRow], str]
Cells = dict[Column, SearchCell]

PROBLEMS: Cells = {
    Column("trials"): lambda row: str(row.trials),
    Column("prob\u00adlems"): lambda row: coverage(row.finished, row.problems),
    Column("failed", optional=True): lambda row: str(row.failed),
}


def share(title: str, read: Callable[[SearchRow], Rate | Estimate]) -> Cells:
    """A share in percent, and its interval."""
    return {
        Column(f"{title} %"): lambda row: percent(read(row).value),
        Column(f"95% of {title}", wide=True): lambda row: rate_interval(read(row)),
    }


def per_trial(title: str, read: Callable[[SearchRow], Cost], form: str) -> Cells:
    """A cost by trial in this form, and its interval."""
    return _number(title, lambda row: read(row).per_trial, form)


def per_solve(title: str, read: Callable[[SearchRow], Cost], form: str) -> Cells:
    """The same by certified solve."""
    return _number(title, lambda row: read(row).per_solve, form)


def _number(title: str, read: Callable[[SearchRow], Estimate], form: str) -> Cells:
    def mean(row: SearchRow) -> str:
        value = read(row).value
        return MISSING if value is None else format(value, form)

    return {
        Column(title): mean,
        Column(f"95% of {title}", wide=True): lambda row: decimal_interval(read(row), form),
    }


VERIFIED = share("veri\u00adfied", lambda row: row.verified)
VERIFIED_ALONE: Cells = {column: cell for column, cell in VERIFIED.items() if not column.wide}
SAT = share("sat certi\u00adfied", lambda row: row.sat_certified)
PRECISION = share("unsat pre\u00adcision", lambda row: row.claims.precision)
RECALL = share("unsat recall", lambda row: row.claims.recall)
