"""What searches spend, how fast they converge, and what feedback does to their candidates."""

from __future__ import annotations

from holdtrue.figures.cells import MISSING, coverage, decimal, percent, rate_interval
from holdtrue.figures.table import MODEL, Column, Table, make_table
from holdtrue.lab.kinds.search.frontier import COSTS
from holdtrue.lab.kinds.search.report import SearchReport
from holdtrue.lab.kinds.search.row import SearchRow
from holdtrue.lab.kinds.search.tables.columns import (
    PROBLEMS,
    VERIFIED_ALONE,
    Cells,
    SearchCell,
    per_solve,
    per_trial,
    share,
)
from holdtrue.lab.kit.by_row import METHOD, line_by_row


def cost(report: SearchReport) -> Table:
    """What a trial costs."""
    return line_by_row(
        report,
        "cost",
        "Cost of a trial",
        "Means over trials, with 95% intervals over problems. Generated: tokens that the model wrote, of every "
        "candidate, used or not; tokens: also those that it was given. Seconds: the calls' own time. Solver calls: the "
        "method's own. Controls never ask the model.",
        {
            **VERIFIED_ALONE,
            **per_trial("calls", lambda row: row.costs.calls, ".2f"),
            **per_trial("gener\u00adated", lambda row: row.costs.generated, ".0f"),
            **per_trial("tokens", lambda row: row.costs.tokens, ".0f"),
            **per_trial("seconds", lambda row: row.costs.latency_s, ".2f"),
            **per_trial("solver calls", lambda row: row.costs.solver_calls, ".2f"),
            **PROBLEMS,
        },
    )


def cost_of_solve(report: SearchReport) -> Table:
    """What a certified solve costs."""
    return line_by_row(
        report,
        "cost_of_solve",
        "Cost of a certified solve",
        "All that was spent, also on trials that failed, by certified solve; 95% intervals are over problems. Nothing "
        f"stands where no trial was verified. {report.caution}",
        {
            **VERIFIED_ALONE,
            **per_solve("calls", lambda row: row.costs.calls, ".2f"),
            **per_solve("gener\u00adated", lambda row: row.costs.generated, ".0f"),
            **per_solve("tokens", lambda row: row.costs.tokens, ".0f"),
            **per_solve("seconds", lambda row: row.costs.latency_s, ".2f"),
            **per_solve("solver calls", lambda row: row.costs.solver_calls, ".2f"),
            **PROBLEMS,
        },
    )


def efficiency(report: SearchReport) -> Table:
    """Who is on the efficiency frontier."""
    return make_table(
        "efficiency",
        "Efficiency frontier",
        "A method is on the frontier of a cost where no other one verifies at least as much for no more of it, and is "
        "better in one of the two. Costs are means over trials. A method that was shown solutions of the solver is on "
        "no frontier.",
        [
            MODEL,
            METHOD,
            Column("on the frontier of", words=True),
            Column("veri\u00adfied %"),
            Column("95% of veri\u00adfied", wide=True),
            *(Column(name.replace("_", " ").replace("generated", "gener\u00adated")) for name in COSTS),
        ],
        [
            (
                label,
                each.title,
                ", ".join(name.replace("_", " ") for name in COSTS if each.best[name]) or "none",
                percent(each.verified.value),
                rate_interval(each.verified),
                *(decimal(each.spent[name].value) for name in COSTS),
            )
            for label, points in report.frontier.items()
            for each in points
        ],
    )


def convergence(report: SearchReport) -> Table:
    """How much is verified by the end of each round."""
    rounds = max((len(row.converged) for group in report.groups for row in group.whole), default=0)

    def by(place: int) -> Cells:
        def value(row: SearchRow) -> str:
            return percent(row.converged[place].value) if place < len(row.converged) else MISSING

        def interval(row: SearchRow) -> str:
            return rate_interval(row.converged[place]) if place < len(row.converged) else MISSING

        return {
            Column(f"round {place + 1} %"): value,
            Column(f"95% of round {place + 1}", wide=True): interval,
        }

    cells: Cells = {}
    for place in range(rounds):
        cells |= by(place)
    return line_by_row(
        report,
        "convergence",
        "Convergence by round",
        "Percent of trials that are verified by the end of each round, with 95% intervals over problems.",
        {**cells, **PROBLEMS},
    )


def feedback(report: SearchReport) -> Table:
    """What was kept, repeated, and mended."""
    rows = [row for group in report.groups for row in group.whole]
    sizes = sorted({size for row in rows for size in row.kept.by_size})

    def of_size(size: int) -> SearchCell:
        return lambda row: percent(row.kept.by_size.get(size))

    return line_by_row(
        report,
        "feedback",
        "What feedback does",
        "Untold: candidates certified of those whose prompt told nothing of a failure; told: of those whose prompt "
        "did, which are candidates for what is harder, so that the two cannot be compared as they are. Repeated: "
        "candidates that had been given before in the trial, of those that could be read. Partial: only some variables "
        "were asked for. Kept: the share of variables outside the conflict that was found in a candidate, the median "
        "over these candidates, then by the number of variables. None is kept where every constraint names every "
        "variable.",
        {
            **VERIFIED_ALONE,
            **share("untold, certi\u00adfied", lambda row: row.untold),
            Column("untold"): lambda row: str(row.untold.of),
            **share("told, certi\u00adfied", lambda row: row.told),
            Column("told"): lambda row: str(row.told.of),
            Column("re\u00adpeated %"): lambda row: percent(row.repeated.value),
            Column("partial %"): lambda row: percent(row.partial.value),
            Column("con\u00adflicts"): lambda row: str(row.kept.candidates),
            **share("kept", lambda row: row.kept.share),
            **{Column(f"kept of {size} %", wide=True): of_size(size) for size in sizes},
            Column("prob\u00adlems"): lambda row: coverage(row.finished, row.problems),
        },
    )
