"""What checking and repairing did, for better and for worse (DRIFT-Bench, tables 8 and 10)."""

from __future__ import annotations

from holdtrue.figures.cells import coverage, percent, rate_interval
from holdtrue.figures.table import MODEL, Column, Table, make_table
from holdtrue.lab.kinds.assignment.report import Report
from holdtrue.lab.kinds.assignment.tables.by_row import table_by_row
from holdtrue.lab.kit.by_row import METHOD
from holdtrue.record import Trigger


def harm_and_help(report: Report) -> Table:
    """Alarms against gold, and turns by what repair did to them."""
    return table_by_row(
        report,
        "harm_and_help",
        "Harm and help",
        "An alarm is any trigger on the first attempt: precision is how many alarmed attempts are wrong, recall how "
        "many wrong ones are alarmed. Retried: something was tried after the first attempt, other than drawing "
        "samples. Fixed, harmed, still right and still wrong are turns, by the first attempt and what was delivered.",
        {
            Column("alarm preci\u00adsion %"): lambda row: percent(row.alarm.precision.value),
            Column("alarms", wide=True): lambda row: str(row.alarm.precision.of),
            Column("alarm recall %"): lambda row: percent(row.alarm.recall.value),
            Column("first wrong", wide=True): lambda row: str(row.alarm.recall.of),
            Column("retried"): lambda row: str(row.repair.retried),
            Column("fixed"): lambda row: str(row.repair.fixed),
            Column("harmed"): lambda row: str(row.repair.harmed),
            Column("still right"): lambda row: str(row.repair.still_right),
            Column("still wrong"): lambda row: str(row.repair.still_wrong),
        },
    )


def after_retry(report: Report) -> Table:
    """What came of turns that were tried again, by what had been wrong with the first attempt."""
    lines = []
    for group in report.groups:
        for row in group.whole:
            for code in Trigger:
                found = row.after_retry[code]
                if found.turns:
                    lines.append(
                        (
                            group.label,
                            report.names.method(row.arm),
                            code.value.replace("_", " "),
                            str(found.turns),
                            percent(found.accuracy.value),
                            rate_interval(found.accuracy),
                            coverage(found.accuracy.of, found.turns),
                            percent(found.sat.value),
                        )
                    )
    return make_table(
        "after_retry",
        "After repair, by trigger",
        "Retried turns whose first attempt fired the trigger; a turn that fired several counts for each. Accuracy is "
        "that of what was delivered, sat the turns whose ledger was satisfiable in the end. (DRIFT-Bench, table 10.)",
        [
            MODEL,
            METHOD,
            Column("trigger", words=True),
            Column("turns"),
            Column("accu\u00adracy %"),
            Column("95% interval"),
            Column("scored"),
            Column("sat %"),
        ],
        lines,
    )


def truncation(report: Report) -> Table:
    """Answers clipped by the token limit."""
    return table_by_row(
        report,
        "truncation",
        "Truncation",
        "Turns in which an answer was clipped by the token limit, also where asking again mended it, and accuracy "
        "without those turns. (DRIFT-Bench, table 8.)",
        {
            Column("clipped"): lambda row: str(row.truncation.clipped.hits),
            Column("clipped %"): lambda row: percent(row.truncation.clipped.value),
            Column("accu\u00adracy, all %"): lambda row: percent(row.accuracy.value),
            Column("accu\u00adracy, others %"): lambda row: percent(row.truncation.accuracy.value),
            Column("others scored"): lambda row: str(row.truncation.accuracy.of),
        },
    )
