"""Columns that several tables about claims share."""

from __future__ import annotations

from collections.abc import Callable

from holdtrue.figures.cells import MISSING, coverage, decimal_interval, percent, rate_interval
from holdtrue.figures.statistics import Estimate, Rate
from holdtrue.figures.table import Column
from holdtrue.lab.kinds.claims.row import ClaimRow

ClaimCell = Callable[[ClaimRow], str]
Cells = dict[Column, ClaimCell]


def share(title: str, read: Callable[[ClaimRow], Rate]) -> Cells:
    """A share in percent, and its interval."""
    return {**alone(title, read), Column(f"95% of {title}", wide=True): lambda row: rate_interval(read(row))}


def alone(title: str, read: Callable[[ClaimRow], Rate]) -> Cells:
    """A share in percent."""
    return {Column(f"{title} %"): lambda row: percent(read(row).value)}


def number(title: str, read: Callable[[ClaimRow], Estimate], form: str) -> Cells:
    """Any other figure in this form, and its interval."""
    return {
        Column(title): lambda row: written(read(row), form),
        Column(f"95% of {title}", wide=True): lambda row: decimal_interval(read(row), form),
    }


def counts(title: str, read: Callable[[ClaimRow], int], *, optional: bool = False) -> Cells:
    """How many."""
    return {Column(title, optional=optional): lambda row: str(read(row))}


def written(found: Estimate, form: str) -> str:
    """The figure in this form."""
    return MISSING if found.value is None else format(found.value, form)


# A terminal that is too narrow repeats the first figure in every part: nothing verified stands without it.
ACCURACY: Cells = alone("accu\u00adracy", lambda row: row.accuracy)
ACCURACY_INTERVAL: Cells = {
    **ACCURACY,
    Column("95% of accu\u00adracy"): lambda row: rate_interval(row.accuracy),
}
ITEMS: Cells = {
    Column("items"): lambda row: coverage(row.finished, row.problems),
    **counts("failed", lambda row: row.failed, optional=True),
}
CLAIMS: Cells = counts("claims", lambda row: row.verdicts.claims)
