"""Report tables about failures: the reasons for wrong turns, the effect of checks, the ledger, and costs.

Each wrong turn has one *channel*, which is its reason. The channel `drift` is always shown with accuracy and the
channel `ledger_gap`. A method that projects keeps its ledger by construction, so drift alone does not measure it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from holdtrue.record import Channel, Trigger
from holdtrue_lab.figures.cells import coverage, decimal, divide, mean, percent
from holdtrue_lab.figures.table import Column
from holdtrue_lab.kinds.assignment import metrics as own
from holdtrue_lab.kinds.assignment.report import Structure
from holdtrue_lab.kit.groups import FigureRow
from holdtrue_lab.kit.tables import (
    BY_DOMAIN,
    BY_METHOD,
    DOMAIN,
    Cells,
    Columns,
    Lines,
    ReportTable,
    by_part,
    columns,
)

Row = ReportTable[FigureRow]
ROW = Columns[FigureRow]()
RIGHT = ROW.alone("accu\u00adracy", own.RIGHT)
SCORED: Cells[FigureRow] = {Column("scored"): lambda row: coverage(own.SCORED(row), own.PLAYED(row))}


def show_decided(row: FigureRow) -> str:
    """Return the number of turns with a verdict, out of all turns. It is the last column of every table of rates."""
    return coverage(own.DECIDED(row), own.PLAYED(row))


COVERAGE = Column("de\u00adcided")
DECIDED: Cells[FigureRow] = {COVERAGE: show_decided}

TITLES: Mapping[Channel, str] = {
    Channel.DRIFT: "drift",
    Channel.LEDGER_GAP: "ledger gap",
    Channel.CONTRADICTION: "contra\u00addiction",
    Channel.UNPARSED: "un\u00adparsed",
    Channel.REFUSED: "refused",
    Channel.INCOMPLETE: "incom\u00adplete",
    Channel.UNDECIDED: "un\u00addecided",
}
# The table of channels has one column for the sum of these, so that a line adds up to 100. Another table splits them.
_NO_ANSWER = (Channel.UNPARSED, Channel.REFUSED, Channel.INCOMPLETE, Channel.UNDECIDED)
_ANSWERS = tuple(channel for channel in TITLES if channel not in _NO_ANSWER)


def _share(channel: Channel) -> Callable[[FigureRow], str]:
    return lambda row: percent(own.CHANNELS(row)[channel].share)


def _titled(channels: Sequence[Channel]) -> Cells[FigureRow]:
    return {Column(f"{TITLES[channel]} %"): _share(channel) for channel in channels}


def _no_answer(row: FigureRow) -> str:
    return percent(divide(sum(own.CHANNELS(row)[channel].turns for channel in _NO_ANSWER), own.WRONG(row)))


_WRONG = {**RIGHT, **columns(own.WRONG)}
_MORE = (
    "Contradiction: the commitments cannot all be kept. Drift: they can, and the answer breaks some. Ledger gap: the "
    "answer keeps the ledger and is wrong all the same, because something was misread. (DRIFT-Bench, table 5, for "
    "every method.)"
)

channels = Row(
    "channels",
    "Why wrong turns are wrong",
    "Percent of the wrong turns; every wrong turn is in exactly one channel. No whole answer: unparsed, refused, "
    "incomplete and undecided ones together.",
    BY_METHOD,
    {**_WRONG, **_titled(_ANSWERS), Column("no whole answer %"): _no_answer, **DECIDED},
    _MORE,
)
channels_by_domain = Row(
    "channels_by_domain",
    "Why wrong turns are wrong, by domain",
    "Percent of the wrong turns; every wrong turn is in exactly one channel. What is missing to 100 has no whole "
    "answer.",
    BY_DOMAIN,
    {**_WRONG, **_titled(_ANSWERS), **DECIDED},
    _MORE,
)
no_answer = Row(
    "no_answer",
    "Wrong turns without a whole answer",
    "Percent of the wrong turns. Refused: the model or a filter declined to answer.",
    BY_METHOD,
    {**_WRONG, **_titled(_NO_ANSWER), **DECIDED},
)
published_split = Row(
    "published_split",
    "Why wrong turns are wrong, by the published measure",
    "Percent of the turns that are wrong by the published measure, which also accepts partial answers, and calls "
    "every wrong turn on a satisfiable ledger drift (DRIFT-Bench, table 5). Accuracy is ours, and ledger gap a share "
    "of the turns that are wrong by ours.",
    BY_METHOD,
    {
        **RIGHT,
        Column("ledger gap, of ours %"): _share(Channel.LEDGER_GAP),
        **ROW.alone("up\u00adstream accu\u00adracy", own.UPSTREAM_RIGHT),
        Column("up\u00adstream drift %"): lambda row: percent(own.UPSTREAM_DRIFT(row).share),
        Column("up\u00adstream unsat %"): lambda row: percent(own.UPSTREAM_UNSAT(row).share),
        Column("up\u00adstream other %"): lambda row: percent(own.UPSTREAM_OTHER(row).share),
        **DECIDED,
    },
)


def _fired(code: Trigger) -> Callable[[FigureRow], str]:
    def show(row: FigureRow) -> str:
        fired = own.TRIGGERS(row)[code]
        return f"{fired.events} ({fired.first} > {fired.final})"

    return show


triggers = Row(
    "triggers",
    "Triggers",
    "Events over all attempts (a vote is none); then, in brackets, the turns in which the trigger fired on the "
    "first attempt, and still on the final one (DRIFT-Bench, table 6).",
    BY_METHOD,
    {
        **{
            Column(code.replace("_", " ").replace("constraint extraction", "ex\u00adtraction")): _fired(code)
            for code in Trigger
        },
        **DECIDED,
    },
)
alarms = Row(
    "alarms",
    "Alarms",
    "An alarm is any trigger on the first attempt. Precision: how many alarmed attempts are wrong; recall: how many "
    "wrong ones are alarmed.",
    BY_METHOD,
    {
        **columns(own.ALARM_PRECISION),
        **ROW.count("alarms", lambda row: own.ALARM_PRECISION(row).of),
        **columns(own.ALARM_RECALL),
        **ROW.count("first wrong", lambda row: own.ALARM_RECALL(row).of),
        **DECIDED,
    },
)
harm_and_help = Row(
    "harm_and_help",
    "Harm and help",
    "Fixed, harmed, still right and still wrong are turns, by the first attempt and what was delivered. Retried: "
    "something was tried after the first attempt, other than drawing samples; the table of retries says how often that "
    "was the same request again.",
    BY_METHOD,
    {**RIGHT, **columns(own.RETRIED, own.FIXED, own.HARMED, own.STILL_RIGHT, own.STILL_WRONG), **DECIDED},
)


def _retried(row: FigureRow) -> Iterator[tuple[str, own.Retried]]:
    return ((code.replace("_", " "), retried) for code, retried in own.AFTER_RETRY(row).items() if retried.turns)


after_retry = ReportTable[own.Retried](
    "after_retry",
    "After repair, by trigger",
    "Retried turns whose first attempt fired the trigger; a turn that fired several counts for each. Accuracy is "
    "that of what was delivered, sat the turns whose ledger was satisfiable in the end (DRIFT-Bench, table 10).",
    by_part("trigger", _retried),
    {
        Column("turns"): lambda found: str(found.turns),
        **Columns[own.Retried]().share("accu\u00adracy", lambda found: found.accuracy),
        Column("scored"): lambda found: coverage(found.accuracy.of, found.turns),
        Column("sat %"): lambda found: percent(found.sat.value),
    },
)
truncation = Row(
    "truncation",
    "Truncation",
    "Turns in which an answer was clipped by the token limit, also where asking again mended it, and accuracy "
    "without those turns (DRIFT-Bench, table 8).",
    BY_METHOD,
    {
        **ROW.count("clipped", lambda row: own.CLIPPED(row).hits),
        **ROW.alone("clipped", own.CLIPPED),
        **ROW.alone("accu\u00adracy, all", own.RIGHT),
        **ROW.alone("accu\u00adracy, others", own.UNCLIPPED_RIGHT),
        **ROW.count("others scored", lambda row: own.UNCLIPPED_RIGHT(row).of),
        **DECIDED,
    },
)

ledger = Row(
    "ledger",
    "The ledger against gold",
    "A phantom is a commitment in the ledger that gold does not have, a gap a gold constraint that the ledger does not "
    "have; means per scored turn.",
    BY_METHOD,
    {
        Column("phan\u00adtoms a turn"): lambda row: mean(own.PHANTOMS(row), own.SCORED(row)),
        Column("with phan\u00adtoms %"): lambda row: percent(divide(own.WITH_PHANTOMS(row), own.SCORED(row))),
        Column("gaps a turn"): lambda row: mean(own.GAPS(row), own.SCORED(row)),
        Column("with gaps %"): lambda row: percent(divide(own.WITH_GAPS(row), own.SCORED(row))),
        Column("not all read %", optional=True): lambda row: percent(own.UNREAD(row).value),
        **SCORED,
        **DECIDED,
    },
    "Not all read: turns whose message has a sentence that was not read, or not with confidence.",
)
delivery = Row(
    "delivery",
    "What was delivered",
    "Churn: values changed from the last delivered answer. Projected: the solver made the answer, and abstained: none "
    "was given, are of all turns.",
    BY_METHOD,
    {
        **RIGHT,
        **ROW.alone("churn", own.CHURN),
        Column("pro\u00adjected %", optional=True): lambda row: percent(own.PROJECTED(row).value),
        Column("ab\u00adstained %", optional=True): lambda row: percent(own.ABSTAINED(row).value),
        **SCORED,
        **DECIDED,
    },
)
cost = Row(
    "cost",
    "Cost of a turn",
    "Means per turn: calls, tokens of prompts and of completions, and seconds of calls and solver. What only measuring "
    "the method added stands in a table of its own.",
    BY_METHOD,
    {**RIGHT, **columns(*own.COST), **DECIDED},
)
cost_of_measuring = Row(
    "cost_of_measuring",
    "Cost of measuring a turn",
    "Means per turn of the calls that only measuring the method added.",
    BY_METHOD,
    {**RIGHT, **columns(*own.COST_OF_MEASURING), **DECIDED},
)
structure = ReportTable[Structure](
    "structure",
    "The problems",
    "Entities are those that answers speak of, types the constraint types that were ever read; final is the mean "
    "number of gold constraints at the last turn. Of problems that were played (DRIFT-Bench, table 2).",
    Lines((DOMAIN,), lambda report: (((each.domain,), each) for each in report.structures)),
    {
        Column("prob\u00adlems"): lambda each: str(each.problems),
        Column("mean turns"): lambda each: decimal(each.turns),
        Column("short\u00adest"): lambda each: str(each.shortest),
        Column("longest"): lambda each: str(each.longest),
        Column("enti\u00adties"): lambda each: decimal(each.entities),
        Column("types"): lambda each: str(len(each.types)),
        Column("final"): lambda each: decimal(each.final),
    },
)
