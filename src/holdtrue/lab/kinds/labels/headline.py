"""A report about queries in a few numbers for each model; controls always stand beside the rest."""

from __future__ import annotations

from holdtrue.figures.cells import decimal, p_value, percent, points, points_interval
from holdtrue.lab.kinds.labels.report import LabelReport
from holdtrue.lab.kinds.labels.row import LabelRow
from holdtrue.lab.kit.groups import Group
from holdtrue.lab.kit.headline import Figure, Headline, strongest_pair


def label_headlines(report: LabelReport) -> list[Headline]:
    """One for each model: its best method that no check helps, the best other one, and the controls."""
    return [_headline(report, group) for group in report.groups]


def _headline(report: LabelReport, group: Group[LabelRow]) -> Headline:
    base, best = strongest_pair(report, group)
    controls = [row for row in group.whole if row.arm.method in report.controls]
    figures = tuple(_figure(row) for row in (base, best, *controls) if row is not None)
    gain = "; ".join(_gains(report, best, base)) if base is not None and best is not None else ""
    return Headline(group.label, figures, gain)


def _figure(row: LabelRow) -> Figure:
    sets = row.sets
    return Figure(
        row.title,
        percent(row.accuracy.value),
        f"set consistency {percent(sets.consistent.value)}%, revision cost {decimal(sets.cost.value)}",
        f"accuracy over {row.queries} queries in {row.finished} case{'' if row.finished == 1 else 's'}",
    )


def _gains(report: LabelReport, best: LabelRow, base: LabelRow) -> list[str]:
    return [
        f"{figure.replace('_', ' ')} {points(each.paired.difference)} pp, paired over {each.paired.problems} "
        f"case{'' if each.paired.problems == 1 else 's'} {points_interval(each.paired.low, each.paired.high)}, "
        f"q {p_value(each.q)}"
        for figure in ("accuracy", "set_consistency")
        for each in report.figures[figure]
        if (each.arm, each.other) == (best.arm, base.arm)
    ]
