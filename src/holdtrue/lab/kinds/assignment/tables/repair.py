"""Report tables about checks and repairs: what they mended, and what they harmed (DRIFT-Bench, tables 8 and 10)."""

from __future__ import annotations

from collections.abc import Iterator

from holdtrue.figures.cells import coverage, percent
from holdtrue.figures.table import Column
from holdtrue.lab.kinds.assignment.row import DriftRow, Retried
from holdtrue.lab.kinds.assignment.tables import ACCURACY, DECIDED, ROW
from holdtrue.lab.kit.tables import BY_METHOD, Columns, ReportTable, by_part
from holdtrue.record import Trigger

alarms = ReportTable[DriftRow](
    "alarms",
    "Alarms",
    "An alarm is any trigger on the first attempt. Precision: how many alarmed attempts are wrong; recall: how many "
    "wrong ones are alarmed.",
    BY_METHOD,
    {
        **ROW.share("alarm preci\u00adsion", lambda row: row.alarm.precision),
        Column("alarms"): lambda row: str(row.alarm.precision.of),
        **ROW.share("alarm recall", lambda row: row.alarm.recall),
        Column("first wrong"): lambda row: str(row.alarm.recall.of),
        **DECIDED,
    },
)

harm_and_help = ReportTable[DriftRow](
    "harm_and_help",
    "Harm and help",
    "Fixed, harmed, still right and still wrong are turns, by the first attempt and what was delivered. Retried: "
    "something was tried after the first attempt, other than drawing samples; the table of retries says how often that "
    "was the same request again.",
    BY_METHOD,
    {
        **ACCURACY,
        **ROW.count("retried", lambda row: row.repair.retried),
        **ROW.count("fixed", lambda row: row.repair.fixed),
        **ROW.count("harmed", lambda row: row.repair.harmed),
        **ROW.count("still right", lambda row: row.repair.still_right),
        **ROW.count("still wrong", lambda row: row.repair.still_wrong),
        **DECIDED,
    },
)


def _retried(row: DriftRow) -> Iterator[tuple[str, Retried]]:
    found = ((code, row.after_retry[code]) for code in Trigger)
    return ((code.value.replace("_", " "), retried) for code, retried in found if retried.turns)


after_retry = ReportTable[Retried](
    "after_retry",
    "After repair, by trigger",
    "Retried turns whose first attempt fired the trigger; a turn that fired several counts for each. Accuracy is "
    "that of what was delivered, sat the turns whose ledger was satisfiable in the end (DRIFT-Bench, table 10).",
    by_part("trigger", _retried),
    {
        Column("turns"): lambda found: str(found.turns),
        **Columns[Retried]().share("accu\u00adracy", lambda found: found.accuracy),
        Column("scored"): lambda found: coverage(found.accuracy.of, found.turns),
        Column("sat %"): lambda found: percent(found.sat.value),
    },
)

truncation = ReportTable[DriftRow](
    "truncation",
    "Truncation",
    "Turns in which an answer was clipped by the token limit, also where asking again mended it, and accuracy "
    "without those turns (DRIFT-Bench, table 8).",
    BY_METHOD,
    {
        **ROW.count("clipped", lambda row: row.truncation.clipped.hits),
        **ROW.alone("clipped", lambda row: row.truncation.clipped),
        **ROW.alone("accu\u00adracy, all", lambda row: row.accuracy),
        **ROW.alone("accu\u00adracy, others", lambda row: row.truncation.accuracy),
        **ROW.count("others scored", lambda row: row.truncation.accuracy.of),
        **DECIDED,
    },
)
