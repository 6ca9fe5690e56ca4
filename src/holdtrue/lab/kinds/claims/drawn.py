"""Answers drawn: who is right against what could be verified, and what more rounds bring."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from textwrap import fill
from typing import TYPE_CHECKING

from holdtrue.figures.drawing import WIDTH, inline, line_legend, look, open_figure, printable
from holdtrue.figures.statistics import Rate
from holdtrue.lab.kinds.claims.report import ClaimReport
from holdtrue.lab.kinds.claims.row import ClaimRow
from holdtrue.lab.kit.groups import Group

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_TITLE = 60  # characters
_BANDS = 0.5  # the opacity of all bands of a panel together: many at full strength would hide the lines


def draw_verified(report: ClaimReport) -> str:
    """Accuracy against the share of claims verified, with 95% bars: a panel for each model, a mark for each method.

    '' where no claims were verified, or no answers scored.
    """

    def draw(panel: Axes, rows: Sequence[ClaimRow], methods: Sequence[str]) -> None:
        panel.set_xlim(-2, 102)
        panel.set_xlabel("claims verified by the solver, %")
        for row in rows:
            colour, marker, _ = look(methods.index(printable(row.title)))
            panel.errorbar(
                100 * (row.verdicts.verified.value or 0.0),
                100 * (row.accuracy.value or 0.0),
                xerr=_bars(row.verdicts.verified),
                yerr=_bars(row.accuracy),
                color=colour,
                marker=marker,
                ms=6,
                lw=0.9,
                alpha=0.9,
                ls="none",
            )

    return _draw("verified", report, _has_claims, draw, line="none")


def draw_rounds(report: ClaimReport) -> str:
    """Accuracy by round, with 95% bands: a panel for each model, a line for each method; '' without any rounds."""

    def draw(panel: Axes, rows: Sequence[ClaimRow], methods: Sequence[str]) -> None:
        from matplotlib.ticker import MaxNLocator

        last = max(len(row.convergence.rounds) for row in rows)
        for row in rows:
            colour, marker, style = look(methods.index(printable(row.title)))
            numbers = [each.round for each in row.convergence.rounds]
            low, middle, high = (
                [100 * (getattr(each.accuracy, name) or 0.0) for each in row.convergence.rounds]
                for name in ("low", "value", "high")
            )
            panel.fill_between(numbers, low, high, color=colour, alpha=min(0.13, _BANDS / len(rows)), lw=0)
            panel.plot(numbers, middle, color=colour, marker=marker, ls=style, ms=4, lw=1.4)
        panel.set_xlim(0.7, last + 0.3)
        panel.set_xlabel("round")
        panel.xaxis.set_major_locator(MaxNLocator(integer=True, min_n_ticks=1))

    return _draw("rounds", report, _has_rounds, draw)


def _has_claims(row: ClaimRow) -> bool:
    return row.accuracy.value is not None and row.verdicts.verified.value is not None


def _has_rounds(row: ClaimRow) -> bool:
    return len(row.convergence.rounds) > 1


def _draw(
    name: str,
    report: ClaimReport,
    shown: Callable[[ClaimRow], bool],
    draw: Callable[[Axes, Sequence[ClaimRow], Sequence[str]], None],
    line: str | None = None,
) -> str:
    """What both figures share: a panel for each model that has such rows, and one legend for all."""
    groups = [Group(each.label, rows) for each in report.groups if (rows := tuple(filter(shown, each.whole)))]
    if not groups:
        return ""
    # A method looks the same in both figures, also where not all are drawn.
    methods = list(dict.fromkeys(printable(row.title) for group in report.groups for row in group.whole))
    drawn = {printable(row.title) for group in groups for row in group.rows}
    columns = min(2, len(groups))
    lines = -(-len(groups) // columns)
    with open_figure(name, WIDTH, 1.3 + 2.8 * lines) as (figure, out):
        grid = figure.subplots(lines, columns, sharey=True, squeeze=False)
        for panel in grid.flat[len(groups) :]:
            panel.set_visible(False)
        for panel, group in zip(grid.flat, groups, strict=False):
            panel.set_title(fill(printable(group.label), _TITLE), loc="left")
            panel.set_ylim(-2, 104)
            panel.set_ylabel("questions right, %")
            draw(panel, group.rows, methods)
            for number, method in enumerate(methods):  # the legend knows methods by lines that bear their names
                colour, marker, style = look(number)
                if method in drawn:
                    panel.plot([], [], color=colour, marker=marker, ls=line or style, ms=5, lw=1.4, label=method)
        line_legend(figure, list(grid.flat), methods, columns=3)
    return inline(out)


def _bars(rate: Rate) -> list[list[float]] | None:
    """How far the interval reaches below and above, in percent; None where there is none."""
    if rate.value is None or rate.low is None or rate.high is None:
        return None
    return [[100 * max(0.0, rate.value - rate.low)], [100 * max(0.0, rate.high - rate.value)]]
