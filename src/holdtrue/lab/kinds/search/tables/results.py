"""Report tables about results: how many searches end with a certified candidate, and the outcomes of all candidates."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from holdtrue.figures.cells import divide, percent
from holdtrue.figures.table import MODEL, Column
from holdtrue.kinds.search.record import CandidateOutcome
from holdtrue.kinds.search.verdict_words import in_words
from holdtrue.lab.kinds.search.report import SearchReport
from holdtrue.lab.kinds.search.row import SearchRow
from holdtrue.lab.kinds.search.tables import PRECISION, PROBLEMS, RECALL, ROW, SAT, VERIFIED
from holdtrue.lab.kit.tables import BY_DOMAIN, BY_METHOD, METHOD, Cells, Lines, ReportTable

_MEASURES = (
    "Verified: trials that end with a candidate that is right by the suite's own formulas, an assignment or a claim "
    "that there is no solution. Sat certified: of the trials of problems that have one. Unsat precision: right claims "
    "among all claims of candidates; recall: trials that end with a certified claim, of those of problems without a "
    "solution. A method marked "
    "'witness revealed' was shown solutions of the solver, and its paired tests stand in a table of their own; one "
    "marked 'solver keeps values' was asked only for what a solver found cannot stay, which is part of the search. "
    "Claims that the solver left undecided in time count by gold."
)
_RESULTS: Cells[SearchRow] = {**VERIFIED, **SAT, **PRECISION, **RECALL, **PROBLEMS}

results = ReportTable[SearchRow](
    "results",
    "Results",
    f"{_MEASURES} Solver calls: all of the method's own, by certified solve. Disputed: trials that a method called "
    "certified and gold does not. {caution}",
    BY_METHOD,
    {
        **VERIFIED,
        **SAT,
        **PRECISION,
        **RECALL,
        **ROW.number("solver calls a certified solve", lambda row: row.costs.solver_calls.per_solve),
        **ROW.count("dis\u00adputed", lambda row: row.disputed, optional=True),
        **PROBLEMS,
    },
)

results_by_domain = ReportTable(
    "results_by_domain", "Results by domain", f"{_MEASURES} {{caution}}", BY_DOMAIN, _RESULTS
)


def _bins(report: SearchReport) -> Iterator[tuple[Sequence[str], SearchRow]]:
    for group in report.bins:
        for row in group.rows:
            yield (group.label, report.names.method(row.arm), row.difficulty or ""), row


results_by_difficulty = ReportTable(
    "results_by_difficulty",
    "Results by difficulty",
    f"Bins follow from the structure of a problem, never from how long anything took. {_MEASURES} {{caution}}",
    Lines((MODEL, METHOD, Column("diffi\u00adculty", words=True)), _bins),
    _RESULTS,
)


def _shares(
    shown: Sequence[CandidateOutcome], read: Callable[[SearchRow], Mapping[CandidateOutcome, int]]
) -> Cells[SearchRow]:
    def cell(outcome: CandidateOutcome) -> Callable[[SearchRow], str]:
        return lambda row: percent(divide(read(row)[outcome], sum(read(row).values())))

    return {
        **VERIFIED,
        **{Column(f"{in_words(outcome)} %"): cell(outcome) for outcome in shown},
        **ROW.count("of", lambda row: sum(read(row).values())),
    }


outcomes = ReportTable(
    "outcomes",
    "How searches end",
    "Percent of trials. A search ends with its certified candidate, with how its last candidate failed, or where "
    "tokens or seconds ran out before its calls did (budget exceeded). {caution}",
    BY_METHOD,
    _shares(list(CandidateOutcome), lambda row: row.outcomes),
)

candidates = ReportTable(
    "candidates",
    "What candidates come to",
    "Percent of candidates; verified is of trials. Failed certification: in bounds, and some constraint is "
    "broken. Rejected domain: a "
    "value is out of its bounds. Failed schema: not the JSON that was asked for, or without some value. Refused: "
    "the model or a filter declined. Methods "
    "stop at the first certified candidate, so their candidates are not equally many. {caution}",
    BY_METHOD,
    _shares(
        [outcome for outcome in CandidateOutcome if outcome is not CandidateOutcome.BUDGET_EXCEEDED],
        lambda row: row.candidates,
    ),
)
