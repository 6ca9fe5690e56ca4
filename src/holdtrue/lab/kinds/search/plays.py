"""What became of each searched problem under each arm: what arms are compared on."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from holdtrue.lab.kit.arm import Arm
from holdtrue.lab.kit.plays import Asked


@dataclass(frozen=True, slots=True)
class SearchTrial:
    """One trial: whether it was verified, and what it spent."""

    verified: bool
    calls: int
    generated: int


@dataclass(frozen=True, slots=True)
class SearchPlay:
    """A problem with all its trials, by number; those without a score are left out.

    `variant` names how the problem was rewritten, '' where it is an original; `base` is the original's id.
    """

    domain: str
    variant: str
    base: str
    trials: Mapping[int, SearchTrial]

    @property
    def rate(self) -> float:
        """The share of trials that were verified, in 0..1."""
        return sum(trial.verified for trial in self.trials.values()) / len(self.trials)


@dataclass(frozen=True, slots=True)
class SearchPlays:
    """All problems that an arm has finished with a score. `asks_model`: it is no control.

    `single`: it makes one call, whatever the budget, so that its budget is not that of the others.
    """

    arm: Arm
    asks_model: bool
    single: bool
    plays: Mapping[Asked, SearchPlay]


def pooled_searches(runs: Iterable[Sequence[SearchPlays]]) -> list[SearchPlays]:
    """Each arm once, with its problems from all runs; where two runs played the same, the first one's stands."""
    arms: dict[Arm, SearchPlays] = {}
    for run in runs:
        for new in run:
            old = arms.get(new.arm, SearchPlays(new.arm, False, True, {}))
            arms[new.arm] = SearchPlays(
                new.arm, old.asks_model or new.asks_model, old.single and new.single, {**new.plays, **old.plays}
            )
    return list(arms.values())
