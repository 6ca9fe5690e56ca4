"""How many searches end with a certified candidate, and what their candidates come to."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from holdtrue.figures.cells import divide, percent
from holdtrue.figures.table import MODEL, Column, Table, make_table
from holdtrue.kinds.search.record import CandidateOutcome
from holdtrue.kinds.search.verdict_words import in_words
from holdtrue.lab.kinds.search.report import SearchReport
from holdtrue.lab.kinds.search.row import SearchRow
from holdtrue.lab.kinds.search.tables.columns import (
    PRECISION,
    PROBLEMS,
    RECALL,
    SAT,
    VERIFIED,
    Cells,
    SearchCell,
    per_solve,
)
from holdtrue.lab.kit.by_row import METHOD, line_by_row

_MEASURES = (
    "Verified: trials that end with a candidate that is right by the suite's own formulas, an assignment or a claim "
    "that there is no solution. Sat certified: of the trials of problems that have one. Unsat precision: right claims "
    "among all claims of candidates; recall: trials that end with a certified claim, of those of problems without a "
    "solution. Intervals are 95%, over problems, because trials of one problem are not independent. A method marked "
    "'witness revealed' was shown solutions of the solver, and its paired tests stand in a table of their own; one "
    "marked 'solver keeps values' was asked only for what a solver found cannot stay, which is part of the search. "
    "Claims that the solver left undecided in time count by gold."
)


def results(report: SearchReport) -> Table:
    """The published table."""
    return line_by_row(
        report,
        "results",
        "Results",
        f"{_MEASURES} Solver calls: all of the method's own, by certified solve. Disputed: trials that a method called "
        f"certified and gold does not. {report.caution}",
        {
            **VERIFIED,
            **SAT,
            **PRECISION,
            **RECALL,
            **per_solve("solver calls a certified solve", lambda row: row.costs.solver_calls, ".2f"),
            Column("dis\u00adputed", optional=True): lambda row: str(row.disputed),
            **PROBLEMS,
        },
    )


def results_by_domain(report: SearchReport) -> Table:
    """The same figures in each domain."""
    return line_by_row(
        report,
        "results_by_domain",
        "Results by domain",
        f"{_MEASURES} {report.caution}",
        {**VERIFIED, **SAT, **PRECISION, **RECALL, **PROBLEMS},
        by_domain=True,
    )


def results_by_difficulty(report: SearchReport) -> Table:
    """The same figures in each bin of difficulty, over all domains."""
    cells: Cells = {**VERIFIED, **SAT, **PRECISION, **RECALL, **PROBLEMS}
    return make_table(
        "results_by_difficulty",
        "Results by difficulty",
        f"Bins follow from the structure of a problem, never from how long anything took. {_MEASURES} {report.caution}",
        [MODEL, METHOD, Column("diffi\u00adculty", words=True), *cells],
        [
            (group.label, report.names.method(row.arm), row.difficulty or "", *(cell(row) for cell in cells.values()))
            for group in report.bins
            for row in group.rows
        ],
    )


def outcomes(report: SearchReport) -> Table:
    """How searches end."""
    return _outcomes(
        report,
        "outcomes",
        "How searches end",
        "Percent of trials. A search ends with its certified candidate, with how its last candidate failed, or where "
        f"tokens or seconds ran out before its calls did (budget exceeded). {report.caution}",
        list(CandidateOutcome),
        lambda row: row.outcomes,
    )


def candidates(report: SearchReport) -> Table:
    """What candidates come to, one by one."""
    return _outcomes(
        report,
        "candidates",
        "What candidates come to",
        "Percent of candidates. Failed certification: in bounds, and some constraint is broken. Rejected domain: a "
        "value is out of its bounds. Failed schema: not the JSON that was asked for, or without some value. Refused: "
        "the model or a filter declined. Methods "
        f"stop at the first certified candidate, so their candidates are not equally many. {report.caution}",
        [outcome for outcome in CandidateOutcome if outcome is not CandidateOutcome.BUDGET_EXCEEDED],
        lambda row: row.candidates,
    )


def _outcomes(
    report: SearchReport,
    name: str,
    title: str,
    note: str,
    shown: Sequence[CandidateOutcome],
    read: Callable[[SearchRow], Mapping[CandidateOutcome, int]],
) -> Table:
    def cell(outcome: CandidateOutcome) -> SearchCell:
        return lambda row: percent(divide(read(row)[outcome], sum(read(row).values())))

    return line_by_row(
        report,
        name,
        title,
        note,
        {
            **VERIFIED,
            **{Column(f"{in_words(outcome)} %"): cell(outcome) for outcome in shown},
            Column("of"): lambda row: str(sum(read(row).values())),
        },
    )
