"""This module lists what a report about claims shows: tables in order, headline, drawn figures and questions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from holdtrue_lab.figures import drawing
from holdtrue_lab.figures.cells import decimal, percent, share
from holdtrue_lab.kinds.claims.flat import CLAIMS
from holdtrue_lab.kinds.claims.measure import measure_run
from holdtrue_lab.kinds.claims.report import ClaimReport
from holdtrue_lab.kinds.claims.row import ClaimRow
from holdtrue_lab.kinds.claims.shown import show_items
from holdtrue_lab.kinds.claims.tables.checks import (
    agreement,
    alerts,
    contexts,
    fates,
    funnel,
    gates,
    joint,
    premises,
    retold,
)
from holdtrue_lab.kinds.claims.tables.costs import costs, purposes, spared
from holdtrue_lab.kinds.claims.tables.results import (
    acceptance,
    answers,
    implied,
    implied_by_context,
    judgements,
    programs,
    results,
    results_by_dataset,
    routing,
    routing_by_dataset,
    shares,
    verdicts,
)
from holdtrue_lab.kinds.claims.tables.rounds import cliff, moves, rounds, trends, weights
from holdtrue_lab.kinds.claims.tables.tests import (
    mcnemar,
    paired_scores,
    paired_tests,
    perturbed,
    perturbed_by_kind,
    perturbed_verified,
    perturbed_verified_by_kind,
)
from holdtrue_lab.kit.cost_tables import COST_TABLES, right_cost
from holdtrue_lab.kit.groups import Group
from holdtrue_lab.kit.headline import Figure, best_of, gain_words, is_between
from holdtrue_lab.kit.reporting import Reporting, figures_at
from holdtrue_lab.kit.tables import Contents
from holdtrue_lab.kit.words import Number

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def draw_verified(report: ClaimReport) -> str:
    """Draw accuracy against the share of claims that were verified, with 95% bars.

    There is a panel for each model, and in it a mark for each method. The text is empty where no claims were verified,
    or no answers scored.
    """

    def draw(panel: Axes, rows: Sequence[ClaimRow], methods: Sequence[str]) -> None:
        panel.set_xlim(-2, 102)
        panel.set_xlabel("claims verified by the solver, %")
        for row in rows:
            drawing.draw_mark(
                panel, methods.index(drawing.printable(row.title)), row.verdicts.verified, row.accuracy, (100, 100)
            )

    def is_shown(row: ClaimRow) -> bool:
        return row.accuracy.value is not None and row.verdicts.verified.value is not None

    return _draw("verified", report, is_shown, draw, line="none")


def draw_rounds(report: ClaimReport) -> str:
    """Draw accuracy by round, with 95% bands: a panel for each model, and in it a line for each method.

    The text is empty where no method has rounds.
    """

    def draw(panel: Axes, rows: Sequence[ClaimRow], methods: Sequence[str]) -> None:
        for row in rows:
            rounds = row.convergence.rounds
            numbers, rates = [each.round for each in rounds], [each.accuracy for each in rounds]
            drawing.draw_band(panel, methods.index(drawing.printable(row.title)), numbers, rates, len(rows))
        drawing.count_along(panel, "round", max(len(row.convergence.rounds) for row in rows), 0.3)

    return _draw("rounds", report, lambda row: len(row.convergence.rounds) > 1, draw)


def _draw(
    name: str,
    report: ClaimReport,
    shown: Callable[[ClaimRow], bool],
    draw: Callable[[Axes, Sequence[ClaimRow], Sequence[str]], None],
    line: str | None = None,
) -> str:
    """Draw what both figures share: a panel for each model that has such rows, and one legend for all."""
    groups = [Group(each.label, rows) for each in report.groups if (rows := tuple(filter(shown, each.whole)))]
    if not groups:
        return ""
    # A method looks the same in both figures, also where not all are drawn.
    methods = list(dict.fromkeys(drawing.printable(row.title) for row in report.rows))
    drawn = {drawing.printable(row.title) for group in groups for row in group.rows}
    with drawing.open_panels(name, [group.label for group in groups], (1.3, 2.8)) as (figure, panels, out):
        for panel, group in zip(panels, groups, strict=False):
            panel.set_ylim(-2, 104)
            panel.set_ylabel("questions right, %")
            draw(panel, group.rows, methods)
            drawing.name_looks(
                panel, ((place, method) for place, method in enumerate(methods) if method in drawn), line
            )
        drawing.line_legend(figure, panels, methods, columns=3)
    return drawing.inline(out)


CONTENTS = Contents(
    sections=(
        (
            "Results",
            (results, answers, implied, implied_by_context, paired_tests, mcnemar, results_by_dataset, paired_scores),
        ),
        ("Rounds", (rounds, trends, cliff, moves, weights)),
        ("Claims", (acceptance, shares, verdicts, judgements, routing, routing_by_dataset, joint)),
        ("Formulas", (programs, funnel, retold, fates, gates, agreement, contexts, premises, alerts)),
        ("Robustness", (perturbed, perturbed_by_kind, perturbed_verified, perturbed_verified_by_kind)),
        ("Cost", (costs, purposes, spared, *COST_TABLES)),
    ),
    short=(results, shares, right_cost),
)


def strongest_claims(report: ClaimReport, group: Group[ClaimRow]) -> tuple[ClaimRow | None, ClaimRow | None]:
    """Return the rows of a model's best method without verification, and of its best method that uses it.

    Each is None if there is no such method. An oracle is taken only if there is no other.
    """
    rows = [row for row in group.whole if row.finished and row.arm.method not in report.controls]
    silent = [row for row in rows if row.arm in report.baselines]
    checking = [row for row in rows if row.arm not in report.baselines]
    return best_of(silent, _accuracy), best_of([row for row in checking if not row.oracle] or checking, _accuracy)


def _accuracy(row: ClaimRow) -> float | None:
    return row.accuracy.value


def _figure(report: ClaimReport, row: ClaimRow) -> Figure:
    claims = row.verdicts
    verified = (
        f"{share(claims.verified)} of {claims.claims} claims verified, {share(claims.entailed)} entailed, "
        f"{share(claims.possible)} only possible, "
        f"{share(claims.fresh)} not already in the context, score {decimal(row.score.value)}"
    )
    return Figure(
        row.title,
        percent(row.accuracy.value),
        verified if row.verified else "claims not verified",
        f"right in {row.accuracy.hits} of {Number(row.accuracy.of):question}",
    )


def _gain(report: ClaimReport, best: ClaimRow, base: ClaimRow) -> str:
    for each in report.comparisons:
        if is_between(each, best.arm, base.arm):
            return gain_words(each, base.arm, f"{Number(each.items):question}", done="right")
    return ""


REPORTING = Reporting(
    measure=measure_run,
    report=ClaimReport,
    contents=lambda report: CONTENTS,
    template="claim_page.html.jinja",
    package="holdtrue_lab.kinds.claims",
    figure=_figure,
    gain=_gain,
    strongest=strongest_claims,
    drawings=lambda report: {"verified": draw_verified(report), "rounds": draw_rounds(report)},
    compared=figures_at(
        "score score_proved accepted accepted_proved accepted_possible accepted_judged "
        "claims_unproved=verdicts.unproved claims_judged=verdicts.judged claims_verified=verdicts.verified "
        "claims_entailed=verdicts.entailed claims_possible=verdicts.possible refused"
    ),
    conversations=show_items,
    rows=CLAIMS,
)
