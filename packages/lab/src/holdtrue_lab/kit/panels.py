"""This module draws the figures of a report. Each model has a panel, and each method a colour and a mark."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from holdtrue_lab.figures import drawing
from holdtrue_lab.figures.statistics import Estimate, Rate
from holdtrue_lab.kit.groups import Group

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Look = Callable[[Any], int]
"""A function that returns the number of a row's method, which decides the colour and the mark."""


def draw_panels(
    groups: Sequence[Group[Any]],
    name: str,
    height: tuple[float, float],
    draw: Callable[[Axes, Group[Any], Look], None],
    *,
    shows: Callable[[Any], bool] = lambda row: True,
    line: str | None = None,
    more: Sequence[str] = (),
    columns: int = 4,
    **options: Any,
) -> str:
    """Draw a panel for each model, and one legend below. Return the figure as SVG.

    Args:
        groups: The rows of a report by model.
        name: The name of the figure.
        height: The inches outside of the panels, and the inches of each line of panels.
        draw: Draws a panel, given its group of rows and a function that returns the look of a row.
        shows: Returns whether a row is drawn; the methods of drawn rows are in the legend.
        line: The line style of all methods in the legend, such as `none`; by default, each method has its line style.
        more: Names of further lines in the legend.
        columns: The columns of the legend.
        options: Other arguments of `drawing.open_panels`.
    """
    methods = list(dict.fromkeys(drawing.printable(row.title) for group in groups for row in group.whole if shows(row)))

    def look(row: Any) -> int:
        return methods.index(drawing.printable(row.title))

    with drawing.open_panels(name, [group.label for group in groups], height, **options) as (
        figure,
        panels,
        out,
    ):
        for panel, group in zip(panels, groups, strict=False):
            draw(panel, group, look)
            own = {look(row): methods[look(row)] for row in group.whole if shows(row)}
            drawing.name_looks(panel, own.items(), line)
        drawing.line_legend(figure, panels, [*methods, *more], columns=columns)
    return drawing.inline(out)


def draw_against(
    groups: Sequence[Group[Any]],
    name: str,
    x: tuple[str, Callable[[Any], Rate | Estimate]],
    y: tuple[str, Callable[[Any], Rate | Estimate]],
) -> str:
    """Draw one share against another, with 95% bars; `x` and `y` are axis labels with their metrics."""

    def shows(row: Any) -> bool:
        return x[1](row).value is not None and y[1](row).value is not None

    def draw(panel: Axes, group: Group[Any], look: Look) -> None:
        panel.set_xlim(-2, 102)
        panel.set_ylim(-2, 104)
        panel.set_xlabel(x[0])
        panel.set_ylabel(y[0])
        for row in filter(shows, group.whole):
            drawing.draw_mark(panel, look(row), x[1](row), y[1](row), (100, 100))

    return draw_panels(groups, name, (1.1, 2.6), draw, shows=shows, line="none", sharex=True)
