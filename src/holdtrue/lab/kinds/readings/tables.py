"""The tables of a report about readings: messages, doubt, probabilities, and costs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from holdtrue.figures.cells import coverage, p_value, percent
from holdtrue.figures.table import MODEL, Column
from holdtrue.lab.kinds.readings.row import Bin, MessageFigures, ReadingRow, Threshold
from holdtrue.lab.kit.comparison import Comparison
from holdtrue.lab.kit.pairs import FAMILY
from holdtrue.lab.kit.tables import BY_METHOD, METHOD, Columns, Contents, Lines, ReportTable, by_pair, by_part

_MESSAGES = Columns[MessageFigures]()
_CELLS = {
    **_MESSAGES.share("exact", lambda own: own.exact),
    **_MESSAGES.share("with doubtful", lambda own: own.with_doubtful),
    **_MESSAGES.share("accepted wrong", lambda own: own.wrong),
    **_MESSAGES.share("missed", lambda own: own.missed),
    **_MESSAGES.count("mes\u00adsages", lambda own: own.messages),
}


def _by_method(report: Any) -> Iterator[tuple[Sequence[str], MessageFigures]]:
    return ((names, row.figures) for names, row in BY_METHOD.find(report))


messages = ReportTable[MessageFigures](
    "messages",
    "Messages",
    "Exact: messages of which just the constraints in gold were accepted; with doubtful: accepted or read in doubt. "
    "Accepted wrong: of the constraints that were accepted, those that are not in gold. Missed: of the constraints in "
    "gold, those in no reading.",
    Lines[MessageFigures]((MODEL, METHOD), _by_method),
    _CELLS,
    "{caution}",
)

doubt = ReportTable[MessageFigures](
    "doubt",
    "Readings in doubt",
    "Messages of which something was read in doubt; of the constraints that were read, those in doubt; of these, those "
    "in gold. Rejected: readings that were; taken back: commitments that a message was read to end, which gold does "
    "not judge.",
    messages.lines,
    {
        **_MESSAGES.share("mes\u00adsages in doubt", lambda own: own.in_doubt),
        **_MESSAGES.share("of readings", lambda own: own.doubtful),
        **_MESSAGES.share("of these right", lambda own: own.doubtful_right),
        **_MESSAGES.count("rejected", lambda own: own.rejected),
        **_MESSAGES.count("taken back", lambda own: own.taken_back),
    },
)


def _parts(by: str) -> Lines[MessageFigures]:
    return by_part(by, lambda row: ((own.name, own.figures) for own in row.parts if own.by == by))


message_kinds = ReportTable[MessageFigures](
    "message_kinds", "Kinds of messages", "As whoever wrote the messages calls them.", _parts("kind"), _CELLS
)
message_domains = ReportTable[MessageFigures](
    "message_domains", "Domains", "By the domain that the message is about.", _parts("domain"), _CELLS
)
message_styles = ReportTable[MessageFigures](
    "message_styles", "Styles", "As whoever wrote the messages calls them.", _parts("style"), _CELLS
)

_BIN = Columns[Bin]()
reliability = ReportTable[Bin](
    "reliability",
    "Probabilities",
    "Constraints that were read, accepted or in doubt, by their probability, its mean, and how many of them are right.",
    by_part("probability", lambda row: ((f"{own.low:.1f}-{own.high:.1f}", own) for own in row.calibration.bins)),
    {
        **_BIN.count("con\u00adstraints", lambda own: own.constraints),
        Column("mean %"): lambda own: percent(own.mean),
        **_BIN.share("right", lambda own: own.right),
    },
)

_ROW = Columns[ReadingRow]()
calibration = ReportTable[ReadingRow](
    "calibration",
    "Calibration",
    "Expected calibration error over ten bins of equal width, in percentage points, and the constraints that it is "
    "over: all that were read, in doubt or not.",
    BY_METHOD,
    {
        Column("error, pp"): lambda row: percent(row.calibration.error),
        **_ROW.count("con\u00adstraints", lambda row: sum(own.constraints for own in row.calibration.bins)),
    },
)

_THRESHOLD = Columns[Threshold]()
risk = ReportTable[Threshold](
    "risk",
    "Risk against coverage",
    "If only constraints at least so probable are taken: the share of all constraints read that is, and how much of it "
    "is wrong.",
    by_part("at least", lambda row: ((f"{own.at:.2f}", own) for own in row.calibration.thresholds)),
    {
        **_THRESHOLD.share("taken", lambda own: own.covered),
        **_THRESHOLD.share("wrong", lambda own: own.risk),
        Column("con\u00adstraints"): lambda own: coverage(own.covered.hits, own.covered.of),
    },
)

costs = ReportTable[ReadingRow](
    "costs",
    "What reading costs",
    "Calls to a model, tokens in and out, and seconds of the calls, means over messages; played: messages that were.",
    BY_METHOD,
    {
        **_ROW.number("calls", lambda row: row.calls),
        **_ROW.number("tokens in", lambda row: row.prompt_tokens, ".0f"),
        **_ROW.number("tokens out", lambda row: row.completion_tokens, ".0f"),
        **_ROW.number("seconds", lambda row: row.seconds),
        Column("played"): lambda row: coverage(row.finished, row.problems),
    },
)

_PAIR = Columns[Comparison]()
paired_tests = ReportTable[Comparison](
    "paired_tests",
    "Paired tests",
    "Difference of the shares of messages that are exact, over the messages that both have finished, in percentage "
    f"points, with the p-value of flipping signs. {FAMILY}",
    by_pair(lambda report: report.comparisons),
    {
        **_PAIR.difference(lambda each: each.paired),
        Column("p"): lambda each: p_value(each.paired.p),
        Column("Holm"): lambda each: p_value(each.holm),
        Column("mes\u00adsages"): lambda each: str(each.paired.problems),
    },
)

CONTENTS = Contents(
    sections=(
        ("Results", (messages, paired_tests)),
        ("Messages", (message_kinds, message_domains, message_styles)),
        ("Doubt", (doubt, calibration, reliability, risk)),
        ("Costs", (costs,)),
    ),
    short=(messages, calibration, costs),
)
