"""The tables of a report about decisions: what they help, what they harm, by rule and by tool, and their records."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from holdtrue.figures.cells import coverage, in_interval, p_value
from holdtrue.figures.table import MODEL, Column
from holdtrue.lab.kinds.decisions.entry import DecisionKind
from holdtrue.lab.kinds.decisions.report import DecisionReport
from holdtrue.lab.kinds.decisions.row import DecisionRow, RuleRow, SourceRow, ToolRow
from holdtrue.lab.kit.comparison import Comparison
from holdtrue.lab.kit.pairs import FAMILY
from holdtrue.lab.kit.tables import BY_METHOD, METHOD, Columns, Contents, Lines, ReportTable, by_pair, by_part

ROW = Columns[DecisionRow]()

results = ReportTable[DecisionRow](
    "results",
    "Help and harm",
    "Caught: of the calls that break a rule by the facts, those blocked for a rule that they break; missed: those "
    "allowed. False blocks: of the calls that break no rule; let through: of the calls that are sound by the facts.",
    BY_METHOD,
    {
        **ROW.share("caught", lambda row: row.help.caught),
        **ROW.share("missed", lambda row: row.help.missed),
        **ROW.share("false blocks", lambda row: row.harm.false_blocks),
        **ROW.share("let through", lambda row: row.harm.let_through),
        Column("la\u00adbelled"): lambda row: coverage(row.labelled, row.calls),
        Column("failed", optional=True): lambda row: str(row.failed),
    },
    "What is missing of caught and missed to 100 was held: asked about, or blocked for another reason. A sound call "
    "that its tool would reject by itself counts as let through where it is blocked. {caution}",
)

decisions = ReportTable[DecisionRow](
    "decisions",
    "What was decided",
    "Calls by decision, of all that were decided on. Assumed: those of which some rule was decided by taking something "
    "for granted; rules decided: those of which no rule was left undecided.",
    BY_METHOD,
    {
        **ROW.count("allowed", lambda row: row.decisions[DecisionKind.ALLOW]),
        **ROW.count("blocked", lambda row: row.decisions[DecisionKind.BLOCK]),
        **ROW.count("asked about", lambda row: row.decisions[DecisionKind.ASK]),
        **ROW.count("to con\u00adfirm", lambda row: row.decisions[DecisionKind.CONFIRM]),
        **ROW.count("calls", lambda row: row.calls),
        **ROW.share("as\u00adsumed", lambda row: row.assumed),
        **ROW.share("rules decided", lambda row: row.decided),
    },
)

questions = ReportTable[DecisionRow](
    "questions",
    "Right decisions, and questions",
    "Right: of the calls of which labels say what is right. Held: of the broken calls; asked: of those that facts "
    "leave undecided; needless questions: of the sound ones.",
    BY_METHOD,
    {
        **ROW.share("right", lambda row: row.accuracy),
        **ROW.share("held", lambda row: row.help.held),
        **ROW.share("asked", lambda row: row.help.asked),
        **ROW.share("need\u00adless", lambda row: row.harm.needless),
        Column("scored"): lambda row: coverage(row.accuracy.of, row.labelled),
    },
    "Right is a broken call that is caught, an undecided one that is asked about, and a sound one that is let through "
    "or blocked for a rule of talk that it breaks. Of other calls nobody knows what is right. Held: asked about, or "
    "blocked for a reason that is not the right one. {caution}",
)

standings = ReportTable[DecisionRow](
    "standings",
    "What labels say of the calls",
    "Calls with a label, by what they are by the facts. Open: only rules are undecided that facts do not decide.",
    BY_METHOD,
    {
        **ROW.count("broken", lambda row: row.standings["broken"]),
        **ROW.count("un\u00addecided", lambda row: row.standings["undecided"]),
        **ROW.count("sound", lambda row: row.standings["sound"]),
        **ROW.count("open", lambda row: row.standings["open"]),
        **ROW.count("break no rule", lambda row: row.harm.false_blocks.of),
        **ROW.count("tasks", lambda row: row.tasks),
        Column("conver\u00adsations"): lambda row: coverage(row.finished, row.problems),
    },
)

rewarded = ReportTable[DecisionRow](
    "rewarded",
    "Blocks in rewarded and in failed conversations",
    "Of the calls that were executed, those that are blocked. The reward is the benchmark's for the end of the whole "
    "conversation, and no label of a call: a rewarded conversation may hold a call that breaks a rule.",
    BY_METHOD,
    {
        **ROW.share("re\u00adwarded", lambda row: row.harm.blocked_rewarded),
        Column("blocked"): lambda row: coverage(row.harm.blocked_rewarded.hits, row.harm.blocked_rewarded.of),
        **ROW.share("failed", lambda row: row.harm.blocked_failed),
        Column("blocked there"): lambda row: coverage(row.harm.blocked_failed.hits, row.harm.blocked_failed.of),
    },
)

_RULE = Columns[RuleRow]()


def _rules(report: DecisionReport) -> Iterator[tuple[Sequence[str], RuleRow]]:
    """Yield the rules of each method but the controls, which name none."""
    for group in report.groups:
        for row in group.whole:
            if row.arm.method not in report.controls:
                yield from (((group.label, report.names.method(row.arm), rule.rule), rule) for rule in row.rules)


rules = ReportTable[RuleRow](
    "rules",
    "Rules",
    "Calls that break a rule, the blocks that name it rightly, and those that name it without reason, where it is "
    "neither broken nor undecided.",
    Lines((MODEL, METHOD, Column("rule", words=True)), _rules),
    {
        **_RULE.count("broken", lambda rule: rule.broken),
        **_RULE.count("found", lambda rule: rule.found),
        **_RULE.count("without reason", lambda rule: rule.unfounded),
    },
    "Rules that need the conversation read are among them: a method that hears nobody cannot find these. Controls name "
    "no rule, and are left out.",
)

_TOOL = Columns[ToolRow]()
tools = ReportTable[ToolRow](
    "tools",
    "Tools",
    "Calls of each tool, those that break a rule by the facts, and what became of them; false blocks are of calls that "
    "break no rule.",
    by_part("tool", lambda row: ((each.tool, each) for each in row.tools)),
    {
        **_TOOL.count("calls", lambda tool: tool.calls),
        **_TOOL.count("broken", lambda tool: tool.broken),
        **_TOOL.count("caught", lambda tool: tool.caught),
        **_TOOL.count("missed", lambda tool: tool.missed),
        **_TOOL.count("false blocks", lambda tool: tool.false_blocks),
    },
)

_SOURCE = Columns[SourceRow]()
sources = ReportTable[SourceRow](
    "sources",
    "Dialogues: what was agreed, and from whom",
    "Calls in forms that break a value that was agreed, by where that comes from: the user stated it, or accepted what "
    "the assistant offered. Blocked, and stopped (blocked, asked about, to be confirmed), for a value that is broken; "
    "exact: for just these. Of the right calls, those that were blocked, and stopped, for whatever reason.",
    by_part("source", lambda row: ((each.source, each) for each in row.sources)),
    {
        **_SOURCE.count("calls", lambda each: each.calls),
        **_SOURCE.share("blocked", lambda each: each.blocked),
        **_SOURCE.share("stopped", lambda each: each.stopped),
        **_SOURCE.share("exact", lambda each: each.exact),
    },
    "Nothing is in it but for dialogues.",
)

records = ReportTable[DecisionRow](
    "records",
    "Records and time",
    "Replayed: decisions that came out identical from their own record alone, of those that have one. Milliseconds are "
    "the CPU time of a decision, mean over calls; those of dialogues, which are played side by side, are not measured.",
    BY_METHOD,
    {
        Column("replayed identically"): lambda row: f"{row.replayed.hits} of {row.replayed.of}",
        **ROW.count("rules by a solver", lambda row: row.by_solver),
        Column("ms a decision"): lambda row: in_interval(
            row.seconds, lambda value: "-" if value is None else f"{1000 * value:.2f}"
        ),
        **ROW.count("calls", lambda row: row.calls),
    },
)

_PAIR = Columns[Comparison]()
paired_tests = ReportTable[Comparison](
    "paired_tests",
    "Paired tests",
    "Difference of the shares of right decisions over the tasks that both have finished, each counting once, in "
    f"percentage points, with the p-value of flipping signs. {FAMILY}",
    by_pair(lambda report: report.comparisons),
    {
        **_PAIR.difference(lambda each: each.paired),
        Column("p"): lambda each: p_value(each.paired.p),
        Column("Holm"): lambda each: p_value(each.holm),
        Column("tasks"): lambda each: str(each.paired.problems),
        **_PAIR.count("calls", lambda each: each.turns),
    },
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
