"""The tables of a report about searches: results, failures of candidates, effects of feedback, costs, and tests."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from holdtrue.kinds.search.record import CandidateOutcome
from holdtrue.kinds.search.verdict_words import in_words
from holdtrue_lab.figures.cells import coverage, decimal, divide, in_interval, p_value, percent
from holdtrue_lab.figures.table import MODEL, Column
from holdtrue_lab.kinds.search import metrics as own
from holdtrue_lab.kinds.search.report import COSTS, CostDifference, FrontierPoint, SearchComparison, SearchReport
from holdtrue_lab.kit.cost_tables import COST_TABLES, right_cost
from holdtrue_lab.kit.groups import FigureRow
from holdtrue_lab.kit.pairs import FAMILY
from holdtrue_lab.kit.tables import (
    ALONE_COLUMNS,
    BY_DOMAIN,
    BY_METHOD,
    METHOD,
    Cells,
    Columns,
    Contents,
    Lines,
    ReportTable,
    by_pair,
    by_part,
    columns,
    pair_columns,
)

ROW = Columns[FigureRow]()
PROBLEMS: Cells[FigureRow] = {Column("prob\u00adlems"): lambda row: coverage(row.finished, row.problems)}
TRIALS_OF_PROBLEMS: Cells[FigureRow] = {
    **columns(own.COUNT),
    **PROBLEMS,
    Column("failed", optional=True): lambda row: str(row.failed),
}
VERIFIED_ALONE = ROW.alone("veri\u00adfied", own.VERIFIED)

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
_RESULTS = columns(own.VERIFIED, own.SAT, own.PRECISION, own.RECALL)
_PARTS: Cells[FigureRow] = {**_RESULTS, **columns(own.COUNT), **PROBLEMS}

results = ReportTable[FigureRow]("results", "Results", _MEASURES, BY_METHOD, {**_RESULTS, **TRIALS_OF_PROBLEMS}, _MORE)
results_by_domain = ReportTable("results_by_domain", "Results by domain", _MEASURES, BY_DOMAIN, _PARTS, _MORE)


def _bins(report: SearchReport) -> Iterator[tuple[Sequence[str], FigureRow]]:
    for group in report.bins:
        for row in group.rows:
            yield (group.label, report.names.method(row.arm), row.told["difficulty"]), row


results_by_difficulty = ReportTable(
    "results_by_difficulty",
    "Results by difficulty",
    _MEASURES,
    Lines((MODEL, METHOD, Column("diffi\u00adculty", words=True)), _bins),
    _PARTS,
    f"Bins follow from the structure of a problem, never from how long anything took. {_MORE}",
)

solver_calls = ReportTable[FigureRow](
    "solver_calls",
    "Solver calls and disputed trials",
    "Solver calls: all of the method's own, by certified solve. Disputed: trials that a method called certified and "
    "gold does not.",
    BY_METHOD,
    {**columns(own.VERIFIED, own.PER_SOLVE["solver_calls"], own.DISPUTED), **TRIALS_OF_PROBLEMS},
)

# One table shows how readable candidates fail, and another the candidates without anything to judge.
_UNJUDGED = (
    CandidateOutcome.FAILED_SCHEMA,
    CandidateOutcome.REFUSED,
    CandidateOutcome.VERIFIER_UNKNOWN,
    CandidateOutcome.BUDGET_EXCEEDED,
)
_JUDGED = tuple(outcome for outcome in CandidateOutcome if outcome not in _UNJUDGED)


def _shares(
    shown: Sequence[CandidateOutcome], read: Callable[[FigureRow], Mapping[CandidateOutcome, int]]
) -> Cells[FigureRow]:
    def cell(outcome: CandidateOutcome) -> Callable[[FigureRow], str]:
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
    _shares(_JUDGED, own.OUTCOMES),
    "Failed certification: in bounds, and some constraint is broken. Rejected domain: a value is out of its bounds. "
    "What is missing to 100 ended without a candidate that could be judged. {caution}",
)
unjudged = ReportTable(
    "unjudged",
    "Searches that end without a candidate that could be judged",
    "Percent of trials. Failed schema: not the JSON that was asked for, or without some value; refused: the model or a "
    "filter declined.",
    BY_METHOD,
    _shares(_UNJUDGED, own.OUTCOMES),
    "Budget exceeded: tokens or seconds ran out before calls did. Verifier unknown: the solver's time ran out.",
)
candidates = ReportTable(
    "candidates",
    "What candidates come to",
    "Percent of candidates; verified is of trials. Methods stop at the first certified candidate, so their candidates "
    "are not equally many.",
    BY_METHOD,
    _shares(_JUDGED, own.CANDIDATES),
    "What is missing to 100 could not be judged. {caution}",
)
unjudged_candidates = ReportTable(
    "unjudged_candidates",
    "Candidates that could not be judged",
    "Percent of candidates. Failed schema: not the JSON that was asked for, or without some value; refused: the model "
    "or a filter declined.",
    BY_METHOD,
    _shares([each for each in _UNJUDGED if each is not CandidateOutcome.BUDGET_EXCEEDED], own.CANDIDATES),
)

cost = ReportTable[FigureRow](
    "cost",
    "Cost of a trial",
    "Means over trials. Controls never ask the model.",
    BY_METHOD,
    {
        **VERIFIED_ALONE,
        **columns(*(own.PER_TRIAL[name] for name in ("calls", "generated", "tokens"))),
        **TRIALS_OF_PROBLEMS,
    },
    "Generated: tokens that the model wrote, of every candidate, used or not; tokens: also those that it was given.",
)
time = ReportTable[FigureRow](
    "time",
    "Time of a trial",
    "Means over trials. Seconds: the time of the calls and of the solver; solver calls: the method's own.",
    BY_METHOD,
    {
        **VERIFIED_ALONE,
        **columns(own.PER_TRIAL["seconds"], own.PER_TRIAL["solver_calls"]),
        **TRIALS_OF_PROBLEMS,
    },
)


def _spent(name: str) -> Callable[[FrontierPoint], str]:
    return lambda each: decimal(each.spent[name].value)


efficiency = ReportTable[FrontierPoint](
    "efficiency",
    "Efficiency frontier",
    "A method is on the frontier of a cost where no other one verifies at least as much for no more of it, and is "
    "better in one of the two. Costs are means over trials.",
    Lines(
        (MODEL, METHOD),
        lambda report: (((label, each.title), each) for label, found in report.frontier.items() for each in found),
    ),
    {
        Column("on the frontier of", words=True): lambda each: (
            ", ".join(name.replace("_", " ") for name in COSTS if each.best[name]) or "none"
        ),
        **Columns[FrontierPoint]().share("veri\u00adfied", lambda each: each.verified),
        **{Column(name.replace("_", " ").replace("generated", "gener\u00adated")): _spent(name) for name in COSTS},
    },
    "A method that was shown solutions of the solver is on no frontier.",
)

convergence = ReportTable(
    "convergence",
    "Convergence by round",
    "Percent of trials that are verified by the end of each round.",
    by_part("round", lambda row: ((str(place), (row, rate)) for place, rate in enumerate(own.CONVERGED(row), start=1))),
    {
        **Columns[Any]().share("veri\u00adfied", lambda each: each[1]),
        Column("trials"): lambda each: str(own.COUNT(each[0])),
        Column("prob\u00adlems"): lambda each: coverage(each[0].finished, each[0].problems),
    },
)

feedback = ReportTable[FigureRow](
    "feedback",
    "What feedback does",
    "Untold: candidates certified of those whose prompt told nothing of a failure; told: of those whose prompt did. "
    "The second are candidates for what is harder, so that the two cannot be compared as they are.",
    BY_METHOD,
    {
        **VERIFIED_ALONE,
        **columns(own.UNTOLD),
        **ROW.count("untold", lambda row: own.UNTOLD(row).of),
        **columns(own.TOLD),
        **ROW.count("told", lambda row: own.TOLD(row).of),
        **PROBLEMS,
    },
)

kept = ReportTable[FigureRow](
    "kept",
    "What candidates keep of the one before",
    "Repeated: candidates that had been given before in the trial, of those that could be read. Kept: the share of "
    "variables outside the conflict that was found in a candidate, the median over these candidates.",
    BY_METHOD,
    {
        **VERIFIED_ALONE,
        **ROW.alone("re\u00adpeated", own.REPEATED),
        **ROW.alone("partial", own.PARTIAL),
        **ROW.count("con\u00adflicts", lambda row: own.KEPT(row).candidates),
        **ROW.share("kept", lambda row: own.KEPT(row).share),
        **PROBLEMS,
    },
    "Partial: only some variables were asked for. None is kept where every constraint names every variable.",
)
kept_by_size = ReportTable(
    "kept_by_size",
    "What candidates keep, by the number of variables",
    "Kept: the share of variables outside the conflict that was found in a candidate, the median over candidates for "
    "problems with so many variables.",
    by_part("variables", lambda row: ((str(size), (row, share)) for size, share in own.KEPT(row).by_size.items())),
    {
        Column("veri\u00adfied %"): lambda each: percent(own.VERIFIED(each[0]).value),
        Column("kept %"): lambda each: percent(each[1]),
        Column("prob\u00adlems"): lambda each: coverage(each[0].finished, each[0].problems),
    },
)

_BUDGET: Cells[SearchComparison] = {
    Column("budget", words=True): lambda each: "same" if each.matched else "one call",
}
_BUDGET_SAID = "Budget: whether both had the same, or one makes a single call."
_OURS = f"{FAMILY} Methods that were shown solutions are no part of this family. {{caution}}"
_REVEALED = "A family of its own, to reproduce what was published: these methods copy what the solver found."


def _paired(name: str, title: str, *, revealed: bool, more: str) -> ReportTable[SearchComparison]:
    return ReportTable(
        name,
        title,
        "Every two methods of one model and budget. The difference is of the shares of trials, each problem counting "
        "once, with the p-value of flipping the signs of whole problems.",
        by_pair(lambda report: (each for each in report.comparisons if each.revealed is revealed)),
        {
            **_BUDGET,
            **pair_columns(),
            Column("trials"): lambda each: str(each.turns),
        },
        more,
    )


def _mcnemar(name: str, title: str, *, revealed: bool, more: str) -> ReportTable[Any]:
    return ReportTable(
        name,
        title,
        "Every two methods of one model and budget. A problem is solved where most of its trials are verified, and "
        "McNemar's exact test is on problems that one method solved and the other did not.",
        by_pair(lambda report: (each for each in report.comparisons if each.revealed is revealed)),
        {
            Column("solved"): lambda each: str(each.solved.arm),
            Column("other solved"): lambda each: str(each.solved.other),
            **ALONE_COLUMNS,
        },
        more,
    )


def _costs(
    name: str, title: str, what: str, read: Callable[[SearchComparison], CostDifference]
) -> ReportTable[SearchComparison]:
    return ReportTable(
        name,
        title,
        "What the method spends more than the other, mean over problems, each counting once by the mean of its "
        "trials. The p-value is that of Wilcoxon's signed-rank test.",
        by_pair(lambda report: (each for each in report.comparisons if not each.revealed)),
        {
            **_BUDGET,
            Column(f"more {what}"): lambda each: in_interval(read(each).difference, decimal),
            Column("Wilcoxon p"): lambda each: p_value(read(each).p),
            Column("Holm"): lambda each: p_value(read(each).holm),
            Column("prob\u00adlems"): lambda each: str(each.paired.problems),
        },
        f"{_BUDGET_SAID} {FAMILY} Methods that were shown solutions are no part of it.",
    )


paired_tests = _paired("paired_tests", "Paired tests", revealed=False, more=f"{_BUDGET_SAID} {_OURS}")
mcnemar = _mcnemar("mcnemar", "Problems that one method solved alone", revealed=False, more=_OURS)
paired_tests_revealed = _paired(
    "paired_tests_revealed",
    "Paired tests with methods that were shown solutions",
    revealed=True,
    more=f"{_REVEALED} {_BUDGET_SAID} {FAMILY}",
)
mcnemar_revealed = _mcnemar(
    "mcnemar_revealed",
    "Problems that one method solved alone, with methods that were shown solutions",
    revealed=True,
    more=f"{_REVEALED} {FAMILY}",
)
paired_calls = _costs("paired_calls", "Paired tests of calls", "calls", lambda each: each.calls)
paired_tokens = _costs(
    "paired_tokens", "Paired tests of generated tokens", "gener\u00adated", lambda each: each.generated
)

rewritten = ReportTable(
    "robustness",
    "Rewritten problems",
    "Verified share of trials on problems and on the same problems rewritten without changing what they ask, each "
    "problem counting once. The p-value is that of flipping signs.",
    Lines(
        (MODEL, METHOD, Column("rewritten by", words=True)),
        lambda report: (
            ((report.names.model(each.arm), report.names.method(each.arm), each.variant.replace("_", " ")), each)
            for each in report.robustness
        ),
    ),
    {
        Column("as it was %"): lambda each: percent(each.base),
        Column("re\u00adwritten %"): lambda each: percent(each.rewritten),
        **pair_columns(titled="after Holm"),
    },
    f"{FAMILY} These are of all ways of rewriting and all methods. A control of luck: methods that are right by chance "
    "change little too.",
)

CONTENTS = Contents(
    sections=(
        (
            "Results",
            (
                *(results, solver_calls, paired_tests, mcnemar, results_by_difficulty, results_by_domain),
                *(paired_tests_revealed, mcnemar_revealed),
            ),
        ),
        (
            "Outcomes and feedback",
            (outcomes, unjudged, candidates, unjudged_candidates, convergence, feedback, kept, kept_by_size),
        ),
        ("Cost", (efficiency, cost, time, *COST_TABLES, paired_calls, paired_tokens)),
        ("Robustness", (rewritten,)),
    ),
    short=(results, outcomes, right_cost),
)
