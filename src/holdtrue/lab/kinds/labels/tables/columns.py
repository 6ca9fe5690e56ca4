"""Columns that several tables about queries share."""

from __future__ import annotations

from collections.abc import Callable

from holdtrue.figures.cells import coverage, decimal, decimal_interval, percent, rate_interval
from holdtrue.figures.statistics import Estimate, Rate
from holdtrue.figures.table import Column
from holdtrue.lab.kinds.labels.row import LabelRow

LabelCell = Callable[[LabelRow], str]
Cells = dict[Column, LabelCell]

CASES: Cells = {
    Column("cases"): lambda row: coverage(row.finished, row.problems),
    Column("failed", optional=True): lambda row: str(row.failed),
}


def share(title: str, read: Callable[[LabelRow], Rate | Estimate]) -> Cells:
    """A share in percent, and its interval."""
    return {
        Column(f"{title} %"): lambda row: percent(read(row).value),
        Column(f"95% of {title}", wide=True): lambda row: rate_interval(read(row)),
    }


def number(title: str, read: Callable[[LabelRow], Estimate]) -> Cells:
    """A mean, and its interval."""
    return {
        Column(title): lambda row: decimal(read(row).value),
        Column(f"95% of {title}", wide=True): lambda row: decimal_interval(read(row)),
    }


ACCURACY = share("accu\u00adracy", lambda row: row.accuracy)
CONSISTENT = share("set consis\u00adtency", lambda row: row.sets.consistent)
COST = number("re\u00advision cost", lambda row: row.sets.cost)
