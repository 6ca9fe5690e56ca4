"""This module draws figures as SVG for a page, with fixed colours and marks for methods, and with legends.

It uses no file and no network, and gives the same bytes every time. Text has the font and colour of the page, so it is
readable on light and on dark pages.
"""

from __future__ import annotations

import io
import re
import warnings
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from textwrap import fill
from typing import TYPE_CHECKING, Any

from holdtrue_lab.figures.statistics import Estimate, Rate

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

WIDTH = 9.2  # inches
# People with any kind of colour vision can distinguish these colours (Okabe and Ito), on light and dark pages.
COLOURS = ("#1f82c4", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#8a8a8a", "#b8860b")
STYLES = ("-", "--", ":", "-.")
MARKERS = "os^DvX*P<>"
_TITLE = 60  # the most characters in a line of a title
_BANDS = 0.5  # the total opacity of a panel's bands
_INK = "#010203"  # a placeholder for the page's text colour while matplotlib draws


@contextmanager
def open_figure(name: str, width: float, height: float) -> Iterator[tuple[Figure, io.StringIO]]:
    """Yield a figure to draw on, and the stream that has its SVG after the block."""
    import matplotlib
    from matplotlib.figure import Figure as New

    look: dict[Any, Any] = {
        "svg.hashsalt": name,  # this decides the ids, which must differ between figures of one page
        "svg.fonttype": "none",
        "font.family": "DejaVu Sans",
        "font.size": 8.5,
        "axes.titlesize": 9,
        "axes.titleweight": "bold",
        "axes.spines.top": False,
        "axes.spines.right": False,
        "axes.edgecolor": _INK,
        "axes.labelcolor": _INK,
        "axes.titlecolor": _INK,
        "text.color": _INK,
        "xtick.color": _INK,
        "ytick.color": _INK,
        "hatch.linewidth": 0.6,
        "legend.frameon": False,
        "legend.fontsize": 8,
        "text.parse_math": False,  # a name may hold any character
    }
    out = io.StringIO()
    with matplotlib.rc_context(look), warnings.catch_warnings():
        # The page's font draws the text; matplotlib's font only measures it.
        warnings.filterwarnings("ignore", message="Glyph .* missing from font")
        figure = New(figsize=(width, height), layout="constrained")
        yield figure, out
        figure.savefig(out, format="svg", transparent=True, metadata={"Date": None})


def inline(out: io.StringIO) -> str:
    """Return the drawing for use inside a page, without prologue and unused ids, in the page's font and colour."""
    svg = out.getvalue()
    svg = svg[svg.index("<svg") :]
    svg = re.sub(r"<metadata>.*?</metadata>|<style.*?</style>", "", svg, flags=re.DOTALL)
    svg = svg.replace(_INK, "currentColor").replace("'DejaVu Sans'", "inherit")
    used = set(re.findall(r"#([\w.-]+)", svg))
    svg = re.sub(r' id="([\w.-]+)"', lambda found: found[0] if found[1] in used else "", svg)
    return re.sub(r'width="[\d.]+pt" height="[\d.]+pt" ', "", svg, count=1).strip()


def look(number: int) -> tuple[str, str, str]:
    """Return the colour, marker and line style of the method with this number, from 0."""
    colour, marker = COLOURS[number % len(COLOURS)], MARKERS[number % len(MARKERS)]
    return colour, marker, STYLES[number // len(COLOURS) % len(STYLES)]


def printable(text: str) -> str:
    """Return the text with control characters and lone surrogates replaced."""
    return "".join(character if character.isprintable() else "\ufffd" for character in text)


def line_legend(figure: Figure, panels: Sequence[Axes], names: Sequence[str], columns: int = 4) -> None:
    """Add a legend with those `names`, once each and in this order, that are labels of drawn lines."""
    lines = {line.get_label(): line for panel in panels for line in panel.get_lines()}
    drawn = [name for name in names if name in lines]
    figure.legend([lines[name] for name in drawn], drawn, loc="outside lower left", ncols=columns, handlelength=3)


@contextmanager
def open_panels(
    name: str, titles: Sequence[str], heights: tuple[float, float], *, sharex: bool = False
) -> Iterator[tuple[Figure, list[Axes], io.StringIO]]:
    """Yield a figure with a panel for each title, at most two in a row, and its stream.

    `heights` are the inches outside of the panels, and the inches of each row of panels.
    """
    columns = min(2, len(titles))
    lines = -(-len(titles) // columns)
    with open_figure(name, WIDTH, heights[0] + heights[1] * lines) as (figure, out):
        grid = figure.subplots(lines, columns, sharex=sharex, sharey=True, squeeze=False)
        for panel in grid.flat[len(titles) :]:
            panel.set_visible(False)
        panels = list(grid.flat)
        for panel, title in zip(panels, titles, strict=False):
            panel.set_title(fill(printable(title), _TITLE), loc="left")
        yield figure, panels, out


def draw_mark(panel: Axes, number: int, x: Rate | Estimate, y: Rate | Estimate, scales: tuple[float, float]) -> None:
    """Draw the point `x`, `y`, times `scales`, with 95% bars, in the colour and marker of `look(number)`."""
    colour, marker, _ = look(number)
    panel.errorbar(
        scales[0] * (x.value or 0.0),
        scales[1] * (y.value or 0.0),
        xerr=_bars(x, scales[0]),
        yerr=_bars(y, scales[1]),
        color=colour,
        marker=marker,
        ms=6,
        lw=0.9,
        alpha=0.9,
        ls="none",
    )


def draw_band(panel: Axes, number: int, places: Sequence[int], rates: Sequence[Rate], lines: int, **more: Any) -> None:
    """Draw rates in percent as a line with its 95% band, in the colour, marker and line style of `look(number)`.

    `lines` is the number of such lines in the panel.
    """
    colour, marker, style = look(number)
    low, middle, high = ([100 * (getattr(rate, name) or 0.0) for rate in rates] for name in ("low", "value", "high"))
    panel.fill_between(places, low, high, color=colour, alpha=min(0.13, _BANDS / lines), lw=0)
    panel.plot(places, middle, color=colour, marker=marker, ls=style, ms=4, lw=1.4, **more)


def count_along(panel: Axes, what: str, last: int, margin: float) -> None:
    """Label the x axis of the panel with whole numbers from 1 to `last`."""
    from matplotlib.ticker import MaxNLocator

    panel.set_xlim(1 - margin, last + margin)
    panel.set_xlabel(what)
    panel.xaxis.set_major_locator(MaxNLocator(integer=True, min_n_ticks=1))


def name_looks(panel: Axes, numbered: Iterable[tuple[int, str]], line: str | None = None) -> None:
    """Add empty lines with these names for the legend. Their line style is `line`, or by default that of `look`."""
    for number, name in numbered:
        colour, marker, style = look(number)
        panel.plot([], [], color=colour, marker=marker, ls=line or style, ms=5, lw=1.4, label=name)


def _bars(figure: Rate | Estimate, scale: float) -> list[list[float]] | None:
    """Return the distances from the figure to the ends of its interval, times `scale`; None without an interval."""
    if figure.value is None or figure.low is None or figure.high is None:
        return None
    return [[scale * max(0.0, figure.value - figure.low)], [scale * max(0.0, figure.high - figure.value)]]
