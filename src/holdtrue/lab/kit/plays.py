"""Which turns came out right, problem by problem: what arms are compared on."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from holdtrue.lab.kit.arm import Arm

Asked = tuple[str, int]
"""A problem as it was asked: its id, and a checksum of the user's messages. Two runs may give the same id to
different problems (drawn with another seed, worded otherwise); those are never compared."""


@dataclass(frozen=True, slots=True)
class Play:
    """A problem played to its last turn. `right` is by turn number; turns without a score are left out."""

    domain: str
    turns: int
    right: Mapping[int, bool]


@dataclass(frozen=True, slots=True)
class ArmPlays:
    """All problems that an arm has finished.

    `baseline`: the method asks the model, and no check has a part in what it delivers: it does not repair, project
    or abstain. Presets are known by their names; any other method by what it did in all its turns.
    """

    arm: Arm
    baseline: bool
    plays: Mapping[Asked, Play]


Shared = tuple[Play, Play, Sequence[int]]
"""One problem under two arms, and its turns that have a score under both."""


def pooled(runs: Iterable[Sequence[ArmPlays]]) -> list[ArmPlays]:
    """Each arm once, with its problems from all runs; where two runs played the same, the first one's stands."""
    arms: dict[Arm, ArmPlays] = {}
    for run in runs:
        for new in run:
            old = arms.get(new.arm, ArmPlays(new.arm, True, {}))
            arms[new.arm] = ArmPlays(new.arm, old.baseline and new.baseline, {**new.plays, **old.plays})
    return list(arms.values())


def shared(first: ArmPlays, second: ArmPlays) -> list[Shared]:
    """The problems that both have finished, and that have a turn with a score under both."""
    pairs = [(play, second.plays[asked]) for asked, play in first.plays.items() if asked in second.plays]
    return [(one, two, turns) for one, two in pairs if (turns := [turn for turn in one.right if turn in two.right])]
