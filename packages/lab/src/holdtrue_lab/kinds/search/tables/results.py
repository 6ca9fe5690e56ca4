"""Report tables about results: how many searches end with a certified candidate, and the outcomes of all candidates."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from holdtrue.kinds.search.record import CandidateOutcome
from holdtrue.kinds.search.verdict_words import in_words
from holdtrue_lab.figures.cells import divide, percent
from holdtrue_lab.figures.table import MODEL, Column
from holdtrue_lab.kinds.search.metrics import (
    CANDIDATES,
    COUNT,
    DISPUTED,
    OUTCOMES,
    PER_SOLVE,
    PRECISION,
    RECALL,
    SAT,
    VERIFIED,
)
from holdtrue_lab.kinds.search.report import SearchReport
from holdtrue_lab.kinds.search.row import SearchRow
from holdtrue_lab.kinds.search.tables import PROBLEMS, ROW, TRIALS_OF_PROBLEMS, VERIFIED_ALONE
from holdtrue_lab.kit.tables import BY_DOMAIN, BY_METHOD, METHOD, Cells, Lines, ReportTable, columns

_MEASURES = (
    "Verified: trials that end with a candidate that is right by the suite's own formulas, an assignment or a claim "
    "that there is no solution."
)
_MORE = (
    "Sat certified: of the trials of problems that have a solution. Unsat precision: right claims among all claims of "
    "candidates; recall: trials that end with a certified claim, of those of problems without a solution. A method "
    "marked 'witness revealed' was shown solutions of the solver, and its paired tests stand in a table of their own; "
    "one marked 'solver keeps values' was asked only for what a solver found cannot stay, which is part of the search. "
    "Claims that the solver left undecided in time count by gold. {caution}"
)
_RESULTS = columns(VERIFIED, SAT, PRECISION, RECALL)
_PARTS: Cells[SearchRow] = {**_RESULTS, **columns(COUNT), **PROBLEMS}

results = ReportTable[SearchRow]("results", "Results", _MEASURES, BY_METHOD, {**_RESULTS, **TRIALS_OF_PROBLEMS}, _MORE)

solver_calls = ReportTable[SearchRow](
    "solver_calls",
    "Solver calls and disputed trials",
    "Solver calls: all of the method's own, by certified solve. Disputed: trials that a method called certified and "
    "gold does not.",
    BY_METHOD,
    {
        **columns(VERIFIED, PER_SOLVE["solver_calls"], DISPUTED),
        **TRIALS_OF_PROBLEMS,
    },
)

results_by_domain = ReportTable("results_by_domain", "Results by domain", _MEASURES, BY_DOMAIN, _PARTS, _MORE)


def _bins(report: SearchReport) -> Iterator[tuple[Sequence[str], SearchRow]]:
    for group in report.bins:
        for row in group.rows:
            yield (group.label, report.names.method(row.arm), row.difficulty or ""), row


results_by_difficulty = ReportTable(
    "results_by_difficulty",
    "Results by difficulty",
    _MEASURES,
    Lines((MODEL, METHOD, Column("diffi\u00adculty", words=True)), _bins),
    _PARTS,
    f"Bins follow from the structure of a problem, never from how long anything took. {_MORE}",
)

# How a candidate fails that could be read, and that there was nothing to judge: a table each.
_UNJUDGED = (
    CandidateOutcome.FAILED_SCHEMA,
    CandidateOutcome.REFUSED,
    CandidateOutcome.VERIFIER_UNKNOWN,
    CandidateOutcome.BUDGET_EXCEEDED,
)
_JUDGED = tuple(outcome for outcome in CandidateOutcome if outcome not in _UNJUDGED)


def _shares(
    shown: Sequence[CandidateOutcome], read: Callable[[SearchRow], Mapping[CandidateOutcome, int]]
) -> Cells[SearchRow]:
    def cell(outcome: CandidateOutcome) -> Callable[[SearchRow], str]:
        return lambda row: percent(divide(read(row)[outcome], sum(read(row).values())))

    return {
        **VERIFIED_ALONE,
        **{Column(f"{in_words(outcome)} %"): cell(outcome) for outcome in shown},
        **ROW.count("of", lambda row: sum(read(row).values())),
    }


outcomes = ReportTable(
    "outcomes",
    "How searches end",
    "Percent of trials. A search ends with its certified candidate, or with how its last candidate failed.",
    BY_METHOD,
    _shares(_JUDGED, OUTCOMES),
    "Failed certification: in bounds, and some constraint is broken. Rejected domain: a value is out of its bounds. "
    "What is missing to 100 ended without a candidate that could be judged. {caution}",
)

unjudged = ReportTable(
    "unjudged",
    "Searches that end without a candidate that could be judged",
    "Percent of trials. Failed schema: not the JSON that was asked for, or without some value; refused: the model or a "
    "filter declined.",
    BY_METHOD,
    _shares(_UNJUDGED, OUTCOMES),
    "Budget exceeded: tokens or seconds ran out before calls did. Verifier unknown: the solver's time ran out.",
)

candidates = ReportTable(
    "candidates",
    "What candidates come to",
    "Percent of candidates; verified is of trials. Methods stop at the first certified candidate, so their candidates "
    "are not equally many.",
    BY_METHOD,
    _shares(_JUDGED, CANDIDATES),
    "What is missing to 100 could not be judged. {caution}",
)

unjudged_candidates = ReportTable(
    "unjudged_candidates",
    "Candidates that could not be judged",
    "Percent of candidates. Failed schema: not the JSON that was asked for, or without some value; refused: the model "
    "or a filter declined.",
    BY_METHOD,
    _shares([each for each in _UNJUDGED if each is not CandidateOutcome.BUDGET_EXCEEDED], CANDIDATES),
)
