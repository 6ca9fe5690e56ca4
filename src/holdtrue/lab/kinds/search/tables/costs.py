"""Report tables about what searches spend, how fast they converge, and what feedback does to their candidates."""

from __future__ import annotations

from collections.abc import Callable

from holdtrue.figures.cells import MISSING, coverage, decimal, percent, rate_interval
from holdtrue.figures.statistics import Rate
from holdtrue.figures.table import MODEL, Column
from holdtrue.lab.kinds.search.frontier import COSTS, FrontierPoint
from holdtrue.lab.kinds.search.report import SearchReport
from holdtrue.lab.kinds.search.row import SearchRow
from holdtrue.lab.kinds.search.tables import PROBLEMS, ROW, VERIFIED_ALONE
from holdtrue.lab.kit.tables import BY_METHOD, METHOD, Cells, Columns, Lines, ReportTable

cost = ReportTable[SearchRow](
    "cost",
    "Cost of a trial",
    "Means over trials. Generated: tokens that the model wrote, of every "
    "candidate, used or not; tokens: also those that it was given. Seconds: the time of the calls and of the solver. "
    "Solver calls: the method's own. Controls never ask the model.",
    BY_METHOD,
    {
        **VERIFIED_ALONE,
        **ROW.number("calls", lambda row: row.costs.calls.per_trial),
        **ROW.number("gener\u00adated", lambda row: row.costs.generated.per_trial, ".0f"),
        **ROW.number("tokens", lambda row: row.costs.tokens.per_trial, ".0f"),
        **ROW.number("seconds", lambda row: row.costs.seconds.per_trial),
        **ROW.number("solver calls", lambda row: row.costs.solver_calls.per_trial),
        **PROBLEMS,
    },
)


def _spent(name: str) -> Callable[[FrontierPoint], str]:
    return lambda each: decimal(each.spent[name].value)


efficiency = ReportTable[FrontierPoint](
    "efficiency",
    "Efficiency frontier",
    "A method is on the frontier of a cost where no other one verifies at least as much for no more of it, and is "
    "better in one of the two. Costs are means over trials. A method that was shown solutions of the solver is on "
    "no frontier.",
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
)


def _rounds(report: SearchReport) -> Cells[SearchRow]:
    cells: Cells[SearchRow] = {}
    for place in range(max((len(row.converged) for row in report.rows), default=0)):
        cells[Column(f"round {place + 1} %")] = _at(place, lambda rate: percent(rate.value))
        cells[Column(f"95% of round {place + 1}", wide=True)] = _at(place, rate_interval)
    return {**cells, **PROBLEMS}


def _at(place: int, show: Callable[[Rate], str]) -> Callable[[SearchRow], str]:
    return lambda row: show(row.converged[place]) if place < len(row.converged) else MISSING


convergence = ReportTable(
    "convergence",
    "Convergence by round",
    "Percent of trials that are verified by the end of each round.",
    BY_METHOD,
    _rounds,
)


def _feedback(report: SearchReport) -> Cells[SearchRow]:
    def of_size(size: int) -> Callable[[SearchRow], str]:
        return lambda row: percent(row.kept_share.by_size.get(size))

    return {
        **VERIFIED_ALONE,
        **ROW.share("untold, certi\u00adfied", lambda row: row.certified_without_feedback),
        **ROW.count("untold", lambda row: row.certified_without_feedback.of),
        **ROW.share("told, certi\u00adfied", lambda row: row.certified_with_feedback),
        **ROW.count("told", lambda row: row.certified_with_feedback.of),
        **ROW.alone("re\u00adpeated", lambda row: row.repeated),
        **ROW.alone("partial", lambda row: row.partial),
        **ROW.count("con\u00adflicts", lambda row: row.kept_share.candidates),
        **ROW.share("kept", lambda row: row.kept_share.share),
        **{
            Column(f"kept of {size} %", wide=True): of_size(size)
            for size in sorted({size for row in report.rows for size in row.kept_share.by_size})
        },
        Column("prob\u00adlems"): lambda row: coverage(row.finished, row.problems),
    }


feedback = ReportTable(
    "feedback",
    "What feedback does",
    "Untold: candidates certified of those whose prompt told nothing of a failure; told: of those whose prompt "
    "did, which are candidates for what is harder, so that the two cannot be compared as they are. Repeated: "
    "candidates that had been given before in the trial, of those that could be read. Partial: only some variables "
    "were asked for. Kept: the share of variables outside the conflict that was found in a candidate, the median "
    "over these candidates, then by the number of variables. None is kept where every constraint names every "
    "variable.",
    BY_METHOD,
    _feedback,
)
