"""This module lists what a report about claims shows: tables in order, headline, figures and questions."""

from __future__ import annotations

from holdtrue.figures.cells import decimal, percent, share
from holdtrue.lab.kinds.claims.drawn import draw_rounds, draw_verified
from holdtrue.lab.kinds.claims.flat import CLAIMS
from holdtrue.lab.kinds.claims.measure import measure_run
from holdtrue.lab.kinds.claims.report import ClaimReport, read_claim_report
from holdtrue.lab.kinds.claims.row import ClaimRow
from holdtrue.lab.kinds.claims.shown import show_items
from holdtrue.lab.kinds.claims.tables.checks import (
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
from holdtrue.lab.kinds.claims.tables.costs import costs, purposes, spared
from holdtrue.lab.kinds.claims.tables.programs import programs
from holdtrue.lab.kinds.claims.tables.results import (
    acceptance,
    answers,
    implied,
    implied_by_context,
    judgements,
    results,
    results_by_dataset,
    routing,
    routing_by_dataset,
    shares,
    verdicts,
)
from holdtrue.lab.kinds.claims.tables.rounds import moves, rounds, trends, weights
from holdtrue.lab.kinds.claims.tables.tests import (
    mcnemar,
    paired_scores,
    paired_tests,
    perturbed,
    perturbed_by_kind,
    perturbed_verified,
    perturbed_verified_by_kind,
)
from holdtrue.lab.kit.cost_tables import COST_TABLES, right_cost
from holdtrue.lab.kit.groups import Group
from holdtrue.lab.kit.headline import Figure, best_of, gain_words, is_between
from holdtrue.lab.kit.reporting import Reporting
from holdtrue.lab.kit.tables import Contents
from holdtrue.lab.kit.words import Number

CONTENTS = Contents(
    sections=(
        (
            "Results",
            (results, answers, implied, implied_by_context, paired_tests, mcnemar, results_by_dataset, paired_scores),
        ),
        ("Rounds", (rounds, trends, moves, weights)),
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
    read=read_claim_report,
    measure=measure_run,
    report=ClaimReport,
    contents=lambda report: CONTENTS,
    template="claim_page.html.jinja",
    package="holdtrue.lab.kinds.claims",
    figure=_figure,
    gain=_gain,
    strongest=strongest_claims,
    drawings=lambda report: {"verified": draw_verified(report), "rounds": draw_rounds(report)},
    compared={
        "score": lambda row: row.score,
        "score_proved": lambda row: row.score_proved,
        "accepted": lambda row: row.accepted,
        "accepted_proved": lambda row: row.accepted_proved,
        "accepted_judged": lambda row: row.accepted_judged,
        "claims_unproved": lambda row: row.verdicts.unproved,
        "claims_judged": lambda row: row.verdicts.judged,
        "claims_verified": lambda row: row.verdicts.verified,
        "claims_entailed": lambda row: row.verdicts.entailed,
        "refused": lambda row: row.refused,
    },
    conversations=show_items,
    rows=CLAIMS,
)
