"""The parts of a report about assignments: tables, headline, drawn figures, and the problems that are shown in full."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from holdtrue.record import Channel
from holdtrue_lab.figures import drawing
from holdtrue_lab.figures.cells import coverage, p_value, percent
from holdtrue_lab.kinds.assignment.flat import TURNS
from holdtrue_lab.kinds.assignment.metrics import (
    ABSTAINED,
    ALARM_PRECISION,
    ALARM_RECALL,
    CHANNELS,
    CHURN,
    DECIDED,
    DEPTH,
    MEASURE,
    PLAYED,
    RETENTION,
    RETENTION_OF_SAME,
    SCORED,
    UPSTREAM_DRIFT,
    UPSTREAM_OTHER,
    UPSTREAM_RIGHT,
    UPSTREAM_UNSAT,
    WRONG,
    Depth,
    Share,
)
from holdtrue_lab.kinds.assignment.report import Report
from holdtrue_lab.kinds.assignment.shown import show_problems
from holdtrue_lab.kinds.assignment.tables import CONTENTS
from holdtrue_lab.kit.groups import FigureRow, Group
from holdtrue_lab.kit.headline import Figure, difference_words
from holdtrue_lab.kit.panels import Look, draw_panels
from holdtrue_lab.kit.reporting import Reporting
from holdtrue_lab.kit.words import Number

if TYPE_CHECKING:
    import matplotlib.figure
    from matplotlib.axes import Axes


# These colours suit every kind of colour vision, on light and dark pages (Okabe and Ito). Hatches repeat them.
LOOKS: Mapping[Channel, tuple[str, str]] = {
    Channel.DRIFT: ("#1f82c4", ""),
    Channel.LEDGER_GAP: ("#cc79a7", "..."),
    Channel.CONTRADICTION: ("#d55e00", "////"),
    Channel.UNPARSED: ("#8a8a8a", ""),
    Channel.REFUSED: ("#009e73", "++"),
    Channel.INCOMPLETE: ("#56b4e9", "\\\\\\\\"),
    Channel.UNDECIDED: ("#e0c020", "xxx"),
}
# The published reasons for wrong turns are three: drift, unsat and other.
PUBLISHED_LOOKS = (LOOKS[Channel.DRIFT], LOOKS[Channel.CONTRADICTION], LOOKS[Channel.UNPARSED])
_ALSO = {Channel.CONTRADICTION: "contradiction (unsat)", Channel.UNPARSED: "unparsed (other)"}
_ROW = 0.24  # the height of a bar's row in inches


def draw_channels(groups: Sequence[Group[FigureRow]]) -> str:
    """Draw the reasons for wrong turns, ours and the published ones, as stacked bars for each method of each model."""
    lines = sum(len(group.whole) + 1 for group in groups)
    with drawing.open_figure("channels", drawing.WIDTH, 0.9 + _ROW * lines) as (figure, out):
        ours, published = figure.subplots(1, 2, sharey=True, width_ratios=(1.6, 1))
        places: list[int] = []
        labels: list[str] = []
        y = 0
        for group in groups:
            ours.text(1, y, drawing.printable(group.label), va="center", fontweight="bold")
            for row in group.whole:
                y += 1
                places.append(y)
                labels.append(f"{drawing.printable(row.title)}   {percent(row.accuracy.value)}%")
                _stack(ours, y, [(CHANNELS(row)[channel], style) for channel, style in LOOKS.items()])
                _stack(published, y, list(zip(_published(row), PUBLISHED_LOOKS, strict=True)))
                ours.text(101, y, str(WRONG(row)), va="center", fontsize=7.5)
            y += 1
        ours.set_yticks(places, labels)
        ours.set_ylim(lines - 0.4, -0.6)
        for axes, title in ((ours, "seven channels"), (published, "as published")):
            axes.set_title(title, loc="left")
            axes.set_xlim(0, 100)
            axes.set_xlabel("% of wrong turns")
            axes.tick_params(axis="y", length=0)
        _channel_legend(figure)
    return drawing.inline(out)


def draw_depth(groups: Sequence[Group[FigureRow]]) -> str:
    """Draw accuracy by turn with 95% bands. Each model has a panel, and each method a line in it."""

    def draw(panel: Axes, group: Group[FigureRow], look: Look) -> None:
        _turns(panel, [DEPTH(row) for row in group.whole])
        for row in group.whole:
            _curve(panel, DEPTH(row), look(row), len(group.whole))

    return draw_panels(groups, "depth", (0.8, 2.5), draw)


def draw_across(groups: Sequence[Group[FigureRow]], method: str) -> str:
    """Draw the accuracy of one method by turn, with a line for each model."""
    with drawing.open_figure("across", drawing.WIDTH * 0.62, 2.9 + 0.2 * len(groups)) as (figure, out):
        panel = figure.subplots()
        drawn = [
            (number, row, drawing.printable(group.label))
            for number, group in enumerate(groups)
            for row in group.whole
            if row.arm.method == method
        ]
        panel.set_title(drawing.printable(method), loc="left")
        _turns(panel, [DEPTH(row) for _, row, _ in drawn])
        for number, row, label in drawn:
            _curve(panel, DEPTH(row), number, len(drawn), label=label)
        drawing.line_legend(figure, [panel], [drawing.printable(group.label) for group in groups], columns=1)
    return drawing.inline(out)


def _turns(panel: Axes, depths: Sequence[Sequence[Depth]]) -> None:
    panel.set_ylim(-2, 102)
    panel.set_ylabel("turns right, %")
    drawing.count_along(panel, "turn", max((point.turn for depth in depths for point in depth), default=1), 0.5)


def _curve(panel: Axes, depth: Sequence[Depth], number: int, lines: int, **more: str) -> None:
    points = [point for point in depth if point.accuracy.value is not None]
    drawing.draw_band(
        panel, number, [point.turn for point in points], [point.accuracy for point in points], lines, **more
    )


def _stack(axes: Axes, y: float, parts: Sequence[tuple[Share, tuple[str, str]]]) -> None:
    left = 0.0
    for share, (colour, hatch) in parts:
        if share.share:
            axes.barh(y, 100 * share.share, left=left, height=0.72, color=colour, hatch=hatch, edgecolor="white", lw=0)
            left += 100 * share.share


def _published(row: FigureRow) -> tuple[Share, Share, Share]:
    return UPSTREAM_DRIFT(row), UPSTREAM_UNSAT(row), UPSTREAM_OTHER(row)


def _channel_legend(figure: matplotlib.figure.Figure) -> None:
    from matplotlib.patches import Patch

    figure.legend(
        [Patch(facecolor=colour, hatch=hatch, edgecolor="white", lw=0) for colour, hatch in LOOKS.values()],
        [_ALSO.get(channel, channel.value.replace("_", " ")) for channel in LOOKS],
        loc="outside lower left",
        ncols=len(LOOKS),
    )


PUBLISHED = "mus_repair"  # the published figure compares models under this method


def _figure(report: Report, row: FigureRow) -> Figure:
    # Drift says nothing alone, so the ledger gap is always shown with it, even if it is 0.
    shown = {channel: share.turns for channel, share in CHANNELS(row).items() if share.turns}
    if Channel.DRIFT in shown:
        shown.setdefault(Channel.LEDGER_GAP, 0)
    parts = ", ".join(f"{channel.value.replace('_', ' ')} {turns}" for channel, turns in shown.items())
    return Figure(
        report.names.method(row.arm),
        percent(row.accuracy.value),
        f"{WRONG(row)} wrong: {parts}" if parts else f"{WRONG(row)} wrong",
        f"{coverage(SCORED(row), PLAYED(row))} turns scored, {coverage(DECIDED(row), PLAYED(row))} decided",
    )


def _gain(report: Report, best: FigureRow, base: FigureRow) -> str:
    for each in report.comparisons:
        if (each.arm, each.other) == (best.arm, base.arm):
            return f"{difference_words(each.paired, f'{Number(each.paired.problems):problem}')}, q {p_value(each.q)}"
    return ""


def _drawings(report: Report) -> Mapping[str, str]:
    across = _method_across(report)
    return {
        "channels": draw_channels(report.groups),
        "depth": draw_depth(report.groups),
        "across": draw_across(report.groups, across) if across else "",
    }


def _method_across(report: Report) -> str | None:
    """Return the method under which models are compared.

    It is `PUBLISHED` if all models have played it, or otherwise the best method that all have played.
    """
    if len(report.groups) < 2:
        return None
    means: dict[str, float] = {}
    for method in {row.arm.method for row in report.groups[0].whole if row.arm.method not in report.controls}:
        values = [row.accuracy.value for row in report.rows if row.arm.method == method]
        known = [value for value in values if value is not None]
        if len(known) == len(report.groups):
            means[method] = sum(known) / len(known)
    return max(means, key=lambda method: (method == PUBLISHED, means[method], method), default=None)


REPORTING = Reporting(
    measure=MEASURE,
    report=Report,
    contents=lambda report: CONTENTS,
    template="page.html.jinja",
    package="holdtrue_lab.kinds.assignment",
    figure=_figure,
    gain=_gain,
    drawings=_drawings,
    compared={
        "upstream_accuracy": UPSTREAM_RIGHT,
        "retention_published": RETENTION,
        "retention_same_problems": RETENTION_OF_SAME,
        "alarms_right": ALARM_PRECISION,
        "alarms_found": ALARM_RECALL,
        "churn": CHURN,
        "abstained": ABSTAINED,
    },
    conversations=show_problems,
    controls=False,
    rows=TURNS,
)
