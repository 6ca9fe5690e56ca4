"""Several runs of one suite, side by side."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Generic

from holdtrue.lab.kit.arm import Arm
from holdtrue.lab.kit.folder import Run
from holdtrue.lab.kit.groups import Group, Names, Row


@dataclass(frozen=True, slots=True, kw_only=True)
class Runs(Generic[Row]):
    """What every report has, whatever its suite; `controls` are the methods that never ask the model."""

    suite: str
    runs: tuple[Run[Row], ...]
    names: Names
    groups: tuple[Group[Row], ...]
    controls: frozenset[str]

    @property
    def remarks(self) -> tuple[str, ...]:
        """What has to be said wherever figures of this report are shown."""
        return ()

    def to_json(self) -> dict[str, Any]:
        """Everything, for programs."""
        raise NotImplementedError

    @property
    def baselines(self) -> frozenset[Arm]:
        """What asks the model, and lets no check change what it delivers."""
        return frozenset(arm.arm for run in self.runs for arm in run.plays if arm.baseline)
