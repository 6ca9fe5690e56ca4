"""Methods that answer queries, held against each other."""

from __future__ import annotations

from holdtrue.figures.cells import p_value, percent, points, points_interval
from holdtrue.figures.table import MODEL, Column, Table, make_table
from holdtrue.lab.kinds.labels.plays import FIGURES
from holdtrue.lab.kinds.labels.report import LabelReport
from holdtrue.lab.kit.arm import Arm
from holdtrue.lab.kit.by_row import METHOD


def paired_figures(report: LabelReport) -> Table:
    """Every method against its reference and the strongest other one that no check helps, on every figure."""
    found = {(each.arm, each.other, figure): each for figure in FIGURES for each in report.figures.get(figure, ())}
    # Figures of one pair stand together, accuracy first: consistency alone would say nothing.
    pairs: dict[tuple[Arm, Arm], None] = dict.fromkeys((arm, other) for arm, other, _ in found)
    told = [
        (arm, other, figure, found[arm, other, figure])
        for arm, other in pairs
        if (arm, other, FIGURES[0]) in found
        for figure in FIGURES
        if (arm, other, figure) in found
    ]
    return make_table(
        "paired_figures",
        "Paired tests",
        "Each method against the simplest one, and against the strongest other one that asks the model and no solver. "
        "Difference over cases, each counting once, in percentage points, with its 95% bootstrap interval, the p-value "
        "of a two-sided sign-permutation test, and q after Benjamini-Hochberg over all comparisons on that figure. "
        f"Kept: the share of labels that need not be withdrawn. {report.caution}",
        [
            MODEL,
            METHOD,
            Column("against", words=True),
            Column("figure", words=True),
            Column("method %"),
            Column("other %"),
            Column("differ\u00adence, pp"),
            Column("95% interval"),
            Column("p"),
            Column("q"),
            Column("cases"),
        ],
        [
            (
                report.names.model(arm),
                report.names.method(arm),
                report.names.method(other),
                figure.replace("_", " "),
                percent(each.accuracy),
                percent(each.other_accuracy),
                points(each.paired.difference),
                points_interval(each.paired.low, each.paired.high),
                p_value(each.paired.p),
                p_value(each.q),
                str(each.paired.problems),
            )
            for arm, other, figure, each in told
        ],
    )
