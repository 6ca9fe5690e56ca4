"""The parts that all figures share: SVG that can stand in a page, the look of lines, and their legend.

No file, no network, the same bytes every time. Text stays text and takes the page's font and colour, so that a figure
reads well on light and on dark.
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
# Colours that people with any kind of colour vision tell apart (Okabe and Ito), on light and on dark.
COLOURS = ("#1f82c4", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#8a8a8a", "#b8860b")
STYLES = ("-", "--", ":", "-.")
MARKERS = "os^DvX*P<>"
_TITLE = 60  # characters
_BANDS = 0.5  # the opacity of all bands of a panel together: many at full strength would hide the lines
_INK = "#010203"  # stands for the page's own text colour while matplotlib draws


@contextmanager
def open_figure(name: str, width: float, height: float) -> Iterator[tuple[Figure, io.StringIO]]:
    """A figure to draw on, written when the block ends."""
    import matplotlib
    from matplotlib.figure import Figure as New

    look: dict[Any, Any] = {
        "svg.hashsalt": name,  # ids, which must differ between figures of one page
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
        # The page's font draws the text; matplotlib's own is only for measuring it.
        warnings.filterwarnings("ignore", message="Glyph .* missing from font")
        figure = New(figsize=(width, height), layout="constrained")
        yield figure, out
        figure.savefig(out, format="svg", transparent=True, metadata={"Date": None})


def inline(out: io.StringIO) -> str:
    """The drawing as it can stand inside a page: no prologue, no unused ids, the page's font and colour."""
    svg = out.getvalue()
    svg = svg[svg.index("<svg") :]
    svg = re.sub(r"<metadata>.*?</metadata>|<style.*?</style>", "", svg, flags=re.DOTALL)
    svg = svg.replace(_INK, "currentColor").replace("'DejaVu Sans'", "inherit")
    used = set(re.findall(r"#([\w.-]+)", svg))
    svg = re.sub(r' id="([\w.-]+)"', lambda found: found[0] if found[1] in used else "", svg)
    return re.sub(r'width="[\d.]+pt" height="[\d.]+pt" ', "", svg, count=1).strip()


def look(number: int) -> tuple[str, str, str]:
    """Colour, marker and line style of the method at this place, from 0."""
    colour, marker = COLOURS[number % len(COLOURS)], MARKERS[number % len(MARKERS)]
    return colour, marker, STYLES[number // len(COLOURS) % len(STYLES)]


def printable(text: str) -> str:
    """The text without what no drawing can hold: control characters, and halves of characters."""
    return "".join(character if character.isprintable() else "\ufffd" for character in text)


def line_legend(figure: Figure, panels: Sequence[Axes], names: Sequence[str], columns: int = 4) -> None:
    """Each name once, in this order, with a line that has it."""
    lines = {line.get_label(): line for panel in panels for line in panel.get_lines()}
    drawn = [name for name in names if name in lines]
    figure.legend([lines[name] for name in drawn], drawn, loc="outside lower left", ncols=columns, handlelength=3)


@contextmanager
def open_panels(
    name: str, titles: Sequence[str], heights: tuple[float, float], *, sharex: bool = False
) -> Iterator[tuple[Figure, list[Axes], io.StringIO]]:
    """A figure with a panel for each title, at most two side by side; `heights` are above all, and of each line."""
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
    """Draw two figures, times these scales, as a mark with 95% bars, in the look of this number."""
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
    """Draw rates in percent as a line with its 95% band, in the look of this number; `lines` are in the panel."""
    colour, marker, style = look(number)
    low, middle, high = ([100 * (getattr(rate, name) or 0.0) for rate in rates] for name in ("low", "value", "high"))
    panel.fill_between(places, low, high, color=colour, alpha=min(0.13, _BANDS / lines), lw=0)
    panel.plot(places, middle, color=colour, marker=marker, ls=style, ms=4, lw=1.4, **more)


def count_along(panel: Axes, what: str, last: int, margin: float) -> None:
    """Count along the panel in whole numbers from 1 to the last."""
    from matplotlib.ticker import MaxNLocator

    panel.set_xlim(1 - margin, last + margin)
    panel.set_xlabel(what)
    panel.xaxis.set_major_locator(MaxNLocator(integer=True, min_n_ticks=1))


def name_looks(panel: Axes, numbered: Iterable[tuple[int, str]], line: str | None = None) -> None:
    """Let the legend know names by lines that bear them: all styles are the one given, or that of each look."""
    for number, name in numbered:
        colour, marker, style = look(number)
        panel.plot([], [], color=colour, marker=marker, ls=line or style, ms=5, lw=1.4, label=name)


def _bars(figure: Rate | Estimate, scale: float) -> list[list[float]] | None:
    """Return how far the interval reaches below and above the figure, each times `scale`; None without an interval."""
    if figure.value is None or figure.low is None or figure.high is None:
        return None
    return [[scale * max(0.0, figure.value - figure.low)], [scale * max(0.0, figure.high - figure.value)]]
