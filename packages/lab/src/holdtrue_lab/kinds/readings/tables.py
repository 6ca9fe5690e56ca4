"""The tables of a report about readings: messages, doubt, probabilities, and costs."""

from __future__ import annotations

from holdtrue_lab.figures.cells import coverage, percent
from holdtrue_lab.figures.table import Column
from holdtrue_lab.kinds.readings.calibration import Bin, Threshold
from holdtrue_lab.kinds.readings.metrics import (
    CALIBRATION,
    COSTS,
    DOUBTFUL,
    DOUBTFUL_RIGHT,
    EXACT,
    IN_DOUBT,
    MESSAGES,
    MISSED,
    PARTS,
    REJECTED,
    TAKEN_BACK,
    WITH_DOUBTFUL,
    WRONG,
)
from holdtrue_lab.kit.comparison import Comparison
from holdtrue_lab.kit.groups import FigureRow
from holdtrue_lab.kit.metrics import Part
from holdtrue_lab.kit.pairs import FAMILY
from holdtrue_lab.kit.tables import (
    BY_METHOD,
    Columns,
    Contents,
    Lines,
    ReportTable,
    by_pair,
    by_part,
    columns,
    pair_columns,
)

_CELLS = columns(EXACT, WITH_DOUBTFUL, WRONG, MISSED, MESSAGES)


messages = ReportTable[FigureRow](
    "messages",
    "Messages",
    "Exact: messages of which just the constraints in gold were accepted; with doubtful: accepted or read in doubt. "
    "Accepted wrong: of the constraints that were accepted, those that are not in gold. Missed: of the constraints in "
    "gold, those in no reading.",
    BY_METHOD,
    _CELLS,
    "{caution}",
)

doubt = ReportTable[FigureRow](
    "doubt",
    "Readings in doubt",
    "Messages of which something was read in doubt; of the constraints that were read, those in doubt; of these, those "
    "in gold. Rejected: readings that were; taken back: commitments that a message was read to end, which gold does "
    "not judge.",
    BY_METHOD,
    columns(IN_DOUBT, DOUBTFUL, DOUBTFUL_RIGHT, REJECTED, TAKEN_BACK),
)


def _parts(by: str) -> Lines[Part]:
    return by_part(by, lambda row: ((own.name, own) for own in PARTS(row) if own.names["by"] == by))


message_kinds = ReportTable[Part](
    "message_kinds", "Kinds of messages", "As whoever wrote the messages calls them.", _parts("kind"), _CELLS
)
message_domains = ReportTable[Part](
    "message_domains", "Domains", "By the domain that the message is about.", _parts("domain"), _CELLS
)
message_styles = ReportTable[Part](
    "message_styles", "Styles", "As whoever wrote the messages calls them.", _parts("style"), _CELLS
)

_BIN = Columns[Bin]()
reliability = ReportTable[Bin](
    "reliability",
    "Probabilities",
    "Constraints that were read, accepted or in doubt, by their probability, its mean, and how many of them are right.",
    by_part("probability", lambda row: ((f"{own.low:.1f}-{own.high:.1f}", own) for own in CALIBRATION(row).bins)),
    {
        **_BIN.count("con\u00adstraints", lambda own: own.constraints),
        Column("mean %"): lambda own: percent(own.mean),
        **_BIN.share("right", lambda own: own.right),
    },
)

_ROW = Columns[FigureRow]()
calibration = ReportTable[FigureRow](
    "calibration",
    "Calibration",
    "Expected calibration error over ten bins of equal width, in percentage points, and the constraints that it is "
    "over: all that were read, in doubt or not.",
    BY_METHOD,
    {
        Column("error, pp"): lambda row: percent(CALIBRATION(row).error),
        **_ROW.count("con\u00adstraints", lambda row: sum(own.constraints for own in CALIBRATION(row).bins)),
    },
)

_THRESHOLD = Columns[Threshold]()
risk = ReportTable[Threshold](
    "risk",
    "Risk against coverage",
    "If only constraints at least so probable are taken: the share of all constraints read that is, and how much of it "
    "is wrong.",
    by_part("at least", lambda row: ((f"{own.at:.2f}", own) for own in CALIBRATION(row).thresholds)),
    {
        **_THRESHOLD.share("taken", lambda own: own.covered),
        **_THRESHOLD.share("wrong", lambda own: own.risk),
        Column("con\u00adstraints"): lambda own: coverage(own.covered.hits, own.covered.of),
    },
)

costs = ReportTable[FigureRow](
    "costs",
    "What reading costs",
    "Calls to a model, tokens in and out, and seconds of the calls, means over messages; played: messages that were.",
    BY_METHOD,
    {
        **columns(*COSTS),
        Column("played"): lambda row: coverage(row.finished, row.problems),
    },
)

paired_tests = ReportTable[Comparison](
    "paired_tests",
    "Paired tests",
    "Difference of the shares of messages that are exact, over the messages that both have finished, in percentage "
    f"points, with the p-value of flipping signs. {FAMILY}",
    by_pair(lambda report: report.comparisons),
    pair_columns("mes\u00adsages"),
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
