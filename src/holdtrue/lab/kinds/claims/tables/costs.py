"""What questions cost: the method's own calls, those that formalize premises, and those that only measure."""

from __future__ import annotations

from holdtrue.figures.cells import MISSING, decimal_interval, percent
from holdtrue.figures.table import MODEL, Column, Table, make_table
from holdtrue.lab.kinds.claims.report import ClaimReport
from holdtrue.lab.kinds.claims.row import ClaimRow, Spending
from holdtrue.lab.kinds.claims.tables.columns import written
from holdtrue.lab.kit.by_row import METHOD

_SPENT = (
    Column("calls"),
    Column("95% of calls", wide=True),
    Column("gener\u00adated"),
    Column("95% of gener\u00adated", wide=True),
    Column("tokens"),
    Column("95% of tokens", wide=True),
    Column("seconds"),
    Column("95% of seconds", wide=True),
)
_OWN = "own"
_ACCURACY = Column("accu\u00adracy %")
_UNITS = (
    "Means over questions, with 95% intervals. Generated: tokens that the model wrote; tokens: also those that it was "
    "given. Seconds: the calls' own time, those that ran at the same time added up."
)


def costs(report: ClaimReport) -> Table:
    """The three parts of what a question costs."""
    lines = []
    for group in report.groups:
        for row in group.whole:
            if not row.finished:
                continue
            for part, spending in _parts(row):
                about = (group.label, report.names.method(row.arm), part, percent(row.accuracy.value))
                turn = written(row.costs.elapsed_s, ".2f") if part == _OWN else MISSING
                lines.append((*about, *_cells(spending), turn))
    return make_table(
        "costs",
        "Cost of a question",
        f"{_UNITS} Own: what the method itself spends, premises: that part of it that formalizes these. Measuring: "
        "what verifying its answer costs where the method would not have done so; no part of its own. Whole turn: "
        "seconds from the question to the end, all parts together.",
        [MODEL, METHOD, Column("part", words=True), _ACCURACY, *_SPENT, Column("whole turn")],
        lines,
    )


def purposes(report: ClaimReport) -> Table:
    """The same by what calls were for."""
    return make_table(
        "purposes",
        "Cost of a question, by purpose",
        f"{_UNITS} All calls count, those that only measure too.",
        [MODEL, METHOD, Column("purpose", words=True), _ACCURACY, *_SPENT],
        [
            (group.label, report.names.method(row.arm), purpose, percent(row.accuracy.value), *_cells(spending))
            for group in report.groups
            for row in group.whole
            for purpose, spending in row.costs.purposes.items()
        ],
    )


def _parts(row: ClaimRow) -> list[tuple[str, Spending]]:
    """The parts in which there are calls; always the method's own."""
    parts = [(_OWN, row.costs.own), ("premises", row.costs.extraction), ("measuring", row.costs.measuring)]
    return [(name, spending) for name, spending in parts if name == _OWN or spending.calls.value]


def _cells(spending: Spending) -> tuple[str, ...]:
    return (
        written(spending.calls, ".2f"),
        decimal_interval(spending.calls),
        written(spending.generated, ".0f"),
        decimal_interval(spending.generated, ".0f"),
        written(spending.tokens, ".0f"),
        decimal_interval(spending.tokens, ".0f"),
        written(spending.latency_s, ".2f"),
        decimal_interval(spending.latency_s),
    )
