"""The figures of a search report, each as SVG text that can stand in a page.

They show the share of verified trials against calls to the model, the same share by round, and how much it changes
where problems are rewritten.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from textwrap import fill
from typing import TYPE_CHECKING

from holdtrue.figures.drawing import (
    COLOURS,
    STYLES,
    WIDTH,
    count_along,
    draw_band,
    draw_mark,
    inline,
    line_legend,
    name_looks,
    open_figure,
    open_panels,
    printable,
)
from holdtrue.lab.kinds.search.comparison import Robustness
from holdtrue.lab.kinds.search.report import SearchReport
from holdtrue.lab.kinds.search.row import SearchRow
from holdtrue.lab.kit.groups import Group

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_CONTROL = "#8a8a8a"
_ROW = 0.26  # inches
_TITLE = 60  # characters


def draw_frontier(report: SearchReport) -> str:
    """Draw the share of verified trials against the mean number of calls, with 95% bars.

    There is a panel for each model. A line joins the methods on its frontier: no other verifies more for fewer calls.
    """

    def draw(panel: Axes, group: Group[SearchRow], methods: Sequence[str]) -> None:
        best = {point.arm for point in report.frontier[group.label] if point.best["calls"]}
        rows = [row for row in group.whole if row.asks_model and row.trials]
        front = sorted((_calls(row), 100 * (row.verified.value or 0.0)) for row in rows if row.arm in best)
        panel.step([x for x, _ in front], [y for _, y in front], where="post", color=_CONTROL, lw=0.8, zorder=1)
        for row in rows:
            number = methods.index(printable(row.title))
            draw_mark(panel, number, row.costs.calls.per_trial, row.verified, (1, 100))
        panel.set_xlim(left=0)
        panel.set_xlabel("mean calls to the model by trial")

    return _draw("frontier", report, draw, line="none")


def draw_convergence(report: SearchReport) -> str:
    """Draw the share of trials that are verified by the end of each round, with 95% bands.

    There is a panel for each model, and in it a line for each method.
    """

    def draw(panel: Axes, group: Group[SearchRow], methods: Sequence[str]) -> None:
        rows = [row for row in group.whole if row.asks_model and row.trials]
        for row in rows:
            rounds = range(1, len(row.converged) + 1)
            draw_band(panel, methods.index(printable(row.title)), rounds, row.converged, len(rows))
        count_along(panel, "round", max((len(row.converged) for row in rows), default=1), 0.3)

    return _draw("convergence", report, draw)


def _draw(
    name: str,
    report: SearchReport,
    draw: Callable[[Axes, Group[SearchRow], Sequence[str]], None],
    line: str | None = None,
) -> str:
    """Draw what both figures share: a panel for each model, controls as level lines, and one legend for all."""
    methods = list(dict.fromkeys(printable(row.title) for row in report.rows if row.asks_model))
    controls = list(dict.fromkeys(printable(row.title) for row in report.rows if row.arm.method in report.controls))
    with open_panels(name, [group.label for group in report.groups], (1.3, 2.8)) as (figure, panels, out):
        for panel, group in zip(panels, report.groups, strict=False):
            panel.set_ylim(-2, 104)
            panel.set_ylabel("trials verified, %")
            draw(panel, group, methods)
            _level(panel, group, controls)
            name_looks(panel, enumerate(methods), line)
        line_legend(figure, panels, [*methods, *controls], columns=3)
    return inline(out)


def _level(panel: Axes, group: Group[SearchRow], controls: Sequence[str]) -> None:
    """Draw the controls as level lines: they never ask the model, so they have neither calls nor rounds."""
    for row in group.whole:
        name = printable(row.title)
        if name in controls and row.verified.value is not None:
            style = STYLES[1:][controls.index(name) % len(STYLES[1:])]
            panel.axhline(100 * row.verified.value, color=_CONTROL, ls=style, lw=1, label=name, zorder=0)


def _calls(row: SearchRow) -> float:
    return row.costs.calls.per_trial.value or 0.0


def draw_shifts(report: SearchReport) -> str:
    """Draw by how many points each method's verified share changes where problems are rewritten, with 95% intervals.

    For each model there is a panel for each way of rewriting. The text is empty where no problem was rewritten.
    """
    ways = list(dict.fromkeys(each.variant for each in report.robustness))
    by_model: dict[str, list[Robustness]] = {}
    for each in report.robustness:
        by_model.setdefault(report.names.model(each.arm), []).append(each)
    if not ways:
        return ""
    methods = {
        model: list(dict.fromkeys(printable(report.names.method(each.arm)) for each in found))
        for model, found in by_model.items()
    }
    heights = [0.9 + _ROW * len(names) for names in methods.values()]
    with open_figure("shifts", WIDTH, 0.4 + sum(heights)) as (figure, out):
        parts = figure.subfigures(len(by_model), 1, height_ratios=heights, squeeze=False)
        for part, (model, found) in zip(parts.flat, by_model.items(), strict=True):
            part.suptitle(fill(printable(model), _TITLE), x=0.01, ha="left", fontsize=9, fontweight="bold")
            panels = part.subplots(1, len(ways), sharex=True, sharey=True, squeeze=False)
            for panel, way in zip(panels.flat, ways, strict=True):
                _ways(panel, way, methods[model])
                for each in found:
                    if each.variant == way:
                        _bar(panel, each, methods[model].index(printable(report.names.method(each.arm))))
    return inline(out)


def _ways(panel: Axes, way: str, methods: Sequence[str]) -> None:
    panel.set_title(printable(way).replace("_", " "), loc="left", fontweight="normal")
    panel.set_yticks(range(len(methods)), methods)
    panel.set_ylim(len(methods) - 0.4, -0.6)
    panel.set_xlabel("shift, pp")
    panel.tick_params(axis="y", length=0)
    panel.axvline(0, color=_CONTROL, lw=0.8, zorder=0)


def _bar(panel: Axes, each: Robustness, place: int) -> None:
    shift, low, high = (100 * value for value in (each.paired.difference, each.paired.low, each.paired.high))
    panel.barh(place, shift, height=0.6, color=COLOURS[place % len(COLOURS)], alpha=0.75, lw=0)
    reach = [[max(0.0, shift - low)], [max(0.0, high - shift)]]
    panel.errorbar(shift, place, xerr=reach, color=COLOURS[place % len(COLOURS)], lw=1.1, capsize=2, ls="none")
