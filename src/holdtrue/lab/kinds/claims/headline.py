"""A report about claims in a few numbers for each model: accuracy first, and what was verified beside it."""

from __future__ import annotations

from collections.abc import Iterable

from holdtrue.figures.cells import decimal, percent, share
from holdtrue.lab.kinds.claims.report import ClaimReport
from holdtrue.lab.kinds.claims.row import ClaimRow
from holdtrue.lab.kit.gain import gain_words, is_between
from holdtrue.lab.kit.groups import Group
from holdtrue.lab.kit.headline import Figure, Headline


def claim_headlines(report: ClaimReport) -> list[Headline]:
    """One for each model: its best method that verification does not help, the best other one, and the controls."""
    return [_headline(report, group) for group in report.groups]


def strongest_claims(report: ClaimReport, group: Group[ClaimRow]) -> tuple[ClaimRow | None, ClaimRow | None]:
    """The best method of a model that does without verification, and the best one that asks again by what it finds.

    None where there is none. Never an oracle where there is another.
    """
    rows = [row for row in group.whole if row.finished and row.arm.method not in report.controls]
    silent = [row for row in rows if row.arm in report.baselines]
    checking = [row for row in rows if row.arm not in report.baselines]
    return _best(silent), _best([row for row in checking if not row.oracle] or checking)


def _best(rows: Iterable[ClaimRow]) -> ClaimRow | None:
    return max(rows, key=lambda row: row.accuracy.value or 0.0, default=None)


def _headline(report: ClaimReport, group: Group[ClaimRow]) -> Headline:
    base, best = strongest_claims(report, group)
    controls = [row for row in group.whole if row.arm.method in report.controls and row.finished]
    figures = tuple(_figure(row) for row in (base, best, *controls) if row is not None)
    return Headline(group.label, figures, _gain(report, best, base) if base is not None and best is not None else "")


def _figure(row: ClaimRow) -> Figure:
    claims = row.verdicts
    verified = (
        f"{share(claims.verified)} of {claims.claims} claims verified, {share(claims.entailed)} entailed, "
        f"{share(claims.fresh)} not already in the context, score {decimal(row.score.value)}"
    )
    return Figure(
        row.title,
        percent(row.accuracy.value),
        verified if row.verified else "claims not verified",
        f"right in {row.accuracy.hits} of {row.accuracy.of} question{'' if row.accuracy.of == 1 else 's'}",
    )


def _gain(report: ClaimReport, best: ClaimRow, base: ClaimRow) -> str:
    for each in report.comparisons:
        if is_between(each, best.arm, base.arm):
            over = f"{each.items} question{'' if each.items == 1 else 's'}"
            return gain_words(each, base.arm, over, done="right")
    return ""
