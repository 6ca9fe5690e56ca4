"""Report tables about what searches spend, how fast they converge, and what feedback does to their candidates."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from holdtrue_lab.figures.cells import coverage, decimal, percent
from holdtrue_lab.figures.statistics import Rate
from holdtrue_lab.figures.table import MODEL, Column
from holdtrue_lab.kinds.search.metrics import (
    CONVERGED,
    COUNT,
    KEPT,
    PARTIAL,
    PER_TRIAL,
    REPEATED,
    TOLD,
    UNTOLD,
    VERIFIED,
)
from holdtrue_lab.kinds.search.report import COSTS, FrontierPoint
from holdtrue_lab.kinds.search.row import SearchRow
from holdtrue_lab.kinds.search.tables import PROBLEMS, ROW, TRIALS_OF_PROBLEMS, VERIFIED_ALONE
from holdtrue_lab.kit.tables import BY_METHOD, METHOD, Columns, Lines, ReportTable, by_part, columns

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
        **columns(PER_TRIAL["calls"], PER_TRIAL["generated"], PER_TRIAL["tokens"]),
        **TRIALS_OF_PROBLEMS,
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
        **columns(PER_TRIAL["seconds"], PER_TRIAL["solver_calls"]),
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


def _rounds(row: SearchRow) -> Iterator[tuple[str, tuple[SearchRow, Rate]]]:
    return ((str(place), (row, rate)) for place, rate in enumerate(CONVERGED(row), start=1))


convergence = ReportTable[tuple[SearchRow, Rate]](
    "convergence",
    "Convergence by round",
    "Percent of trials that are verified by the end of each round.",
    by_part("round", _rounds),
    {
        **Columns[tuple[SearchRow, Rate]]().share("veri\u00adfied", lambda each: each[1]),
        Column("trials"): lambda each: str(COUNT(each[0])),
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
        **columns(UNTOLD),
        **ROW.count("untold", lambda row: UNTOLD(row).of),
        **columns(TOLD),
        **ROW.count("told", lambda row: TOLD(row).of),
        **PROBLEMS,
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
        **ROW.alone("re\u00adpeated", REPEATED),
        **ROW.alone("partial", PARTIAL),
        **ROW.count("con\u00adflicts", lambda row: KEPT(row).candidates),
        **ROW.share("kept", lambda row: KEPT(row).share),
        **PROBLEMS,
    },
    "Partial: only some variables were asked for. None is kept where every constraint names every variable.",
)


def _sizes(row: SearchRow) -> Iterator[tuple[str, tuple[SearchRow, float | None]]]:
    return ((str(size), (row, KEPT(row).by_size[size])) for size in sorted(KEPT(row).by_size))


kept_by_size = ReportTable[tuple[SearchRow, "float | None"]](
    "kept_by_size",
    "What candidates keep, by the number of variables",
    "Kept: the share of variables outside the conflict that was found in a candidate, the median over candidates for "
    "problems with so many variables.",
    by_part("variables", _sizes),
    {
        Column("veri\u00adfied %"): lambda each: percent(VERIFIED(each[0]).value),
        Column("kept %"): lambda each: percent(each[1]),
        Column("prob\u00adlems"): lambda each: coverage(each[0].finished, each[0].problems),
    },
)
