"""This module lists what a report about assignments shows: tables in order, headline, drawn figures and problems."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from holdtrue.record import Channel
from holdtrue_lab.figures import drawing
from holdtrue_lab.figures.cells import coverage, p_value, percent
from holdtrue_lab.kinds.assignment.flat import TURNS
from holdtrue_lab.kinds.assignment.measured import measure_run
from holdtrue_lab.kinds.assignment.report import Report
from holdtrue_lab.kinds.assignment.row import Depth, DriftRow, Share
from holdtrue_lab.kinds.assignment.shown import show_problems
from holdtrue_lab.kinds.assignment.tables import accuracy
from holdtrue_lab.kinds.assignment.tables.comparisons import (
    every_pair_of_methods,
    overlap_of_methods,
    overlap_of_models,
    paired_tests,
    still_wrong,
    summary,
)
from holdtrue_lab.kinds.assignment.tables.failures import (
    after_retry,
    alarms,
    channels,
    channels_by_domain,
    harm_and_help,
    no_answer,
    published_split,
    triggers,
    truncation,
)
from holdtrue_lab.kinds.assignment.tables.ledger import cost, cost_of_measuring, delivery, ledger, structure
from holdtrue_lab.kit.cost_tables import COST_TABLES, right_cost
from holdtrue_lab.kit.groups import Group
from holdtrue_lab.kit.headline import Figure, difference_words
from holdtrue_lab.kit.reporting import Reporting, figures_at
from holdtrue_lab.kit.tables import Contents
from holdtrue_lab.kit.words import Number

if TYPE_CHECKING:
    import matplotlib.figure
    from matplotlib.axes import Axes


# Colours that people with any kind of colour vision tell apart (Okabe and Ito), on light and on dark; hatches,
# line styles and markers say the same once more.
CHANNELS: Mapping[Channel, tuple[str, str]] = {
    Channel.DRIFT: ("#1f82c4", ""),
    Channel.LEDGER_GAP: ("#cc79a7", "..."),
    Channel.CONTRADICTION: ("#d55e00", "////"),
    Channel.UNPARSED: ("#8a8a8a", ""),
    Channel.REFUSED: ("#009e73", "++"),
    Channel.INCOMPLETE: ("#56b4e9", "\\\\\\\\"),
    Channel.UNDECIDED: ("#e0c020", "xxx"),
}
# The published split says drift, unsat and other.
PUBLISHED_CHANNELS = (CHANNELS[Channel.DRIFT], CHANNELS[Channel.CONTRADICTION], CHANNELS[Channel.UNPARSED])
_ALSO = {Channel.CONTRADICTION: "contradiction (unsat)", Channel.UNPARSED: "unparsed (other)"}
_ROW = 0.24  # inches


def draw_channels(groups: Sequence[Group[DriftRow]]) -> str:
    """Draw why wrong turns are wrong, by our channels and the published ones: a bar for each method of each model."""
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
                _stack(ours, y, [(row.channels[channel], style) for channel, style in CHANNELS.items()])
                _stack(published, y, list(zip(_published(row), PUBLISHED_CHANNELS, strict=True)))
                ours.text(101, y, str(row.wrong), va="center", fontsize=7.5)
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


def draw_depth(groups: Sequence[Group[DriftRow]]) -> str:
    """Draw accuracy by turn with 95% bands: a panel for each model, and in it a line for each method."""
    methods = list(dict.fromkeys(drawing.printable(row.title) for group in groups for row in group.whole))
    with drawing.open_panels("depth", [group.label for group in groups], (0.8, 2.5)) as (figure, panels, out):
        for panel, group in zip(panels, groups, strict=False):
            _turns(panel, [row.depth for row in group.whole])
            for row in group.whole:
                method = drawing.printable(row.title)
                _curve(panel, row.depth, methods.index(method), method, len(group.whole))
        drawing.line_legend(figure, panels, methods)
    return drawing.inline(out)


def draw_across(groups: Sequence[Group[DriftRow]], method: str) -> str:
    """Draw the accuracy of one method by turn: a line for each model."""
    with drawing.open_figure("across", drawing.WIDTH * 0.62, 2.9 + 0.2 * len(groups)) as (figure, out):
        panel = figure.subplots()
        drawn = [
            (number, row, drawing.printable(group.label))
            for number, group in enumerate(groups)
            for row in group.whole
            if row.arm.method == method
        ]
        panel.set_title(drawing.printable(method), loc="left")
        _turns(panel, [row.depth for _, row, _ in drawn])
        for number, row, label in drawn:
            _curve(panel, row.depth, number, label, len(drawn))
        drawing.line_legend(figure, [panel], [drawing.printable(group.label) for group in groups], columns=1)
    return drawing.inline(out)


def _turns(panel: Axes, depths: Sequence[Sequence[Depth]]) -> None:
    panel.set_ylim(-2, 102)
    panel.set_ylabel("turns right, %")
    drawing.count_along(panel, "turn", max((point.turn for depth in depths for point in depth), default=1), 0.5)


def _curve(panel: Axes, depth: Sequence[Depth], number: int, label: str, lines: int) -> None:
    points = [point for point in depth if point.accuracy.value is not None]
    drawing.draw_band(
        panel, number, [point.turn for point in points], [point.accuracy for point in points], lines, label=label
    )


def _stack(axes: Axes, y: float, parts: Sequence[tuple[Share, tuple[str, str]]]) -> None:
    left = 0.0
    for share, (colour, hatch) in parts:
        if share.share:
            axes.barh(y, 100 * share.share, left=left, height=0.72, color=colour, hatch=hatch, edgecolor="white", lw=0)
            left += 100 * share.share


def _published(row: DriftRow) -> tuple[Share, Share, Share]:
    return row.upstream_drift, row.upstream_unsat, row.upstream_other


def _channel_legend(figure: matplotlib.figure.Figure) -> None:
    from matplotlib.patches import Patch

    figure.legend(
        [Patch(facecolor=colour, hatch=hatch, edgecolor="white", lw=0) for colour, hatch in CHANNELS.values()],
        [_ALSO.get(channel, channel.value.replace("_", " ")) for channel in CHANNELS],
        loc="outside lower left",
        ncols=len(CHANNELS),
    )


PUBLISHED = "mus_repair"  # the method of the published figure across models
CONTENTS = Contents(
    sections=(
        (
            "Accuracy",
            (
                *(summary, accuracy.accuracy, accuracy.accuracy_against_direct, paired_tests, every_pair_of_methods),
                *(accuracy.accuracy_by_domain, accuracy.accuracy_by_turn, accuracy.retention),
            ),
        ),
        (
            "Failures",
            (
                *(channels, no_answer, still_wrong, published_split, channels_by_domain),
                *(overlap_of_models, overlap_of_methods),
            ),
        ),
        ("Checking and repair", (alarms, harm_and_help, triggers, after_retry, truncation)),
        ("Ledger, cost, problems", (ledger, delivery, cost, cost_of_measuring, *COST_TABLES, structure)),
    ),
    short=(accuracy.accuracy, channels, right_cost),
)


def _figure(report: Report, row: DriftRow) -> Figure:
    # Drift never without ledger gap and accuracy beside it, also where there is no gap.
    shown = {channel: share.turns for channel, share in row.channels.items() if share.turns}
    if Channel.DRIFT in shown:
        shown.setdefault(Channel.LEDGER_GAP, 0)
    parts = ", ".join(f"{channel.value.replace('_', ' ')} {turns}" for channel, turns in shown.items())
    return Figure(
        report.names.method(row.arm),
        percent(row.accuracy.value),
        f"{row.wrong} wrong: {parts}" if parts else f"{row.wrong} wrong",
        f"{coverage(row.scored, row.turns)} turns scored, {coverage(row.decided, row.turns)} decided",
    )


def _gain(report: Report, best: DriftRow, base: DriftRow) -> str:
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
    """Return the method by which several models are compared: the published one, or else the best that all have."""
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
    measure=measure_run,
    report=Report,
    contents=lambda report: CONTENTS,
    template="page.html.jinja",
    package="holdtrue_lab.kinds.assignment",
    figure=_figure,
    gain=_gain,
    drawings=_drawings,
    compared=figures_at(
        "upstream_accuracy retention_published=retention.published "
        "retention_same_problems=retention.same_problems alarms_right=alarm.precision alarms_found=alarm.recall "
        "churn=ledger.churn abstained"
    ),
    conversations=show_problems,
    controls=False,
    rows=TURNS,
)
