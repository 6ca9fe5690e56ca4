"""What became of each item under each arm: what arms, and items and their changed forms, are compared on."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from holdtrue.lab.kinds.claims.counts import Pair
from holdtrue.lab.kit.arm import Arm
from holdtrue.lab.kit.plays import Asked


@dataclass(frozen=True, slots=True)
class ClaimPlay:
    """An item that was answered, with a score. `given` is the letter of its answer, None where it has none.

    `verified` are the claims that the solver decided, out of how many, and `score` what the claims come to; None where
    they were not verified. `perturbation` says how the item was changed, '' where it is an original; `perturbs` is the
    original's id.
    """

    domain: str
    right: bool
    given: str | None
    verified: Pair
    score: float | None
    perturbation: str
    perturbs: str


@dataclass(frozen=True, slots=True)
class ClaimPlays:
    """All items that an arm has answered. `asks_model`: it is no control."""

    arm: Arm
    asks_model: bool
    plays: Mapping[Asked, ClaimPlay]


def pooled_claims(runs: Iterable[Sequence[ClaimPlays]]) -> list[ClaimPlays]:
    """Each arm once, with its items from all runs; where two runs played the same, the first one's stands."""
    arms: dict[Arm, ClaimPlays] = {}
    for run in runs:
        for new in run:
            old = arms.get(new.arm, ClaimPlays(new.arm, False, {}))
            arms[new.arm] = ClaimPlays(new.arm, old.asks_model or new.asks_model, {**new.plays, **old.plays})
    return list(arms.values())
