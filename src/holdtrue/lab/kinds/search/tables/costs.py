"""Report tables about what searches spend, how fast they converge, and what feedback does to their candidates."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from holdtrue.figures.cells import coverage, decimal, percent
from holdtrue.figures.statistics import Rate
from holdtrue.figures.table import MODEL, Column
from holdtrue.lab.kinds.search.report import COSTS, FrontierPoint
from holdtrue.lab.kinds.search.row import SearchRow
from holdtrue.lab.kinds.search.tables import PROBLEMS, ROW, VERIFIED_ALONE
from holdtrue.lab.kit.tables import BY_METHOD, METHOD, Columns, Lines, ReportTable, by_part

_UNITS = (
    "Generated: tokens that the model wrote, of every candidate, used or not; tokens: also those that it was given."
)

cost = ReportTable[SearchRow](
    "cost",
    "Cost of a trial",
    "Means over trials. Controls never ask the model.",
    BY_METHOD,
    {
        **VERIFIED_ALONE,
        **ROW.number("calls", lambda row: row.costs.calls.per_trial),
        **ROW.number("gener\u00adated", lambda row: row.costs.generated.per_trial, ".0f"),
        **ROW.number("tokens", lambda row: row.costs.tokens.per_trial, ".0f"),
        **PROBLEMS,
    },
    _UNITS,
)
time = ReportTable[SearchRow](
    "time",
    "Time of a trial",
    "Means over trials. Seconds: the time of the calls and of the solver; solver calls: the method's own.",
    BY_METHOD,
    {
        **VERIFIED_ALONE,
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


def _rounds(row: SearchRow) -> Iterator[tuple[str, tuple[SearchRow, Rate]]]:
    return ((str(place), (row, rate)) for place, rate in enumerate(row.converged, start=1))


convergence = ReportTable[tuple[SearchRow, Rate]](
    "convergence",
    "Convergence by round",
    "Percent of trials that are verified by the end of each round.",
    by_part("round", _rounds),
    {
        **Columns[tuple[SearchRow, Rate]]().share("veri\u00adfied", lambda each: each[1]),
        Column("trials"): lambda each: str(each[0].trials),
        Column("prob\u00adlems"): lambda each: coverage(each[0].finished, each[0].problems),
    },
)


feedback = ReportTable[SearchRow](
    "feedback",
    "What feedback does",
    "Untold: candidates certified of those whose prompt told nothing of a failure; told: of those whose prompt did. "
    "The second are candidates for what is harder, so that the two cannot be compared as they are.",
    BY_METHOD,
    {
        **VERIFIED_ALONE,
        **ROW.share("untold, certi\u00adfied", lambda row: row.certified_without_feedback),
        **ROW.count("untold", lambda row: row.certified_without_feedback.of),
        **ROW.share("told, certi\u00adfied", lambda row: row.certified_with_feedback),
        **ROW.count("told", lambda row: row.certified_with_feedback.of),
        Column("prob\u00adlems"): lambda row: coverage(row.finished, row.problems),
    },
)

kept = ReportTable[SearchRow](
    "kept",
    "What candidates keep of the one before",
    "Repeated: candidates that had been given before in the trial, of those that could be read. Kept: the share of "
    "variables outside the conflict that was found in a candidate, the median over these candidates.",
    BY_METHOD,
    {
        **VERIFIED_ALONE,
        **ROW.alone("re\u00adpeated", lambda row: row.repeated),
        **ROW.alone("partial", lambda row: row.partial),
        **ROW.count("con\u00adflicts", lambda row: row.kept_share.candidates),
        **ROW.share("kept", lambda row: row.kept_share.share),
        Column("prob\u00adlems"): lambda row: coverage(row.finished, row.problems),
    },
    "Partial: only some variables were asked for. None is kept where every constraint names every variable.",
)


def _sizes(row: SearchRow) -> Iterator[tuple[str, tuple[SearchRow, float | None]]]:
    return ((str(size), (row, row.kept_share.by_size[size])) for size in sorted(row.kept_share.by_size))


kept_by_size = ReportTable[tuple[SearchRow, "float | None"]](
    "kept_by_size",
    "What candidates keep, by the number of variables",
    "Kept: the share of variables outside the conflict that was found in a candidate, the median over candidates for "
    "problems with so many variables.",
    by_part("variables", _sizes),
    {
        Column("veri\u00adfied %"): lambda each: percent(each[0].verified.value),
        Column("kept %"): lambda each: percent(each[1]),
        Column("prob\u00adlems"): lambda each: coverage(each[0].finished, each[0].problems),
    },
)
