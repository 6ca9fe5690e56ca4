"""Does an answer follow when an item is changed so that another option is right? (VERGE, appendix D and table 8)"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from holdtrue.figures.statistics import Column, Estimate, Rate, clustered, means
from holdtrue.lab.kinds.claims.plays import ClaimPlay, ClaimPlays, pooled_claims
from holdtrue.lab.kit.arm import Arm

Twins = tuple[ClaimPlay, ClaimPlay]
"""An original, and a changed form of it."""


@dataclass(frozen=True, slots=True)
class Perturbed:
    """One method and one way of changing items (None: all of them), over the pairs of which it has answered both.

    `original`, `changed` and `both` are right answers, `stayed` changed items that got the very letter of the original,
    all of the pairs. `verified` are the claims about changed items that the solver decided, of all of them, and `score`
    is the mean over those whose claims were verified, each original counting once. Intervals are drawn by original.
    """

    arm: Arm
    perturbation: str | None
    pairs: int
    original: Rate
    changed: Rate
    both: Rate
    stayed: Rate
    verified: Rate
    score: Estimate

    def to_json(self) -> dict[str, Any]:
        """The row for programs: rates with counts and intervals."""
        return asdict(self)


def perturbed(runs: Sequence[Sequence[ClaimPlays]]) -> tuple[Perturbed, ...]:
    """Every method that has answered changed items and their originals: over all of them, then by way of changing.

    The two may be in different runs. Where runs gave an original's id to different items, nothing says which of them
    was changed, and neither counts.
    """
    return tuple(row for arm in pooled_claims(runs) for row in _rows(arm))


def _rows(arm: ClaimPlays) -> Iterable[Perturbed]:
    originals: dict[str, list[ClaimPlay]] = {}
    for (item, _), play in arm.plays.items():
        if not play.perturbation:
            originals.setdefault(item, []).append(play)
    found: dict[str, list[Twins]] = {}
    for _, play in sorted(arm.plays.items()):
        base = originals.get(play.perturbs, [])
        if play.perturbation and len(base) == 1:
            found.setdefault(play.perturbs, []).append((base[0], play))
    if not found:
        return
    families = [twins for _, twins in sorted(found.items())]
    yield _row(arm.arm, None, families)
    for way in sorted({changed.perturbation for twins in families for _, changed in twins}):
        of_way = [[pair for pair in twins if pair[1].perturbation == way] for twins in families]
        yield _row(arm.arm, way, [twins for twins in of_way if twins])


def _row(arm: Arm, way: str | None, families: Sequence[Sequence[Twins]]) -> Perturbed:
    """The pairs of each original."""
    of = [len(twins) for twins in families]
    columns: list[Column] = [
        ([sum(one.right for one, _ in twins) for twins in families], of),
        ([sum(two.right for _, two in twins) for twins in families], of),
        ([sum(one.right and two.right for one, two in twins) for twins in families], of),
        ([sum(two.given is not None and two.given == one.given for one, two in twins) for twins in families], of),
        (
            [sum(two.verified[0] for _, two in twins) for twins in families],
            [sum(two.verified[1] for _, two in twins) for twins in families],
        ),
    ]
    original, changed, both, stayed, verified = clustered(columns)
    [score] = means([[_mean([two.score for _, two in twins if two.score is not None]) for twins in families]])
    return Perturbed(arm, way, sum(of), original, changed, both, stayed, verified, score)


def _mean(values: Sequence[float]) -> float | None:
    return sum(values) / len(values) if values else None
