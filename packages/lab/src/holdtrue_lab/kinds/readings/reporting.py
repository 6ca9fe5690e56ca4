"""This module lists what a report about readings shows: tables in order, headline, drawn figure and messages."""

from __future__ import annotations

from holdtrue_lab.figures.cells import p_value, percent
from holdtrue_lab.figures.drawing import inline, line_legend, look, name_looks, open_panels, printable
from holdtrue_lab.kinds.readings.flat import MESSAGES, predict
from holdtrue_lab.kinds.readings.method import RULES
from holdtrue_lab.kinds.readings.metrics import CALIBRATION, MEASURE
from holdtrue_lab.kinds.readings.report import ReadingReport, say_row
from holdtrue_lab.kinds.readings.shown import show_messages
from holdtrue_lab.kinds.readings.tables import CONTENTS
from holdtrue_lab.kit.groups import FigureRow, Group
from holdtrue_lab.kit.headline import Figure, best_of, difference_words
from holdtrue_lab.kit.reporting import Reporting
from holdtrue_lab.kit.words import Number


def draw_risk(report: ReadingReport) -> str:
    """Draw how much of what is taken is wrong against the share that is taken: a panel a model, a line a reader."""
    methods = list(dict.fromkeys(printable(row.title) for row in report.rows))
    titles = [group.label for group in report.groups]
    with open_panels("risk_and_coverage", titles, (1.1, 2.6), sharex=True) as (figure, panels, out):
        for panel, group in zip(panels, report.groups, strict=False):
            panel.set_xlim(0, 102)
            panel.set_xlabel("constraints taken, %")
            panel.set_ylabel("of these wrong, %")
            for row in group.whole:
                found = [own for own in CALIBRATION(row).thresholds if own.risk.value is not None]
                if row.arm.method not in report.controls and found:
                    number = methods.index(printable(row.title))
                    covered = [100 * (own.covered.value or 0.0) for own in found]
                    wrong = [100 * (own.risk.value or 0.0) for own in found]
                    colour, marker, style = look(number)
                    panel.plot(covered, wrong, color=colour, marker=marker, ls=style, ms=5, lw=1.4)
                    name_looks(panel, [(number, methods[number])])
        line_legend(figure, panels, methods)
    return inline(out)


def _strongest(report: ReadingReport, group: Group[FigureRow]) -> tuple[FigureRow | None, FigureRow | None]:
    """Return the row of reading by code alone, and that of the best other reader; each may be None."""
    rows = [row for row in group.whole if row.finished and row.arm.method not in report.controls]
    plain = next((row for row in rows if row.arm.method == RULES), None)
    return plain, best_of((row for row in rows if row is not plain), lambda row: row.accuracy.value)


def _figure(report: ReadingReport, row: FigureRow) -> Figure:
    told = f"exact, over {Number(row.finished):message}"
    return Figure(row.title, percent(row.accuracy.value), say_row(row), told)


def _gain(report: ReadingReport, best: FigureRow, base: FigureRow) -> str:
    for each in report.comparisons:
        if (each.arm, each.other) == (best.arm, base.arm):
            told = difference_words(each.paired, f"{Number(each.paired.problems):message}")
            return f"exact readings of {best.title} over {base.title} {told}, after Holm p {p_value(each.holm)}"
    return ""


REPORTING = Reporting(
    measure=MEASURE,
    report=ReadingReport,
    contents=lambda report: CONTENTS,
    template="reading_page.html.jinja",
    package="holdtrue_lab.kinds.readings",
    figure=_figure,
    gain=_gain,
    strongest=_strongest,
    drawings=lambda report: {"risk_and_coverage": draw_risk(report)},
    compared=MEASURE.metrics.compared,
    conversations=show_messages,
    rows=MESSAGES,
    predictions=predict,
)
