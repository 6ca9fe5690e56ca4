"""Report tables about failures and repairs: why turns are wrong, and what checks noticed, mended and harmed.

Residual drift is only shown beside accuracy and `ledger_gap`, because a method that projects keeps its own ledger by
construction.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from holdtrue.record import Channel, Trigger
from holdtrue_lab.figures.cells import coverage, divide, percent
from holdtrue_lab.figures.table import Column
from holdtrue_lab.kinds.assignment.row import DriftRow, Retried
from holdtrue_lab.kinds.assignment.tables import ACCURACY, DECIDED, ROW
from holdtrue_lab.kit.tables import BY_DOMAIN, BY_METHOD, Cells, Columns, ReportTable, by_part

TITLES: Mapping[Channel, str] = {
    Channel.DRIFT: "drift",
    Channel.LEDGER_GAP: "ledger gap",
    Channel.CONTRADICTION: "contra\u00addiction",
    Channel.UNPARSED: "un\u00adparsed",
    Channel.REFUSED: "refused",
    Channel.INCOMPLETE: "incom\u00adplete",
    Channel.UNDECIDED: "un\u00addecided",
}


def _share(channel: Channel) -> Callable[[DriftRow], str]:
    return lambda row: percent(row.channels[channel].share)


# What is no whole answer has a table of its own; here it is one column, so that a line adds up to 100.
_NO_ANSWER = (Channel.UNPARSED, Channel.REFUSED, Channel.INCOMPLETE, Channel.UNDECIDED)
_ANSWERS = tuple(channel for channel in TITLES if channel not in _NO_ANSWER)


def _titled(channels: Sequence[Channel]) -> Cells[DriftRow]:
    return {Column(f"{TITLES[channel]} %"): _share(channel) for channel in channels}


def _no_answer(row: DriftRow) -> str:
    return percent(divide(sum(row.channels[channel].turns for channel in _NO_ANSWER), row.wrong))


_WRONG = ROW.count("wrong", lambda row: row.wrong)
_NOTE = (
    "Percent of the wrong turns; every wrong turn is in exactly one channel. No whole answer: unparsed, refused, "
    "incomplete and undecided ones together."
)
_MORE = (
    "Contradiction: the commitments cannot all be kept. Drift: they can, and the answer breaks some. Ledger gap: the "
    "answer keeps the ledger and is wrong all the same, because something was misread. (DRIFT-Bench, table 5, for "
    "every method.)"
)

channels = ReportTable[DriftRow](
    "channels",
    "Why wrong turns are wrong",
    _NOTE,
    BY_METHOD,
    {**ACCURACY, **_WRONG, **_titled(_ANSWERS), Column("no whole answer %"): _no_answer, **DECIDED},
    _MORE,
)
channels_by_domain = ReportTable[DriftRow](
    "channels_by_domain",
    "Why wrong turns are wrong, by domain",
    "Percent of the wrong turns; every wrong turn is in exactly one channel. What is missing to 100 has no whole "
    "answer.",
    BY_DOMAIN,
    {**ACCURACY, **_WRONG, **_titled(_ANSWERS), **DECIDED},
    _MORE,
)
no_answer = ReportTable[DriftRow](
    "no_answer",
    "Wrong turns without a whole answer",
    "Percent of the wrong turns. Refused: the model or a filter declined to answer.",
    BY_METHOD,
    {**ACCURACY, **_WRONG, **_titled(_NO_ANSWER), **DECIDED},
)

published_split = ReportTable[DriftRow](
    "published_split",
    "Why wrong turns are wrong, by the published measure",
    "Percent of the turns that are wrong by the published measure, which also accepts partial answers, and calls "
    "every wrong turn on a satisfiable ledger drift (DRIFT-Bench, table 5). Accuracy is ours, and ledger gap a share "
    "of the turns that are wrong by ours.",
    BY_METHOD,
    {
        **ACCURACY,
        Column("ledger gap, of ours %"): _share(Channel.LEDGER_GAP),
        **ROW.alone("up\u00adstream accu\u00adracy", lambda row: row.upstream_accuracy),
        Column("up\u00adstream drift %"): lambda row: percent(row.upstream_drift.share),
        Column("up\u00adstream unsat %"): lambda row: percent(row.upstream_unsat.share),
        Column("up\u00adstream other %"): lambda row: percent(row.upstream_other.share),
        **DECIDED,
    },
)


def _broken(code: Trigger) -> str:
    return code.value.replace("_", " ").replace("constraint extraction", "ex\u00adtraction")


def _fired(code: Trigger) -> Callable[[DriftRow], str]:
    def show(row: DriftRow) -> str:
        fired = row.triggers[code]
        return f"{fired.events} ({fired.first} > {fired.final})"

    return show


triggers = ReportTable[DriftRow](
    "triggers",
    "Triggers",
    "Events over all attempts (a vote is none); then, in brackets, the turns in which the trigger fired on the "
    "first attempt, and still on the final one (DRIFT-Bench, table 6).",
    BY_METHOD,
    {**{Column(_broken(code)): _fired(code) for code in Trigger}, **DECIDED},
)


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
