"""Accuracy against consistency: who is right, and who merely never says two things that clash."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import fill

from holdtrue.figures.drawing import COLOURS, MARKERS, WIDTH, inline, line_legend, open_figure, printable
from holdtrue.figures.statistics import Rate
from holdtrue.lab.kinds.labels.row import LabelRow
from holdtrue.lab.kit.groups import Group

_TITLE = 60  # characters


def draw_tradeoff(groups: Sequence[Group[LabelRow]]) -> str:
    """Accuracy and set consistency with 95% bars: a panel for each model, a mark for each method, controls too."""
    methods = list(dict.fromkeys(printable(row.title) for group in groups for row in group.whole))
    columns = min(2, len(groups))
    lines = -(-len(groups) // columns)
    with open_figure("tradeoff", WIDTH, 1.1 + 2.6 * lines) as (figure, out):
        grid = figure.subplots(lines, columns, sharex=True, sharey=True, squeeze=False)
        for panel in grid.flat[len(groups) :]:
            panel.set_visible(False)
        for panel, group in zip(grid.flat, groups, strict=False):
            panel.set_title(fill(printable(group.label), _TITLE), loc="left")
            panel.set_xlim(-2, 102)
            panel.set_ylim(-2, 104)
            panel.set_xlabel("queries right, %")
            panel.set_ylabel("cases consistent, %")
            for row in group.whole:
                if row.accuracy.value is None or row.sets.consistent.value is None:
                    continue
                number = methods.index(printable(row.title))
                panel.errorbar(
                    100 * row.accuracy.value,
                    100 * row.sets.consistent.value,
                    xerr=_bars(row.accuracy),
                    yerr=_bars(row.sets.consistent),
                    color=COLOURS[number % len(COLOURS)],
                    marker=MARKERS[number % len(MARKERS)],
                    ms=6,
                    lw=0.9,
                    alpha=0.9,
                    ls="none",
                )
                # The legend knows methods by lines that bear their names.
                panel.plot(
                    [],
                    [],
                    COLOURS[number % len(COLOURS)],
                    marker=MARKERS[number % len(MARKERS)],
                    ls="none",
                    label=methods[number],
                )
        line_legend(figure, list(grid.flat), methods)
    return inline(out)


def _bars(rate: Rate) -> list[list[float]]:
    """How far the interval reaches below and above, in percent."""
    value, low, high = rate.value or 0.0, rate.low or 0.0, rate.high or 0.0
    return [[100 * max(0.0, value - low)], [100 * max(0.0, high - value)]]
