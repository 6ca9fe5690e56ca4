"""The figures of a report about claims, each as SVG text that can stand in a page."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from holdtrue.figures.drawing import (
    count_along,
    draw_band,
    draw_mark,
    inline,
    line_legend,
    name_looks,
    open_panels,
    printable,
)
from holdtrue.lab.kinds.claims.report import ClaimReport
from holdtrue.lab.kinds.claims.row import ClaimRow
from holdtrue.lab.kit.groups import Group

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def draw_verified(report: ClaimReport) -> str:
    """Draw accuracy against the share of claims that were verified, with 95% bars.

    There is a panel for each model, and in it a mark for each method. The text is empty where no claims were verified,
    or no answers scored.
    """

    def draw(panel: Axes, rows: Sequence[ClaimRow], methods: Sequence[str]) -> None:
        panel.set_xlim(-2, 102)
        panel.set_xlabel("claims verified by the solver, %")
        for row in rows:
            draw_mark(panel, methods.index(printable(row.title)), row.verdicts.verified, row.accuracy, (100, 100))

    def is_shown(row: ClaimRow) -> bool:
        return row.accuracy.value is not None and row.verdicts.verified.value is not None

    return _draw("verified", report, is_shown, draw, line="none")


def draw_rounds(report: ClaimReport) -> str:
    """Draw accuracy by round, with 95% bands: a panel for each model, and in it a line for each method.

    The text is empty where no method has rounds.
    """

    def draw(panel: Axes, rows: Sequence[ClaimRow], methods: Sequence[str]) -> None:
        for row in rows:
            rounds = row.convergence.rounds
            numbers, rates = [each.round for each in rounds], [each.accuracy for each in rounds]
            draw_band(panel, methods.index(printable(row.title)), numbers, rates, len(rows))
        count_along(panel, "round", max(len(row.convergence.rounds) for row in rows), 0.3)

    return _draw("rounds", report, lambda row: len(row.convergence.rounds) > 1, draw)


def _draw(
    name: str,
    report: ClaimReport,
    shown: Callable[[ClaimRow], bool],
    draw: Callable[[Axes, Sequence[ClaimRow], Sequence[str]], None],
    line: str | None = None,
) -> str:
    """Draw what both figures share: a panel for each model that has such rows, and one legend for all."""
    groups = [Group(each.label, rows) for each in report.groups if (rows := tuple(filter(shown, each.whole)))]
    if not groups:
        return ""
    # A method looks the same in both figures, also where not all are drawn.
    methods = list(dict.fromkeys(printable(row.title) for row in report.rows))
    drawn = {printable(row.title) for group in groups for row in group.rows}
    with open_panels(name, [group.label for group in groups], (1.3, 2.8)) as (figure, panels, out):
        for panel, group in zip(panels, groups, strict=False):
            panel.set_ylim(-2, 104)
            panel.set_ylabel("questions right, %")
            draw(panel, group.rows, methods)
            name_looks(panel, ((place, method) for place, method in enumerate(methods) if method in drawn), line)
        line_legend(figure, panels, methods, columns=3)
    return inline(out)
