"""Searches drawn: what methods verify for what they spend, and by which round."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from textwrap import fill
from typing import TYPE_CHECKING

from holdtrue.figures.drawing import COLOURS, MARKERS, STYLES, WIDTH, inline, line_legend, look, open_figure, printable
from holdtrue.figures.statistics import Estimate, Rate
from holdtrue.lab.kinds.search.report import SearchReport
from holdtrue.lab.kinds.search.row import SearchRow
from holdtrue.lab.kit.groups import Group

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_TITLE = 60  # characters
_BANDS = 0.5  # the opacity of all bands of a panel together: many at full strength would hide the lines
_CONTROL = "#8a8a8a"


def draw_frontier(report: SearchReport) -> str:
    """Verified rate against mean calls, with 95% bars: a panel for each model, and the frontier as a line."""

    def draw(panel: Axes, group: Group[SearchRow], methods: Sequence[str]) -> None:
        best = {point.arm for point in report.frontier[group.label] if point.best["calls"]}
        rows = [row for row in group.whole if row.asks_model and row.trials]
        front = sorted((_calls(row), 100 * (row.verified.value or 0.0)) for row in rows if row.arm in best)
        panel.step([x for x, _ in front], [y for _, y in front], where="post", color=_CONTROL, lw=0.8, zorder=1)
        for row in rows:
            number = methods.index(printable(row.title))
            panel.errorbar(
                _calls(row),
                100 * (row.verified.value or 0.0),
                xerr=_bars(row.costs.calls.per_trial, 1),
                yerr=_bars(row.verified, 100),
                color=COLOURS[number % len(COLOURS)],
                marker=MARKERS[number % len(MARKERS)],
                ms=6,
                lw=0.9,
                alpha=0.9,
                ls="none",
            )
        panel.set_xlim(left=0)
        panel.set_xlabel("mean calls to the model by trial")

    return _draw("frontier", report, draw, line="none")


def draw_convergence(report: SearchReport) -> str:
    """Verified by the end of each round, with 95% bands: a panel for each model, a line for each method."""

    def draw(panel: Axes, group: Group[SearchRow], methods: Sequence[str]) -> None:
        from matplotlib.ticker import MaxNLocator

        rows = [row for row in group.whole if row.asks_model and row.trials]
        last = max((len(row.converged) for row in rows), default=1)
        for row in rows:
            number = methods.index(printable(row.title))
            colour, marker, style = look(number)
            rounds = range(1, len(row.converged) + 1)
            low, middle, high = (
                [100 * (getattr(rate, name) or 0.0) for rate in row.converged] for name in ("low", "value", "high")
            )
            panel.fill_between(rounds, low, high, color=colour, alpha=min(0.13, _BANDS / len(rows)), lw=0)
            panel.plot(rounds, middle, color=colour, marker=marker, ls=style, ms=4, lw=1.4)
        panel.set_xlim(0.7, last + 0.3)
        panel.set_xlabel("round")
        panel.xaxis.set_major_locator(MaxNLocator(integer=True, min_n_ticks=1))

    return _draw("convergence", report, draw)


def _draw(
    name: str,
    report: SearchReport,
    draw: Callable[[Axes, Group[SearchRow], Sequence[str]], None],
    line: str | None = None,
) -> str:
    """What both figures share: a panel for each model, controls as level lines, and one legend for all."""
    rows = [row for group in report.groups for row in group.whole]
    methods = list(dict.fromkeys(printable(row.title) for row in rows if row.asks_model))
    controls = list(dict.fromkeys(printable(row.title) for row in rows if row.arm.method in report.controls))
    columns = min(2, len(report.groups))
    lines = -(-len(report.groups) // columns)
    with open_figure(name, WIDTH, 1.3 + 2.8 * lines) as (figure, out):
        grid = figure.subplots(lines, columns, sharey=True, squeeze=False)
        for panel in grid.flat[len(report.groups) :]:
            panel.set_visible(False)
        for panel, group in zip(grid.flat, report.groups, strict=False):
            panel.set_title(fill(printable(group.label), _TITLE), loc="left")
            panel.set_ylim(-2, 104)
            panel.set_ylabel("trials verified, %")
            draw(panel, group, methods)
            _level(panel, group, controls)
            for number, method in enumerate(methods):  # the legend knows methods by lines that bear their names
                colour, marker, style = look(number)
                panel.plot([], [], color=colour, marker=marker, ls=line or style, ms=5, lw=1.4, label=method)
        line_legend(figure, list(grid.flat), [*methods, *controls], columns=3)
    return inline(out)


def _level(panel: Axes, group: Group[SearchRow], controls: Sequence[str]) -> None:
    """What never asks the model costs no call and has no rounds: a level that everything else has to be above."""
    for row in group.whole:
        name = printable(row.title)
        if name in controls and row.verified.value is not None:
            style = STYLES[1:][controls.index(name) % len(STYLES[1:])]
            panel.axhline(100 * row.verified.value, color=_CONTROL, ls=style, lw=1, label=name, zorder=0)


def _calls(row: SearchRow) -> float:
    return row.costs.calls.per_trial.value or 0.0


def _bars(found: Rate | Estimate, scale: float) -> list[list[float]] | None:
    """How far the interval reaches below and above; None where there is none."""
    if found.value is None or found.low is None or found.high is None:
        return None
    return [[scale * max(0.0, found.value - found.low)], [scale * max(0.0, found.high - found.value)]]
