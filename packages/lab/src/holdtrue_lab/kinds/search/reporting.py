"""The parts of a report about searches: tables, headline, drawn figures, and the problems that are shown in full.

Figures show the share of verified trials by calls and by round, and its change on rewritten problems.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from textwrap import fill
from typing import TYPE_CHECKING

from holdtrue_lab.figures import drawing
from holdtrue_lab.figures.cells import decimal, percent, share
from holdtrue_lab.kinds.search.flat import CANDIDATES
from holdtrue_lab.kinds.search.metrics import (
    CONVERGED,
    COUNT,
    MEASURE,
    PER_SOLVE,
    PER_TRIAL,
    PRECISION,
    RECALL,
    REPEATED,
    SAT,
    VERIFIED,
    asks_model,
    is_revealed,
)
from holdtrue_lab.kinds.search.report import Robustness, SearchReport
from holdtrue_lab.kinds.search.shown import show_searches
from holdtrue_lab.kinds.search.tables import CONTENTS
from holdtrue_lab.kit.groups import FigureRow, Group
from holdtrue_lab.kit.headline import Figure, best_of, gain_words, is_between
from holdtrue_lab.kit.panels import Look, draw_panels
from holdtrue_lab.kit.reporting import Reporting
from holdtrue_lab.kit.words import Number

if TYPE_CHECKING:
    from matplotlib.axes import Axes


_CONTROL = "#8a8a8a"
_ROW = 0.26  # the height of a row in inches
_TITLE = 60  # the most characters in a line of a title


def draw_frontier(report: SearchReport) -> str:
    """Draw the share of verified trials against the mean number of calls, with 95% bars.

    Each model has a panel. A line joins the methods on the model's frontier (see `report`).
    """

    def draw(panel: Axes, group: Group[FigureRow], look: Look) -> None:
        best = {point.arm for point in report.frontier[group.label] if point.best["calls"]}
        rows = [row for row in group.whole if asks_model(row) and COUNT(row)]
        front = sorted((_calls(row), 100 * (VERIFIED(row).value or 0.0)) for row in rows if row.arm in best)
        panel.step([x for x, _ in front], [y for _, y in front], where="post", color=_CONTROL, lw=0.8, zorder=1)
        for row in rows:
            drawing.draw_mark(panel, look(row), PER_TRIAL["calls"](row), VERIFIED(row), (1, 100))
        panel.set_xlim(left=0)
        panel.set_xlabel("mean calls to the model by trial")

    return _draw("frontier", report, draw, line="none")


def draw_convergence(report: SearchReport) -> str:
    """Draw the share of trials that are verified by the end of each round, with 95% bands.

    Each model has a panel, and each method a line in it.
    """

    def draw(panel: Axes, group: Group[FigureRow], look: Look) -> None:
        rows = [row for row in group.whole if asks_model(row) and COUNT(row)]
        for row in rows:
            drawing.draw_band(panel, look(row), range(1, len(CONVERGED(row)) + 1), CONVERGED(row), len(rows))
        drawing.count_along(panel, "round", max((len(CONVERGED(row)) for row in rows), default=1), 0.3)

    return _draw("convergence", report, draw)


def _draw(
    name: str, report: SearchReport, draw: Callable[[Axes, Group[FigureRow], Look], None], line: str | None = None
) -> str:
    """Draw a panel for each model, with controls as horizontal lines, because they have neither calls nor rounds."""
    names = (drawing.printable(row.title) for row in report.rows if row.arm.method in report.controls)
    controls = list(dict.fromkeys(names))

    def draw_both(panel: Axes, group: Group[FigureRow], look: Look) -> None:
        panel.set_ylim(-2, 104)
        panel.set_ylabel("trials verified, %")
        draw(panel, group, look)
        for row in group.whole:
            control, verified = drawing.printable(row.title), VERIFIED(row).value
            if control in controls and verified is not None:
                style = drawing.STYLES[1:][controls.index(control) % len(drawing.STYLES[1:])]
                panel.axhline(100 * verified, color=_CONTROL, ls=style, lw=1, label=control, zorder=0)

    return draw_panels(
        report.groups, name, (1.3, 2.8), draw_both, shows=asks_model, line=line, more=controls, columns=3
    )


def _calls(row: FigureRow) -> float:
    return PER_TRIAL["calls"](row).value or 0.0


def draw_shifts(report: SearchReport) -> str:
    """Draw the change of each method's verified share on rewritten problems in percentage points, with 95% intervals.

    Each model has a panel for each way of rewriting. If no problem was rewritten, return an empty text.
    """
    ways = list(dict.fromkeys(each.variant for each in report.robustness))
    by_model: dict[str, list[Robustness]] = {}
    for each in report.robustness:
        by_model.setdefault(report.names.model(each.arm), []).append(each)
    if not ways:
        return ""
    methods = {
        model: list(dict.fromkeys(drawing.printable(report.names.method(each.arm)) for each in found))
        for model, found in by_model.items()
    }
    heights = [0.9 + _ROW * len(names) for names in methods.values()]
    with drawing.open_figure("shifts", drawing.WIDTH, 0.4 + sum(heights)) as (figure, out):
        parts = figure.subfigures(len(by_model), 1, height_ratios=heights, squeeze=False)
        for part, (model, found) in zip(parts.flat, by_model.items(), strict=True):
            part.suptitle(fill(drawing.printable(model), _TITLE), x=0.01, ha="left", fontsize=9, fontweight="bold")
            panels = part.subplots(1, len(ways), sharex=True, sharey=True, squeeze=False)
            for panel, way in zip(panels.flat, ways, strict=True):
                _ways(panel, way, methods[model])
                for each in found:
                    if each.variant == way:
                        _bar(panel, each, methods[model].index(drawing.printable(report.names.method(each.arm))))
    return drawing.inline(out)


def _ways(panel: Axes, way: str, methods: Sequence[str]) -> None:
    panel.set_title(drawing.printable(way).replace("_", " "), loc="left", fontweight="normal")
    panel.set_yticks(range(len(methods)), methods)
    panel.set_ylim(len(methods) - 0.4, -0.6)
    panel.set_xlabel("shift, pp")
    panel.tick_params(axis="y", length=0)
    panel.axvline(0, color=_CONTROL, lw=0.8, zorder=0)


def _bar(panel: Axes, each: Robustness, place: int) -> None:
    shift, low, high = (100 * value for value in (each.paired.difference, each.paired.low, each.paired.high))
    panel.barh(place, shift, height=0.6, color=drawing.COLOURS[place % len(drawing.COLOURS)], alpha=0.75, lw=0)
    reach = [[max(0.0, shift - low)], [max(0.0, high - shift)]]
    panel.errorbar(
        shift, place, xerr=reach, color=drawing.COLOURS[place % len(drawing.COLOURS)], lw=1.1, capsize=2, ls="none"
    )


def strongest_searches(report: SearchReport, group: Group[FigureRow]) -> tuple[FigureRow | None, FigureRow | None]:
    """Return the rows of a model's best method without feedback, and of its best method with feedback.

    Each is None if there is no such method. Methods that showed the model a solution are left out. A method with a
    single call has a smaller budget. So it is returned only if no other method without feedback was run.
    """
    rows = [r for r in group.whole if COUNT(r) and not is_revealed(r.arm) and r.arm.method not in report.controls]
    silent = [row for row in rows if row.arm in report.baselines]
    matched = [row for row in silent if row.arm not in report.singles]
    return best_of(matched or silent, _verified), best_of(
        (row for row in rows if row.arm not in report.baselines), _verified
    )


def _verified(row: FigureRow) -> float | None:
    return VERIFIED(row).value


def _figure(report: SearchReport, row: FigureRow) -> Figure:
    what = "calls" if asks_model(row) else "solver calls"
    per_solve = PER_SOLVE[what.replace(" ", "_")](row)
    return Figure(
        row.title,
        percent(VERIFIED(row).value),
        f"sat certified {share(SAT(row))}, unsat precision {share(PRECISION(row))}, "
        f"recall {share(RECALL(row))}, {what} per certified solve {decimal(per_solve.value)}",
        f"verified in {COUNT(row)} trials of {Number(row.finished):problem}",
    )


def _gain(report: SearchReport, best: FigureRow, base: FigureRow) -> str:
    for each in report.comparisons:
        if is_between(each, best.arm, base.arm):
            budget = " at the same budget" if each.matched else " with one call against more"
            return gain_words(each, base.arm, f"{Number(each.paired.problems):problem}", done="solved", aside=budget)
    return ""


REPORTING = Reporting(
    measure=MEASURE,
    report=SearchReport,
    contents=lambda report: CONTENTS,
    template="search_page.html.jinja",
    package="holdtrue_lab.kinds.search",
    figure=_figure,
    gain=_gain,
    strongest=strongest_searches,
    drawings=lambda report: {
        "frontier": draw_frontier(report),
        "convergence": draw_convergence(report),
        "shifts": draw_shifts(report),
    },
    compared={
        "sat_certified": SAT,
        "unsat_precision": PRECISION,
        "unsat_recall": RECALL,
        "repeated_candidates": REPEATED,
    },
    conversations=show_searches,
    rows=CANDIDATES,
)
