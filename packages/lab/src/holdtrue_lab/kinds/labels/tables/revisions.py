"""Report tables about revision: what methods changed and what it cost, and dialogues as belief revision (GreedySAT)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from holdtrue_lab.figures.cells import MISSING, coverage, percent, times
from holdtrue_lab.figures.statistics import Rate
from holdtrue_lab.figures.table import MODEL, Column
from holdtrue_lab.kinds.labels.report import LabelReport
from holdtrue_lab.kinds.labels.row import LabelRow, Spent
from holdtrue_lab.kinds.labels.tables import ACCURACY, CASES, CONSISTENT, COST, ROW
from holdtrue_lab.kit.tables import BY_METHOD, Cells, Lines, ReportTable


def _needless(row: LabelRow) -> str:
    found = row.revisions.needless
    return coverage(found.hits, found.of) if found.of else MISSING


def _differ(row: LabelRow) -> str:
    found = row.revisions.differ
    return f"{percent(found.value)} of {found.of}" if found.of else MISSING


revision = ReportTable[LabelRow](
    "revision",
    "Changed answers",
    "Edits: labels that the method itself changed, mean over cases. Revision cost is what is left to withdraw.",
    BY_METHOD,
    {
        **ROW.share("first accu\u00adracy", lambda row: row.first_accuracy),
        **ACCURACY,
        **ROW.number("edits a case", lambda row: row.sets.edits),
        **COST,
        **CASES,
    },
)

withdrawn = ReportTable[LabelRow](
    "withdrawn",
    "Withdrawn answers",
    "Retracted: beliefs given up, by the solver's verdict; needless are those that could have stayed. Rejected: never "
    "let in, because they contradict the premises alone.",
    BY_METHOD,
    {
        **ACCURACY,
        **ROW.count("re\u00adtracted", lambda row: row.revisions.retracted, optional=True),
        **ROW.number("re\u00adtracted a case", lambda row: row.revisions.per_case),
        **ROW.count("re\u00adjected", lambda row: row.revisions.rejected, optional=True),
        **ROW.count("re\u00adinstated", lambda row: row.revisions.reinstated, optional=True),
        Column("need\u00adless", optional=True): _needless,
        Column("policies differ %"): _differ,
    },
    "Policies differ: turns at which screened policies would end in different beliefs, of those where a policy was at "
    "work.",
)


def _spent(title: str, read: Callable[[LabelRow], Spent], form: str = ".2f") -> Cells[LabelRow]:
    return {
        **ROW.number(title, lambda row: read(row).per_case, form),
        Column(f"{title}, times"): lambda row: times(read(row).times_direct),
    }


_MEANS = (
    "Means per case. Times: as a multiple of what the simplest method (direct; none "
    "where beliefs are revised) spends on the same cases."
)

overhead = ReportTable[LabelRow](
    "overhead",
    "Overhead",
    _MEANS,
    BY_METHOD,
    {
        **ACCURACY,
        **_spent("calls", lambda row: row.overhead.calls),
        **_spent("tokens", lambda row: row.overhead.tokens, ".0f"),
        **CASES,
    },
)

overhead_of_time = ReportTable[LabelRow](
    "overhead_of_time",
    "Overhead of time",
    _MEANS,
    BY_METHOD,
    {
        **_spent("seconds", lambda row: row.overhead.seconds),
        **_spent("seconds of calls", lambda row: row.overhead.latency_s),
        **_spent("solver calls", lambda row: row.overhead.solver_calls, ".1f"),
        Column("cases"): lambda row: coverage(row.finished, row.problems),
    },
    "Seconds: the recorded time of its calls, whichever method paid for them, and the CPU time of its solver. Solver "
    "calls: the method's own.",
)


def _settings(report: LabelReport) -> Iterator[tuple[Sequence[str], LabelRow]]:
    """The rows by setting (and then over all, where there are several), each with the methods in their order."""
    for group in report.groups:
        settings = list(dict.fromkeys(row.domain for row in group.rows if row.domain is not None))
        for setting in [*settings, None] if len(settings) != 1 else settings:
            for row in group.rows:
                if row.domain == setting:
                    yield (group.label, row.domain or "all", *report.modes[row.arm]), row


def _of(rate: Rate) -> str:
    return coverage(rate.hits, rate.of)


_BY_SETTING = Lines((MODEL, *(Column(word, words=True) for word in ("setting", "mode", "system"))), _settings)
_DIALOGUES: Cells[LabelRow] = {Column("dia\u00adlogues"): lambda row: coverage(row.finished, row.problems)}

_FINAL = ROW.share("final acc.", lambda row: row.accuracy)
_FINAL_SAID = (
    "Final: what the last belief about its atom says in the end, whichever answer that was; unknown without one."
)

dialogues = ReportTable[LabelRow](
    "dialogues",
    "Results by setting, mode and system",
    f"Raw: each answer as it was given. {_FINAL_SAID}",
    _BY_SETTING,
    {
        **ROW.share("raw acc.", lambda row: row.first_accuracy),
        **_FINAL,
        Column("in\u00adcons."): lambda row: coverage(row.inconsistent, row.sets.consistent.of),
        **ROW.count("re\u00adtracts", lambda row: row.revisions.retracted),
        **_DIALOGUES,
    },
    "Inconsistent: dialogues that end impossible. System none is the baseline. {caution} (GreedySAT, tables 1 and 2.)",
)

entailment = ReportTable[LabelRow](
    "entailment",
    "What follows from rules and beliefs in the end",
    "By entailment: what follows from rules and beliefs in the end, over the questions of dialogues that end possible. "
    "Contradictions: dialogues in which the same thing was called true and false.",
    _BY_SETTING,
    {
        **_FINAL,
        **ROW.share("by en\u00adtail\u00adment", lambda row: row.entailed_accuracy),
        Column("en\u00adtailed of"): lambda row: coverage(row.entailed_accuracy.of, row.queries),
        Column("contra\u00addic\u00adtions"): lambda row: _of(row.revisions.opposed),
        **_DIALOGUES,
    },
    "With the suite's own rules entailment also answers what nobody said, and who commits to nothing scores 100.0. "
    f"{_FINAL_SAID} (GreedySAT, table 2.)",
)

retractions = ReportTable[LabelRow](
    "retractions",
    "Beliefs withdrawn",
    "Retracts: beliefs withdrawn. Needless: retractions that could have stayed, each by itself, in the end.",
    _BY_SETTING,
    {
        **_FINAL,
        **ROW.count("re\u00adtracts", lambda row: row.revisions.retracted),
        **ROW.number("a dialogue", lambda row: row.revisions.per_case),
        Column("need\u00adless"): lambda row: _of(row.revisions.needless),
        **_DIALOGUES,
    },
    f"{_FINAL_SAID}",
)

policies = ReportTable[LabelRow](
    "policies",
    "Beliefs refused and brought back, and where policies differ",
    "Rejected: never let in, because the rules alone refute it. Policies differ: turns at which screened policies "
    "would end in different beliefs, from the same state, and at how many turns that was looked for.",
    _BY_SETTING,
    {
        **_FINAL,
        **ROW.count("re\u00adjected", lambda row: row.revisions.rejected),
        **ROW.count("re\u00adin\u00adstated", lambda row: row.revisions.reinstated),
        **ROW.share("policies differ", lambda row: row.revisions.differ),
        Column("of turns"): lambda row: coverage(row.revisions.differ.of, row.turns),
    },
    f"{_FINAL_SAID}",
)

consistency_of_dialogues = ReportTable[LabelRow](
    "consistency",
    "Consistency of the answers to a dialogue",
    "Epistemic: also every question answered unknown is left open by the rest. Prefixes: the mean share of a "
    "dialogue's first 1, 2, ... answers that can hold, as they stand in the end of their turn.",
    BY_METHOD,
    {
        **ACCURACY,
        **CONSISTENT,
        **ROW.share("epis\u00adtemic", lambda row: row.sets.epistemic),
        **ROW.share("pre\u00adfixes", lambda row: row.sets.prefix),
        **ROW.share("clashes", lambda row: row.sets.density),
        Column("decided"): lambda row: coverage(row.sets.consistent.of, row.finished),
    },
    "Clashes: answers that cannot hold with the rules and the earlier answers, each clash once. Decided: dialogues of "
    "which it was found out whether all answers can hold. {caution}",
)
