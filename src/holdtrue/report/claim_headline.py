"""A report about claims in a few numbers for each model: accuracy first, and what was verified beside it."""

from __future__ import annotations

from collections.abc import Iterable

from holdtrue.evaluation.metrics.claim_row import ClaimRow
from holdtrue.evaluation.statistics import Rate
from holdtrue.report.cells import MISSING, decimal, p_value, percent, points, points_interval
from holdtrue.report.claim_report import ClaimReport
from holdtrue.report.groups import Group
from holdtrue.report.headline import Figure, Headline


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
        f"{_share(claims.verified)} of {claims.claims} claims verified, {_share(claims.entailed)} entailed, "
        f"{_share(claims.fresh)} not already in the context, score {decimal(row.score.value)}"
    )
    return Figure(
        row.title,
        percent(row.accuracy.value),
        verified if row.verified else "claims not verified",
        f"right in {row.accuracy.hits} of {row.accuracy.of} question{'' if row.accuracy.of == 1 else 's'}",
    )


def _share(rate: Rate) -> str:
    return MISSING if rate.value is None else f"{percent(rate.value)}%"


def _gain(report: ClaimReport, best: ClaimRow, base: ClaimRow) -> str:
    """What the best one adds, in whichever order the two were compared."""
    for each in report.comparisons:
        if {each.arm, each.other} == {best.arm, base.arm}:
            turned, paired = each.arm == base.arm, each.paired
            low, high = (-paired.high, -paired.low) if turned else (paired.low, paired.high)
            only, other = (each.only_other, each.only_arm) if turned else (each.only_arm, each.only_other)
            return (
                f"{points(-paired.difference if turned else paired.difference)} pp, paired over {each.items} "
                f"question{'' if each.items == 1 else 's'} {points_interval(low, high)}; {only} right by it alone, "
                f"{other} by the other alone: McNemar p {p_value(each.mcnemar)}, after Holm {p_value(each.holm)}"
            )
    return ""
