"""The tables of a report about decisions: help and harm, by rule and by tool, and the decisions' records."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from holdtrue_lab.figures.cells import coverage, in_interval
from holdtrue_lab.figures.statistics import Rate
from holdtrue_lab.figures.table import MODEL, Column
from holdtrue_lab.kinds.decisions import metrics as own
from holdtrue_lab.kinds.decisions.entry import DecisionKind
from holdtrue_lab.kinds.decisions.report import DecisionReport
from holdtrue_lab.kit.comparison import Comparison
from holdtrue_lab.kit.groups import FigureRow
from holdtrue_lab.kit.metrics import Part
from holdtrue_lab.kit.pairs import FAMILY
from holdtrue_lab.kit.tables import (
    BY_METHOD,
    METHOD,
    Columns,
    Contents,
    Lines,
    ReportTable,
    by_pair,
    by_parts,
    columns,
    pair_columns,
)

ROW = Columns[FigureRow]()


def _counted(rate: Rate) -> str:
    return coverage(rate.hits, rate.of)


results = ReportTable[FigureRow](
    "results",
    "Help and harm",
    "Caught: of the calls that break a rule by the facts, those blocked for a rule that they break; missed: those "
    "allowed. False blocks: of the calls that break no rule; let through: of the calls that are sound by the facts.",
    BY_METHOD,
    {
        **columns(own.CAUGHT, own.MISSED, own.FALSE_BLOCKS, own.LET_THROUGH),
        Column("la\u00adbelled"): lambda row: coverage(own.LABELLED(row), own.DECIDED(row)),
        Column("failed", optional=True): lambda row: str(row.failed),
    },
    "What is missing of caught and missed to 100 was held: asked about, or blocked for another reason. A sound call "
    "that its tool would reject by itself counts as let through where it is blocked. {caution}",
)

decisions = ReportTable[FigureRow](
    "decisions",
    "What was decided",
    "Calls by decision, of all that were decided on. Assumed: those of which some rule was decided by taking something "
    "for granted; rules decided: those of which no rule was left undecided.",
    BY_METHOD,
    {
        **ROW.count("allowed", lambda row: own.DECISIONS(row)[DecisionKind.ALLOW]),
        **ROW.count("blocked", lambda row: own.DECISIONS(row)[DecisionKind.BLOCK]),
        **ROW.count("asked about", lambda row: own.DECISIONS(row)[DecisionKind.ASK]),
        **ROW.count("to con\u00adfirm", lambda row: own.DECISIONS(row)[DecisionKind.CONFIRM]),
        **columns(own.DECIDED, own.ASSUMED, own.RULES_DECIDED),
    },
)

questions = ReportTable[FigureRow](
    "questions",
    "Right decisions, and questions",
    "Right: of the calls of which labels say what is right. Held: of the broken calls; asked: of those that facts "
    "leave undecided; needless questions: of the sound ones.",
    BY_METHOD,
    {
        **columns(own.ACCURACY, own.HELD, own.ASKED, own.NEEDLESS),
        Column("scored"): lambda row: coverage(row.accuracy.of, own.LABELLED(row)),
    },
    "Right is a broken call that is caught, an undecided one that is asked about, and a sound one that is let through "
    "or blocked for a rule of talk that it breaks. Of other calls nobody knows what is right. Held: asked about, or "
    "blocked for a reason that is not the right one. {caution}",
)

standings = ReportTable[FigureRow](
    "standings",
    "What labels say of the calls",
    "Calls with a label, by what they are by the facts. Open: only rules are undecided that facts do not decide.",
    BY_METHOD,
    {
        **ROW.count("broken", lambda row: own.STANDINGS(row)["broken"]),
        **ROW.count("un\u00addecided", lambda row: own.STANDINGS(row)["undecided"]),
        **ROW.count("sound", lambda row: own.STANDINGS(row)["sound"]),
        **ROW.count("open", lambda row: own.STANDINGS(row)["open"]),
        **ROW.count("break no rule", lambda row: own.FALSE_BLOCKS(row).of),
        **columns(own.TASKS),
        Column("conver\u00adsations"): lambda row: coverage(row.finished, row.problems),
    },
)

rewarded = ReportTable[FigureRow](
    "rewarded",
    "Blocks in rewarded and in failed conversations",
    "Of the calls that were executed, those that are blocked. The reward is the benchmark's for the end of the whole "
    "conversation, and no label of a call: a rewarded conversation may hold a call that breaks a rule.",
    BY_METHOD,
    {
        **columns(own.BLOCKED_REWARDED),
        Column("blocked"): lambda row: _counted(own.BLOCKED_REWARDED(row)),
        **columns(own.BLOCKED_FAILED),
        Column("blocked there"): lambda row: _counted(own.BLOCKED_FAILED(row)),
    },
)


def _rules(report: DecisionReport) -> Iterator[tuple[Sequence[str], Part]]:
    """Yield the rules of each method except the controls, which name no rules."""
    for group in report.groups:
        for row in group.whole:
            if row.arm.method not in report.controls:
                yield from (((group.label, report.names.method(row.arm), rule.name), rule) for rule in own.RULES(row))


rules = ReportTable[Part](
    "rules",
    "Rules",
    "Calls that break a rule, the blocks that name it rightly, and those that name it without reason, where it is "
    "neither broken nor undecided.",
    Lines((MODEL, METHOD, Column("rule", words=True)), _rules),
    columns(*own.OF_RULE),
    "Rules that need the conversation read are among them: a method that hears nobody cannot find these. Controls name "
    "no rule, and are left out.",
)

tools = ReportTable[Part](
    "tools",
    "Tools",
    "Calls of each tool, those that break a rule by the facts, and what became of them; false blocks are of calls that "
    "break no rule.",
    by_parts("tool", own.TOOLS),
    columns(*own.OF_TOOL),
)

sources = ReportTable[Part](
    "sources",
    "Dialogues: what was agreed, and from whom",
    "Calls in forms that break a value that was agreed, by where that comes from: the user stated it, or accepted what "
    "the assistant offered. Blocked, and stopped (blocked, asked about, to be confirmed), for a value that is broken; "
    "exact: for just these. Of the right calls, those that were blocked, and stopped, for whatever reason.",
    by_parts("source", own.SOURCES),
    columns(*own.OF_SOURCE),
    "Nothing is in it but for dialogues.",
)

records = ReportTable[FigureRow](
    "records",
    "Records and time",
    "Replayed: decisions that came out identical from their own record alone, of those that have one. Milliseconds are "
    "the CPU time of a decision, mean over calls; those of dialogues, which are played side by side, are not measured.",
    BY_METHOD,
    {
        Column("replayed identically"): lambda row: f"{own.REPLAYED(row).hits} of {own.REPLAYED(row).of}",
        **columns(own.BY_SOLVER),
        Column("ms a decision"): lambda row: in_interval(
            own.SECONDS(row), lambda value: "-" if value is None else f"{1000 * value:.2f}"
        ),
        **columns(own.DECIDED),
    },
)

paired_tests = ReportTable[Comparison](
    "paired_tests",
    "Paired tests",
    "Difference of the shares of right decisions over the tasks that both have finished, each counting once, in "
    f"percentage points, with the p-value of flipping signs. {FAMILY}",
    by_pair(lambda report: report.comparisons),
    {**pair_columns("tasks"), Column("calls"): lambda each: str(each.turns)},
)

CONTENTS = Contents(
    sections=(
        ("Results", (results, questions, standings, paired_tests)),
        ("Decisions", (decisions, sources, rewarded, tools)),
        ("Rules", (rules,)),
        ("Records", (records,)),
    ),
    short=(results, decisions, sources, records),
)
