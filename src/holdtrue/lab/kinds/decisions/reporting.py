"""This module lists what a report about decisions shows: tables in order, headline, figure and conversations."""

from __future__ import annotations

from holdtrue.figures.cells import coverage, p_value, percent, share
from holdtrue.lab.kinds.decisions.drawn import draw_help_and_harm
from holdtrue.lab.kinds.decisions.flat import CALLS
from holdtrue.lab.kinds.decisions.measure import measure_decisions
from holdtrue.lab.kinds.decisions.method import GUARD
from holdtrue.lab.kinds.decisions.predictions import predict
from holdtrue.lab.kinds.decisions.report import DecisionReport, read_decision_report
from holdtrue.lab.kinds.decisions.row import DecisionRow
from holdtrue.lab.kinds.decisions.shown import show_conversations
from holdtrue.lab.kinds.decisions.tables import CONTENTS
from holdtrue.lab.kit.groups import Group
from holdtrue.lab.kit.headline import Figure, best_of, difference_words
from holdtrue.lab.kit.reporting import Reporting
from holdtrue.lab.kit.words import Number


def _strongest(report: DecisionReport, group: Group[DecisionRow]) -> tuple[DecisionRow | None, DecisionRow | None]:
    """Return the row of the plain guard, and that of the best other method which is no control; each may be None."""
    rows = [row for row in group.whole if row.finished and row.arm.method not in report.controls]
    plain = next((row for row in rows if row.arm.method == GUARD), None)
    return plain, best_of((row for row in rows if row is not plain), lambda row: row.accuracy.value)


def _figure(report: DecisionReport, row: DecisionRow) -> Figure:
    return Figure(
        row.title,
        percent(row.help.caught.value),
        f"missed {share(row.help.missed)}, false blocks {share(row.harm.false_blocks)}, sound calls let through "
        f"{share(row.harm.let_through)}",
        f"caught {coverage(row.help.caught.hits, row.help.caught.of)} broken calls, in "
        f"{Number(row.finished):conversation}",
    )


def _gain(report: DecisionReport, best: DecisionRow, base: DecisionRow) -> str:
    for each in report.comparisons:
        if (each.arm, each.other) == (best.arm, base.arm):
            told = difference_words(each.paired, f"{Number(each.paired.problems):task}")
            return f"right decisions of {best.title} over {base.title} {told}, after Holm p {p_value(each.holm)}"
    return ""


REPORTING = Reporting(
    read=read_decision_report,
    measure=measure_decisions,
    report=DecisionReport,
    contents=lambda report: CONTENTS,
    template="decision_page.html.jinja",
    package="holdtrue.lab.kinds.decisions",
    figure=_figure,
    gain=_gain,
    strongest=_strongest,
    drawings=lambda report: {"help_and_harm": draw_help_and_harm(report)},
    compared={
        "caught": lambda row: row.help.caught,
        "false_blocks": lambda row: row.harm.false_blocks,
        "let_through": lambda row: row.harm.let_through,
        "asked": lambda row: row.help.asked,
    },
    conversations=show_conversations,
    rows=CALLS,
    predictions=predict,
)
