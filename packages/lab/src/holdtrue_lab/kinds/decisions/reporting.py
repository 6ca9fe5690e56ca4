"""This module lists what a report about decisions shows: tables in order, headline, drawn figure and conversations."""

from __future__ import annotations

from holdtrue_lab.figures.cells import coverage, p_value, percent, share
from holdtrue_lab.figures.drawing import draw_mark, inline, line_legend, name_looks, open_panels, printable
from holdtrue_lab.kinds.decisions.flat import CALLS, predict
from holdtrue_lab.kinds.decisions.method import GUARD
from holdtrue_lab.kinds.decisions.metrics import CAUGHT, FALSE_BLOCKS, LET_THROUGH, MEASURE, MISSED
from holdtrue_lab.kinds.decisions.report import DecisionReport
from holdtrue_lab.kinds.decisions.shown import show_conversations
from holdtrue_lab.kinds.decisions.tables import CONTENTS
from holdtrue_lab.kit.groups import FigureRow, Group
from holdtrue_lab.kit.headline import Figure, best_of, difference_words
from holdtrue_lab.kit.reporting import Reporting
from holdtrue_lab.kit.words import Number


def draw_help_and_harm(report: DecisionReport) -> str:
    """Draw broken calls caught against sound calls let through, with 95% bars: a panel a model, and a mark a method."""
    methods = list(dict.fromkeys(printable(row.title) for row in report.rows))
    titles = [group.label for group in report.groups]
    with open_panels("help_and_harm", titles, (1.1, 2.6), sharex=True) as (figure, panels, out):
        for panel, group in zip(panels, report.groups, strict=False):
            panel.set_xlim(-2, 102)
            panel.set_ylim(-2, 104)
            panel.set_xlabel("sound calls let through, %")
            panel.set_ylabel("broken calls caught, %")
            for row in group.whole:
                if LET_THROUGH(row).value is not None and CAUGHT(row).value is not None:
                    number = methods.index(printable(row.title))
                    draw_mark(panel, number, LET_THROUGH(row), CAUGHT(row), (100, 100))
                    name_looks(panel, [(number, methods[number])], line="none")
        line_legend(figure, panels, methods)
    return inline(out)


def _strongest(report: DecisionReport, group: Group[FigureRow]) -> tuple[FigureRow | None, FigureRow | None]:
    """Return the row of the plain guard, and that of the best other method which is no control; each may be None."""
    rows = [row for row in group.whole if row.finished and row.arm.method not in report.controls]
    plain = next((row for row in rows if row.arm.method == GUARD), None)
    return plain, best_of((row for row in rows if row is not plain), lambda row: row.accuracy.value)


def _figure(report: DecisionReport, row: FigureRow) -> Figure:
    return Figure(
        row.title,
        percent(CAUGHT(row).value),
        f"missed {share(MISSED(row))}, false blocks {share(FALSE_BLOCKS(row))}, sound calls let through "
        f"{share(LET_THROUGH(row))}",
        f"caught {coverage(CAUGHT(row).hits, CAUGHT(row).of)} broken calls, in {Number(row.finished):conversation}",
    )


def _gain(report: DecisionReport, best: FigureRow, base: FigureRow) -> str:
    for each in report.comparisons:
        if (each.arm, each.other) == (best.arm, base.arm):
            told = difference_words(each.paired, f"{Number(each.paired.problems):task}")
            return f"right decisions of {best.title} over {base.title} {told}, after Holm p {p_value(each.holm)}"
    return ""


REPORTING = Reporting(
    measure=MEASURE,
    report=DecisionReport,
    contents=lambda report: CONTENTS,
    template="decision_page.html.jinja",
    package="holdtrue_lab.kinds.decisions",
    figure=_figure,
    gain=_gain,
    strongest=_strongest,
    drawings=lambda report: {"help_and_harm": draw_help_and_harm(report)},
    compared=MEASURE.metrics.compared,
    conversations=show_conversations,
    rows=CALLS,
    predictions=predict,
)
