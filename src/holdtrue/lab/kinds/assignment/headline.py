"""A report in a few numbers for each model."""

from __future__ import annotations

from holdtrue.figures.cells import coverage, p_value, percent, points, points_interval
from holdtrue.lab.kinds.assignment.report import Report
from holdtrue.lab.kinds.assignment.row import DriftRow
from holdtrue.lab.kit.comparison import Comparison
from holdtrue.lab.kit.groups import Group
from holdtrue.lab.kit.headline import Figure, Headline, strongest_pair
from holdtrue.record import Channel


def headlines(report: Report) -> list[Headline]:
    """One for each model; controls, which never ask it, are left out."""
    return [_headline(report, group) for group in report.groups]


def _headline(report: Report, group: Group[DriftRow]) -> Headline:
    base, best = strongest_pair(report, group)
    found = [each for each in report.comparisons if base and best and (each.arm, each.other) == (best.arm, base.arm)]
    figures = tuple(_figure(report, row) for row in (base, best) if row is not None)
    return Headline(group.label, figures, _gain(found[0]) if found else "")


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


def _gain(found: Comparison) -> str:
    paired = found.paired
    return (
        f"{points(paired.difference)} pp, paired over {paired.problems} problem{'s' if paired.problems != 1 else ''} "
        f"{points_interval(paired.low, paired.high)}, q {p_value(found.q)}"
    )
