"""The parts of a report about claims: tables, headline, drawn figures, and the questions that are shown in full."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from holdtrue_lab.figures import drawing
from holdtrue_lab.figures.cells import decimal, percent, share
from holdtrue_lab.kinds.claims import metrics
from holdtrue_lab.kinds.claims.flat import CLAIMS
from holdtrue_lab.kinds.claims.measure import is_oracle, measure_run
from holdtrue_lab.kinds.claims.report import ClaimReport
from holdtrue_lab.kinds.claims.shown import SAYING, show_items
from holdtrue_lab.kinds.claims.tables.checks import (
    agreement,
    contexts,
    fates,
    funnel,
    joint,
    premises,
    retold,
)
from holdtrue_lab.kinds.claims.tables.comparisons import (
    cliff,
    mcnemar,
    paired_tests,
    perturbed,
    perturbed_verified,
    rounds,
    trends,
    weights,
)
from holdtrue_lab.kinds.claims.tables.results import (
    acceptance,
    costs,
    implied,
    judgements,
    programs,
    results,
    results_by_dataset,
    routing,
    routing_by_dataset,
    shares,
    spared,
    verdicts,
)
from holdtrue_lab.kit.cost_tables import COST_TABLES, right_cost
from holdtrue_lab.kit.groups import FigureRow, Group
from holdtrue_lab.kit.headline import Figure, best_of, gain_words, is_between
from holdtrue_lab.kit.panels import Look, draw_against, draw_panels
from holdtrue_lab.kit.reporting import Reporting
from holdtrue_lab.kit.tables import Contents
from holdtrue_lab.kit.words import Number

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def draw_verified(report: ClaimReport) -> str:
    """Draw accuracy against the share of verified claims, with 95% bars. Each model has a panel, and each method a
    mark.

    Return the drawing as SVG, or "" if no claims were verified or no answers were scored.
    """
    groups = _that_show(report, lambda row: None not in (row.accuracy.value, metrics.VERIFIED(row).value))
    x, y = ("claims verified by the solver, %", metrics.VERIFIED), ("questions right, %", metrics.ACCURACY)
    return draw_against(groups, "verified", x, y) if groups else ""


def draw_rounds(report: ClaimReport) -> str:
    """Draw accuracy by round with 95% bands. Each model has a panel, and each method a line in it.

    Return the drawing as SVG, or "" if no method has rounds.
    """

    def draw(panel: Axes, group: Group[FigureRow], look: Look) -> None:
        panel.set_ylim(-2, 104)
        panel.set_ylabel("questions right, %")
        for row in group.rows:
            rounds = metrics.CONVERGENCE(row).rounds
            numbers, rates = [each.round for each in rounds], [each.accuracy for each in rounds]
            drawing.draw_band(panel, look(row), numbers, rates, len(group.rows))
        drawing.count_along(panel, "round", max(len(metrics.CONVERGENCE(row).rounds) for row in group.rows), 0.3)

    groups = _that_show(report, lambda row: len(metrics.CONVERGENCE(row).rounds) > 1)
    return draw_panels(groups, "rounds", (1.3, 2.8), draw, columns=3) if groups else ""


def _that_show(report: ClaimReport, shows: Callable[[FigureRow], bool]) -> list[Group[FigureRow]]:
    """Return each model with those of its rows over all data sets that `shows` accepts; models without such rows are
    left out.
    """
    return [Group(each.label, rows) for each in report.groups if (rows := tuple(filter(shows, each.whole)))]


CONTENTS = Contents(
    sections=(
        (
            "Results",
            (results, implied, paired_tests, mcnemar, results_by_dataset),
        ),
        ("Rounds", (rounds, trends, cliff, weights)),
        ("Claims", (acceptance, shares, verdicts, judgements, routing, routing_by_dataset, joint)),
        ("Formulas", (programs, funnel, retold, fates, agreement, contexts, premises)),
        ("Robustness", (perturbed, perturbed_verified)),
        ("Cost", (costs, spared, *COST_TABLES)),
    ),
    short=(results, shares, right_cost),
)


def strongest_claims(report: ClaimReport, group: Group[FigureRow]) -> tuple[FigureRow | None, FigureRow | None]:
    """Return the rows of a model's best method without verification, and of its best method with it.

    Each is None if there is no such method. An oracle is returned only if there is no other method.
    """
    rows = [row for row in group.whole if row.finished and row.arm.method not in report.controls]
    silent = [row for row in rows if row.arm in report.baselines]
    checking = [row for row in rows if row.arm not in report.baselines]
    return best_of(silent, _accuracy), best_of([row for row in checking if not is_oracle(row)] or checking, _accuracy)


def _accuracy(row: FigureRow) -> float | None:
    return row.accuracy.value


def _figure(report: ClaimReport, row: FigureRow) -> Figure:
    verified = (
        f"{share(metrics.VERIFIED(row))} of {metrics.CLAIMS(row)} claims verified, {share(metrics.ENTAILED(row))} "
        f"entailed, {share(metrics.POSSIBLE(row))} only possible, "
        f"{share(metrics.FRESH(row))} not already in the context, score {decimal(metrics.SCORE(row).value)}"
    )
    return Figure(
        row.title,
        percent(row.accuracy.value),
        verified if metrics.VERIFIED_ITEMS(row) else "claims not verified",
        f"right in {row.accuracy.hits} of {Number(row.accuracy.of):question}",
    )


def _gain(report: ClaimReport, best: FigureRow, base: FigureRow) -> str:
    for each in report.comparisons:
        if is_between(each, best.arm, base.arm):
            return gain_words(each, base.arm, f"{Number(each.paired.problems):question}", done="right")
    return ""


_COMPARED_ITEMS = (
    metrics.SCORE,
    metrics.SCORE_PROVED,
    metrics.ACCEPTED,
    metrics.ACCEPTED_PROVED,
    metrics.ACCEPTED_POSSIBLE,
    metrics.ACCEPTED_JUDGED,
)
_COMPARED_CLAIMS = (metrics.UNPROVED, metrics.JUDGED, metrics.VERIFIED, metrics.ENTAILED, metrics.POSSIBLE)

REPORTING = Reporting(
    measure=measure_run,
    report=ClaimReport,
    contents=lambda report: CONTENTS,
    template="claim_page.html.jinja",
    package="holdtrue_lab.kinds.claims",
    figure=_figure,
    gain=_gain,
    strongest=strongest_claims,
    drawings=lambda report: {"verified": draw_verified(report), "rounds": draw_rounds(report), **SAYING},
    compared={
        **{each.name: each for each in _COMPARED_ITEMS},
        **{f"claims_{each.last_name}": each for each in _COMPARED_CLAIMS},
        metrics.REFUSED.name: metrics.REFUSED,
    },
    conversations=show_items,
    rows=CLAIMS,
)
