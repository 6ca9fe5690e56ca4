"""This module lists what a report about readings shows: tables in order, headline, figure and dialogues."""

from __future__ import annotations

from holdtrue.figures.cells import p_value, percent
from holdtrue.lab.kinds.readings.drawn import draw_risk
from holdtrue.lab.kinds.readings.flat import MESSAGES
from holdtrue.lab.kinds.readings.measure import measure_readings
from holdtrue.lab.kinds.readings.method import RULES
from holdtrue.lab.kinds.readings.predictions import predict
from holdtrue.lab.kinds.readings.report import ReadingReport, read_reading_report, say_row
from holdtrue.lab.kinds.readings.row import ReadingRow
from holdtrue.lab.kinds.readings.shown import show_dialogues
from holdtrue.lab.kinds.readings.tables import CONTENTS
from holdtrue.lab.kit.groups import Group
from holdtrue.lab.kit.headline import Figure, best_of, difference_words
from holdtrue.lab.kit.reporting import Reporting
from holdtrue.lab.kit.words import Number


def _strongest(report: ReadingReport, group: Group[ReadingRow]) -> tuple[ReadingRow | None, ReadingRow | None]:
    """Return the row of reading by code alone, and that of the best other reader; each may be None."""
    rows = [row for row in group.whole if row.finished and row.arm.method not in report.controls]
    plain = next((row for row in rows if row.arm.method == RULES), None)
    return plain, best_of((row for row in rows if row is not plain), _worth)


def _worth(row: ReadingRow) -> float | None:
    return row.events.f1.value if row.items is None else row.items.exact.value


def _figure(report: ReadingReport, row: ReadingRow) -> Figure:
    if row.items is not None:
        return Figure(row.title, percent(_worth(row)), say_row(row), f"exact, over {Number(row.messages):message}")
    return Figure(
        row.title,
        percent(_worth(row)),
        say_row(row),
        f"F1 of events, over {Number(row.messages):message} in {Number(row.finished):dialogue}",
    )


def _gain(report: ReadingReport, best: ReadingRow, base: ReadingRow) -> str:
    for each in report.comparisons:
        if (each.arm, each.other) == (best.arm, base.arm):
            unit, right = ("dialogue", "right ledgers") if best.items is None else ("message", "exact readings")
            told = difference_words(each.paired, format(Number(each.paired.problems), unit))
            return f"{right} of {best.title} over {base.title} {told}, after Holm p {p_value(each.holm)}"
    return ""


REPORTING = Reporting(
    read=read_reading_report,
    measure=measure_readings,
    report=ReadingReport,
    contents=lambda report: CONTENTS,
    template="reading_page.html.jinja",
    package="holdtrue.lab.kinds.readings",
    figure=_figure,
    gain=_gain,
    strongest=_strongest,
    drawings=lambda report: {"risk_and_coverage": draw_risk(report)},
    compared={
        "f1": lambda row: row.events.f1,
        "recall": lambda row: row.events.recall,
        "sound": lambda row: row.sound,
    },
    conversations=show_dialogues,
    rows=MESSAGES,
    predictions=predict,
)
