"""What all figures share: SVG that can be put into a page, the look of lines, and their legend.

No file, no network, the same bytes every time. Text stays text and takes the page's font and colour, so that a figure
reads well on light and on dark.
"""

from __future__ import annotations

import io
import re
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

WIDTH = 9.2  # inches
# Colours that people with any kind of colour vision tell apart (Okabe and Ito), on light and on dark.
COLOURS = ("#1f82c4", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#8a8a8a", "#b8860b")
STYLES = ("-", "--", ":", "-.")
MARKERS = "os^DvX*P<>"
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
