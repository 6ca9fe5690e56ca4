"""This module records which turns an *arm* (a method with a model) got right, for paired tests."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Generic, TypeVar

from holdtrue_lab.kit.arm import Arm
from holdtrue_lab.kit.spending import Spent

ProblemKey = tuple[str, int]
"""A problem's id, and a checksum of the user's messages.

Two runs may give one id to different problems, drawn with another seed or worded differently. Their checksums differ.
"""

ACCURACY = "accuracy"
"""The name of the figure that every play has. Other figures are named in `Play.figures`."""


@dataclass(frozen=True, slots=True)
class Play:
    """A `Play` is a problem that was played to its last turn.

    `right` says whether each turn is right, by turn number; turns without a score are missing. `figures` has other
    values that arms are compared on: by name, and then by turn or another part. A *changed form* is a problem that was
    made by changing an original problem. Its `variant` names the change, and `base` the original; an original has the
    `variant` ''. `spent` is the method's cost, or None if it was not counted. The bootstrap resamples `unit`, such as
    the task of a trial, or problems if `unit` is empty.
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
        """Return the values of one figure by turn number."""
        return self.right if figure == ACCURACY else self.figures.get(figure, {})

    @property
    def rate(self) -> float:
        """The share of right turns, in 0..1."""
        return sum(self.right.values()) / len(self.right)


AnyPlay = TypeVar("AnyPlay", bound=Play)


@dataclass(frozen=True, slots=True)
class ArmPlays(Generic[AnyPlay]):
    """An `ArmPlays` holds all problems that one arm has finished.

    Attributes:
        baseline: Whether the method calls the model and no check changes its answers: it does not repair, project or
            abstain. Presets are recognized by name, and other methods by their behaviour in all turns.
        plays: The finished problems.
        asks_model: Whether the method calls the model; a control never does.
        single: Whether the method makes a single call, however large its budget is, so that it needs less than others.
    """

    arm: Arm
    baseline: bool
    plays: Mapping[ProblemKey, AnyPlay]
    asks_model: bool = True
    single: bool = False

    @property
    def originals(self) -> Mapping[ProblemKey, AnyPlay]:
        """The problems that are not changed forms of other problems."""
        return {asked: play for asked, play in self.plays.items() if not play.variant}


Shared = tuple[AnyPlay, AnyPlay, Sequence[int]]
"""A problem under two arms, and the turns that have the figure under both."""


def pooled(runs: Iterable[Sequence[ArmPlays[AnyPlay]]]) -> list[ArmPlays[AnyPlay]]:
    """Return each arm once, with its problems from all runs. If two runs have the same problem, the first counts."""
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
    """Return the original problems that both arms have finished and that have a turn with the figure under both.

    Changed forms are left out, because they are not independent of their originals.
    """
    both = [(one, second.plays[asked]) for asked, one in first.originals.items() if asked in second.plays]
    turns = [[turn for turn in one.values(figure) if turn in two.values(figure)] for one, two in both]
    return [(one, two, common) for (one, two), common in zip(both, turns, strict=True) if common]


def of_originals(arm: ArmPlays[AnyPlay]) -> dict[str, AnyPlay]:
    """Return the originals by id.

    Ids that several problems have are left out, because a changed form names its original only by the id.
    """
    found: dict[str, list[AnyPlay]] = {}
    for (problem, _), play in arm.originals.items():
        found.setdefault(problem, []).append(play)
    return {problem: plays[0] for problem, plays in found.items() if len(plays) == 1}
