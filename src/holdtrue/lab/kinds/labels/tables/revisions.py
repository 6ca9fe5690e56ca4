"""What methods changed in their answers, and what that cost."""

from __future__ import annotations

from collections.abc import Callable

from holdtrue.figures.cells import coverage, decimal_interval, percent, times
from holdtrue.figures.table import Column, Table
from holdtrue.lab.kinds.labels.plays import simplest
from holdtrue.lab.kinds.labels.report import LabelReport
from holdtrue.lab.kinds.labels.row import LabelRow, Spent
from holdtrue.lab.kinds.labels.tables.columns import ACCURACY, CASES, COST, Cells, number, share
from holdtrue.lab.kit.by_row import line_by_row


def revision(report: LabelReport) -> Table:
    """What was changed, withdrawn and brought back."""
    return line_by_row(
        report,
        "revision",
        "Changed and withdrawn answers",
        "Edits: labels that the method itself changed, mean over cases. Retracted: beliefs given up, by the solver's "
        "verdict; needless are those that could have stayed. Rejected: never let in, because they contradict the "
        "premises alone. Policies differ: turns at which screened policies would end in different beliefs, of those "
        "where a policy was at work. Revision cost is what is left to withdraw.",
        {
            **share("first accu\u00adracy", lambda row: row.first_accuracy),
            **ACCURACY,
            **number("edits a case", lambda row: row.sets.edits),
            **COST,
            Column("re\u00adtracted", optional=True): lambda row: str(row.revisions.retracted),
            **number("re\u00adtracted a case", lambda row: row.revisions.per_case),
            Column("re\u00adjected", optional=True): lambda row: str(row.revisions.rejected),
            Column("re\u00adinstated", optional=True): lambda row: str(row.revisions.reinstated),
            Column("need\u00adless", optional=True): _needless,
            Column("policies differ %"): _differ,
            **CASES,
        },
    )


def overhead(report: LabelReport) -> Table:
    """What a case cost, and how many times the simplest method's cost that is."""
    base = simplest(report.suite)
    return line_by_row(
        report,
        "overhead",
        "Overhead",
        f"Means per case, with 95% intervals over cases, and as a multiple of what {base} spends on the same cases. "
        "Seconds: wall time of the turns, and in them the calls' own time. Solver calls: the method's own.",
        {
            **_spent("tokens", lambda row: row.overhead.tokens, ".0f"),
            **_spent("calls", lambda row: row.overhead.calls, ".2f"),
            **_spent("seconds", lambda row: row.overhead.elapsed_s, ".2f"),
            **_spent("seconds of calls", lambda row: row.overhead.latency_s, ".2f"),
            **_spent("solver calls", lambda row: row.overhead.solver_calls, ".1f"),
            **CASES,
        },
    )


def _needless(row: LabelRow) -> str:
    return coverage(row.revisions.needless.hits, row.revisions.needless.of) if row.revisions.needless.of else "-"


def _differ(row: LabelRow) -> str:
    found = row.revisions.differ
    return f"{percent(found.value)} of {found.of}" if found.of else "-"


def _spent(title: str, read: Callable[[LabelRow], Spent], form: str) -> Cells:
    def mean(row: LabelRow) -> str:
        value = read(row).per_case.value
        return "-" if value is None else format(value, form)

    return {
        Column(title): mean,
        Column(f"95% of {title}", wide=True): lambda row: decimal_interval(read(row).per_case, form),
        Column(f"{title}, times"): lambda row: times(read(row).times_direct),
    }
