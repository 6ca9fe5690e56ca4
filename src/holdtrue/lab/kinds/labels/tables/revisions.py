"""Report tables about revision: what methods changed in their answers, and what that cost."""

from __future__ import annotations

from collections.abc import Callable

from holdtrue.figures.cells import MISSING, coverage, percent, times
from holdtrue.figures.table import Column
from holdtrue.lab.kinds.labels.row import LabelRow, Spent
from holdtrue.lab.kinds.labels.tables import ACCURACY, CASES, COST, ROW
from holdtrue.lab.kit.tables import BY_METHOD, Cells, ReportTable


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
