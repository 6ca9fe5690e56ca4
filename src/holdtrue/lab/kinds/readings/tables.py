"""The tables of a report about readings: events, sources, probabilities, costs, and messages that are items."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from holdtrue.figures.cells import coverage, in_interval, p_value, percent
from holdtrue.figures.table import MODEL, Column
from holdtrue.lab.kinds.readings.row import Bin, ItemFigures, KindRow, ReadingRow, Threshold
from holdtrue.lab.kit.comparison import Comparison
from holdtrue.lab.kit.pairs import FAMILY
from holdtrue.lab.kit.tables import BY_METHOD, METHOD, Columns, Contents, Lines, ReportTable, by_pair, by_part

_ITEM = Columns[ItemFigures]()
_CELLS = {
    **_ITEM.share("exact", lambda own: own.exact),
    **_ITEM.share("with doubtful", lambda own: own.with_doubtful),
    **_ITEM.share("accepted wrong", lambda own: own.wrong),
    **_ITEM.share("missed", lambda own: own.missed),
    **_ITEM.count("mes\u00adsages", lambda own: own.messages),
}


def _by_method(report: Any) -> Iterator[tuple[Sequence[str], ItemFigures]]:
    for group in report.groups:
        for row in group.whole:
            if row.items is not None:
                yield (group.label, report.names.method(row.arm)), row.items


messages = ReportTable[ItemFigures](
    "messages",
    "Messages",
    "Exact: messages of which just the constraints in gold were accepted; with doubtful: accepted or read in doubt. "
    "Accepted wrong: of the constraints that were accepted, those that are not in gold. Missed: of the constraints in "
    "gold, those in no reading.",
    Lines[ItemFigures]((MODEL, METHOD), _by_method),
    _CELLS,
    "{caution}",
)

doubt = ReportTable[ItemFigures](
    "doubt",
    "Readings in doubt",
    "Messages of which something was read in doubt; of the constraints that were read, those in doubt; of these, those "
    "in gold. Rejected: readings that were; taken back: commitments that a message was read to end, which gold does "
    "not judge.",
    messages.lines,
    {
        **_ITEM.share("mes\u00adsages in doubt", lambda own: own.in_doubt),
        **_ITEM.share("of readings", lambda own: own.doubtful),
        **_ITEM.share("of these right", lambda own: own.doubtful_right),
        **_ITEM.count("rejected", lambda own: own.rejected),
        **_ITEM.count("taken back", lambda own: own.taken_back),
    },
)


def _parts(by: str) -> Lines[ItemFigures]:
    return by_part(by, lambda row: ((own.name, own.figures) for own in row.item_parts if own.by == by))


message_kinds = ReportTable[ItemFigures](
    "message_kinds", "Kinds of messages", "As whoever wrote the messages calls them.", _parts("kind"), _CELLS
)
message_domains = ReportTable[ItemFigures](
    "message_domains", "Domains", "By the domain that the message is about.", _parts("domain"), _CELLS
)
message_styles = ReportTable[ItemFigures](
    "message_styles", "Styles", "As whoever wrote the messages calls them.", _parts("style"), _CELLS
)


ROW = Columns[ReadingRow]()


def _of_dialogues(report: Any) -> Iterator[tuple[Sequence[str], ReadingRow]]:
    return ((names, row) for names, row in BY_METHOD.find(report) if row.items is None)


results = ReportTable[ReadingRow](
    "results",
    "Events and ledgers",
    "Precision: of the events that were read, those that are right. Recall: of those in gold, those that were found. "
    "Ledger right: messages after which exactly what gold holds is held; nothing wrong: something may be missing.",
    Lines[ReadingRow]((MODEL, METHOD), _of_dialogues),
    {
        **ROW.share("precision", lambda row: row.events.precision),
        **ROW.share("recall", lambda row: row.events.recall),
        Column("F1 %"): lambda row: in_interval(row.events.f1, percent),
        **ROW.share("ledger right", lambda row: row.accuracy),
        **ROW.share("nothing wrong", lambda row: row.sound),
        **ROW.count("mes\u00adsages", lambda row: row.messages),
        Column("failed", optional=True): lambda row: str(row.failed),
    },
    "What nobody could read in the talk (sources carried, unknown and new_request) is neither rewarded nor punished. "
    "{caution}",
)

_KIND = Columns[KindRow]()
kinds = ReportTable[KindRow](
    "kinds",
    "Kinds of events",
    "An event amends where the slot had another value, whether or not the user says so; waive frees a slot.",
    by_part("kind", lambda row: ((own.name, own) for own in row.kinds)),
    {
        **_KIND.share("precision", lambda own: own.figures.precision),
        **_KIND.share("recall", lambda own: own.figures.recall),
        Column("F1 %"): lambda own: in_interval(own.figures.f1, percent),
        **_KIND.count("in gold", lambda own: own.figures.recall.of),
    },
)

sources = ReportTable[KindRow](
    "sources",
    "Sources of events",
    "Stated: in the user's words. Accepted: offered by the assistant's last message, or an earlier one, and taken up.",
    by_part("source", lambda row: ((own.name, own) for own in row.sources)),
    {
        **_KIND.share("recall", lambda own: own.figures.recall),
        **_KIND.count("in gold", lambda own: own.figures.recall.of),
    },
)

services = ReportTable[KindRow](
    "services",
    "Seen and unseen services",
    "By whether the dataset's training part has all services of the dialogue.",
    by_part("services", lambda row: ((own.name, own) for own in row.services)),
    {
        **_KIND.share("precision", lambda own: own.figures.precision),
        **_KIND.share("recall", lambda own: own.figures.recall),
        Column("F1 %"): lambda own: in_interval(own.figures.f1, percent),
        **_KIND.count("in gold", lambda own: own.figures.recall.of),
    },
)

_BIN = Columns[Bin]()
reliability = ReportTable[Bin](
    "reliability",
    "Probabilities",
    "Events, or readings of single messages, by their probability, its mean, and how many of them are right.",
    by_part("probability", lambda row: ((f"{own.low:.1f}-{own.high:.1f}", own) for own in row.calibration.bins)),
    {
        **_BIN.count("events", lambda own: own.events),
        Column("mean %"): lambda own: percent(own.mean),
        **_BIN.share("right", lambda own: own.right),
    },
)

calibration = ReportTable[ReadingRow](
    "calibration",
    "Calibration",
    "Expected calibration error over ten bins of equal width, in percentage points, and the events that it is over; of "
    "single messages, all readings with a constraint, in doubt or not.",
    BY_METHOD,
    {
        Column("error, pp"): lambda row: percent(row.calibration.error),
        **ROW.count("events", lambda row: sum(own.events for own in row.calibration.bins)),
    },
)

_THRESHOLD = Columns[Threshold]()
risk = ReportTable[Threshold](
    "risk",
    "Risk against coverage",
    "If only events at least so probable are taken: the share of all events read that is, and how much of it is wrong.",
    by_part("at least", lambda row: ((f"{own.at:.2f}", own) for own in row.calibration.thresholds)),
    {
        **_THRESHOLD.share("taken", lambda own: own.covered),
        **_THRESHOLD.share("wrong", lambda own: own.risk),
        Column("events"): lambda own: coverage(own.covered.hits, own.covered.of),
    },
)

costs = ReportTable[ReadingRow](
    "costs",
    "What reading costs",
    "Calls to a model, tokens in and out, and seconds of the calls, means over messages; not read: what was met and is "
    "no event, or was rejected, with a reason in the record; played: the dialogues, or single messages, that were.",
    BY_METHOD,
    {
        **ROW.number("calls", lambda row: row.calls),
        **ROW.number("tokens in", lambda row: row.prompt_tokens, ".0f"),
        **ROW.number("tokens out", lambda row: row.completion_tokens, ".0f"),
        **ROW.number("seconds", lambda row: row.seconds),
        **ROW.count("not read", lambda row: row.unread),
        Column("played"): lambda row: coverage(row.finished, row.problems),
    },
)

_PAIR = Columns[Comparison]()
paired_tests = ReportTable[Comparison](
    "paired_tests",
    "Paired tests",
    "Difference of the shares of messages after which the ledger is right, or that are exact, over the dialogues, or "
    f"single messages, that both have finished, in percentage points, with the p-value of flipping signs. {FAMILY}",
    by_pair(lambda report: report.comparisons),
    {
        **_PAIR.difference(lambda each: each.paired),
        Column("p"): lambda each: p_value(each.paired.p),
        Column("Holm"): lambda each: p_value(each.holm),
        Column("played"): lambda each: str(each.paired.problems),
        **_PAIR.count("mes\u00adsages", lambda each: each.turns),
    },
)

CONTENTS = Contents(
    sections=(
        ("Results", (results, messages, paired_tests)),
        ("Events", (kinds, sources, services)),
        ("Messages", (message_kinds, message_domains, message_styles)),
        ("Doubt", (doubt, calibration, reliability, risk)),
        ("Costs", (costs,)),
    ),
    short=(results, messages, calibration, costs),
)
