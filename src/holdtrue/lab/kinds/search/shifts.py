"""How much less, or more, methods verify when problems are rewritten without changing what they ask."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import fill
from typing import TYPE_CHECKING

from holdtrue.figures.drawing import COLOURS, WIDTH, inline, open_figure, printable
from holdtrue.lab.kinds.search.report import SearchReport
from holdtrue.lab.kinds.search.robustness import Robustness

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_ROW = 0.26  # inches
_TITLE = 60  # characters


def draw_shifts(report: SearchReport) -> str:
    """Mean shifts with 95% intervals: a panel for each way of rewriting, by model; '' where there is none."""
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
                _panel(panel, way, methods[model])
                for each in found:
                    if each.variant == way:
                        _bar(panel, each, methods[model].index(printable(report.names.method(each.arm))))
    return inline(out)


def _panel(panel: Axes, way: str, methods: Sequence[str]) -> None:
    panel.set_title(printable(way).replace("_", " "), loc="left", fontweight="normal")
    panel.set_yticks(range(len(methods)), methods)
    panel.set_ylim(len(methods) - 0.4, -0.6)
    panel.set_xlabel("shift, pp")
    panel.tick_params(axis="y", length=0)
    panel.axvline(0, color="#8a8a8a", lw=0.8, zorder=0)


def _bar(panel: Axes, each: Robustness, place: int) -> None:
    shift, low, high = (100 * value for value in (each.paired.difference, each.paired.low, each.paired.high))
    panel.barh(place, shift, height=0.6, color=COLOURS[place % len(COLOURS)], alpha=0.75, lw=0)
    reach = [[max(0.0, shift - low)], [max(0.0, high - shift)]]
    panel.errorbar(shift, place, xerr=reach, color=COLOURS[place % len(COLOURS)], lw=1.1, capsize=2, ls="none")
