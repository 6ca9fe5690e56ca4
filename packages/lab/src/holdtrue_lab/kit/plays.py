"""This module holds which turns an arm got right, problem by problem, for paired tests."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Generic, TypeVar

from holdtrue_lab.kit.arm import Arm
from holdtrue_lab.kit.spending import Spent

ProblemKey = tuple[str, int]
"""A problem as it was asked: its id, and a checksum of the user's messages. Two runs may give the same id to
different problems (drawn with another seed, worded otherwise); those are never compared."""

ACCURACY = "accuracy"
"""The figure that every play has; others are named in `Play.figures`."""


@dataclass(frozen=True, slots=True)
class Play:
    """A problem played to its last turn. `right` is by turn number; turns without a score are left out.

    `figures` are what else arms are compared on, by name, each by the number of a turn or of another part of the
    problem. `variant` names how the problem was changed, '' where it is an original; `base` is the original's id.
    `spent` is what the method needed for it, None where nobody counted. `unit` is what intervals are drawn over where
    that is not the problem, such as the task that it is a trial of.
    """

    domain: str
    turns: int
    right: Mapping[int, bool]
    figures: Mapping[str, Mapping[int, float]] = field(default_factory=dict)
    variant: str = ""
    base: str = ""
    spent: Spent | None = None
    unit: str = ""

    def values(self, figure: str) -> Mapping[int, float]:
        """The values of one figure, by turn number."""
        return self.right if figure == ACCURACY else self.figures.get(figure, {})

    @property
    def rate(self) -> float:
        """The share of turns that are right, in 0..1."""
        return sum(self.right.values()) / len(self.right)


AnyPlay = TypeVar("AnyPlay", bound=Play)


@dataclass(frozen=True, slots=True)
class ArmPlays(Generic[AnyPlay]):
    """All problems that an arm has finished.

    Attributes:
        baseline: The method asks the model, and no check changes what it delivers: it does not repair, project or
            abstain. Presets are known by their names, any other method by what it did in all its turns.
        plays: The finished problems.
        asks_model: The method is no control.
        single: The method makes one call, whatever the budget, so its budget is smaller than that of the others.
    """

    arm: Arm
    baseline: bool
    plays: Mapping[ProblemKey, AnyPlay]
    asks_model: bool = True
    single: bool = False

    @property
    def originals(self) -> Mapping[ProblemKey, AnyPlay]:
        """The problems that are not changed forms of others."""
        return {asked: play for asked, play in self.plays.items() if not play.variant}


Shared = tuple[AnyPlay, AnyPlay, Sequence[int]]
"""One problem under two arms, and its turns that have the figure under both."""


def pooled(runs: Iterable[Sequence[ArmPlays[AnyPlay]]]) -> list[ArmPlays[AnyPlay]]:
    """Return each arm once, with its problems from all runs; of a problem in two runs, the first one is taken."""
    arms: dict[Arm, ArmPlays[AnyPlay]] = {}
    for run in runs:
        for new in run:
            old = arms.get(new.arm, new)
            arms[new.arm] = replace(
                new,
                baseline=old.baseline and new.baseline,
                plays={**new.plays, **old.plays},
                asks_model=old.asks_model or new.asks_model,
                single=old.single and new.single,
            )
    return list(arms.values())


def shared(first: ArmPlays[AnyPlay], second: ArmPlays[AnyPlay], figure: str = ACCURACY) -> list[Shared[AnyPlay]]:
    """Return the original problems that both arms have finished, and that have a turn with the figure under both.

    Changed forms are left out, because they are not independent of their originals.
    """
    both = [(one, second.plays[asked]) for asked, one in first.originals.items() if asked in second.plays]
    turns = [[turn for turn in one.values(figure) if turn in two.values(figure)] for one, two in both]
    return [(one, two, common) for (one, two), common in zip(both, turns, strict=True) if common]


def of_originals(arm: ArmPlays[AnyPlay]) -> dict[str, AnyPlay]:
    """Return the originals by their ids, without those whose id several problems have.

    Of these nobody knows which one was changed.
    """
    found: dict[str, list[AnyPlay]] = {}
    for (problem, _), play in arm.originals.items():
        found.setdefault(problem, []).append(play)
    return {problem: plays[0] for problem, plays in found.items() if len(plays) == 1}
