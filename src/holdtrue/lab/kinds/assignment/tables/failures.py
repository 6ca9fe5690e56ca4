"""Why wrong turns are wrong, and what was noticed (DRIFT-Bench, tables 5 and 6).

Residual drift is only ever shown beside accuracy and `ledger_gap`: a method that projects keeps its own ledger
by construction.
"""

from __future__ import annotations

from collections.abc import Mapping

from holdtrue.figures.cells import percent
from holdtrue.figures.table import Column, Table
from holdtrue.lab.kinds.assignment.report import Report
from holdtrue.lab.kinds.assignment.row import DriftRow
from holdtrue.lab.kinds.assignment.tables.by_row import Cell, table_by_row
from holdtrue.record import Channel, Trigger

TITLES: Mapping[Channel, str] = {
    Channel.DRIFT: "drift",
    Channel.LEDGER_GAP: "ledger gap",
    Channel.CONTRADICTION: "contra\u00addiction",
    Channel.UNPARSED: "un\u00adparsed",
    Channel.REFUSED: "refused",
    Channel.INCOMPLETE: "incom\u00adplete",
    Channel.UNDECIDED: "un\u00addecided",
}


def channels(report: Report) -> Table:
    """The seven channels of each method."""
    return _channels(report, "channels", "Why wrong turns are wrong", by_domain=False)


def channels_by_domain(report: Report) -> Table:
    """The seven channels of each method in each domain."""
    return _channels(report, "channels_by_domain", "Why wrong turns are wrong, by domain", by_domain=True)


def _channels(report: Report, name: str, title: str, *, by_domain: bool) -> Table:
    cells: dict[Column, Cell] = {
        Column("accu\u00adracy %"): lambda row: percent(row.accuracy.value),
        Column("wrong"): lambda row: str(row.wrong),
    }
    # Most models refuse nothing: a column of noughts would only push the others off a narrow screen.
    cells |= {
        Column(f"{title} %", optional=channel is Channel.REFUSED): _share(channel) for channel, title in TITLES.items()
    }
    note = (
        "Percent of the wrong turns; every wrong turn is in exactly one channel. Contradiction: the commitments cannot "
        "all be kept. Drift: they can, and the answer breaks some. Ledger gap: the answer keeps the ledger and is "
        "wrong all the same, because something was misread. Refused: the model or a filter declined to answer. "
        "(DRIFT-Bench, table 5, for every method.)"
    )
    return table_by_row(report, name, title, note, cells, by_domain=by_domain)


def published_split(report: Report) -> Table:
    """The published three-way split, which also counts partial answers as right."""
    return table_by_row(
        report,
        "published_split",
        "Why wrong turns are wrong, by the published measure",
        "Percent of the turns that are wrong by the published measure, which also accepts partial answers, and calls "
        "every wrong turn on a satisfiable ledger drift. Accuracy and ledger gap are ours. (DRIFT-Bench, table 5.)",
        {
            Column("accu\u00adracy %"): lambda row: percent(row.accuracy.value),
            Column("ledger gap %"): _share(Channel.LEDGER_GAP),
            Column("up\u00adstream accu\u00adracy %"): lambda row: percent(row.upstream_accuracy.value),
            Column("up\u00adstream drift %"): lambda row: percent(row.upstream_drift.share),
            Column("up\u00adstream unsat %"): lambda row: percent(row.upstream_unsat.share),
            Column("up\u00adstream other %"): lambda row: percent(row.upstream_other.share),
        },
    )


def triggers(report: Report) -> Table:
    """How often each trigger fired."""
    return table_by_row(
        report,
        "triggers",
        "Triggers",
        "Events over all attempts (a vote is none); then, in brackets, the turns in which the trigger fired on the "
        "first attempt, and still on the final one. (DRIFT-Bench, table 6.)",
        {Column(_broken(code)): _fired(code) for code in Trigger},
    )


def _broken(code: Trigger) -> str:
    return code.value.replace("_", " ").replace("constraint extraction", "ex\u00adtraction")


def _share(channel: Channel) -> Cell:
    return lambda row: percent(row.channels[channel].share)


def _fired(code: Trigger) -> Cell:
    def show(row: DriftRow) -> str:
        fired = row.triggers[code]
        return f"{fired.events} ({fired.first} > {fired.final})"

    return show
