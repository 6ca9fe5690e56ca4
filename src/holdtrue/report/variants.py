"""Runs that would be taken for one: the same model and methods on the same problems, asked in different ways."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import Any, Protocol, TypeVar

from holdtrue.errors import RecordError
from holdtrue.evaluation.metrics.drift_row import Arm, DriftRow
from holdtrue.evaluation.metrics.plays import ArmPlays

# What decides how a model is asked, and stands in no record.
SAMPLING = ("seed", "temperature", "max_tokens", "structured", "base_url")


class Run(Protocol):
    """What has to be known of a run here."""

    @property
    def folder(self) -> Path: ...
    @property
    def settings(self) -> Mapping[str, Any]: ...
    @property
    def rows(self) -> tuple[DriftRow, ...]: ...
    @property
    def plays(self) -> tuple[ArmPlays, ...]: ...


AnyRun = TypeVar("AnyRun", bound=Run)


def tell_apart(runs: Sequence[AnyRun]) -> tuple[AnyRun, ...]:
    """The runs, with their models named by how they were asked wherever two of them played the same otherwise.

    Without this a second seed would be pooled with the first. Raises `RecordError` where two runs mean different
    methods by one name.
    """
    for one, other in combinations(runs, 2):
        _refuse_namesakes(one, other)
    differing = [pair for pair in combinations(runs, 2) if _clash(*pair)]
    keys = [key for key in SAMPLING if any(a.settings.get(key) != b.settings.get(key) for a, b in differing)]
    return tuple(_renamed(run, keys) if keys else run for run in runs)


def _clash(one: Run, other: Run) -> bool:
    """Whether both played a problem under the same arm, and asked the model in different ways."""
    if all(one.settings.get(key) == other.settings.get(key) for key in SAMPLING):
        return False
    played = {arm.arm: arm.plays.keys() for arm in one.plays}
    return any(not played[arm.arm].isdisjoint(arm.plays.keys()) for arm in other.plays if arm.arm in played)


def _refuse_namesakes(one: Run, other: Run) -> None:
    ours, theirs = one.settings.get("own_methods", {}), other.settings.get("own_methods", {})
    for name in ours.keys() & theirs.keys():
        if ours[name] != theirs[name]:
            raise RecordError(
                f"{one.folder} and {other.folder} mean different methods by {name!r}: report them one by one"
            )


def _renamed(run: AnyRun, keys: Sequence[str]) -> AnyRun:
    how = ", ".join(f"{key.replace('_', ' ')} {run.settings.get(key)}" for key in keys)
    return replace(  # type: ignore[type-var]
        run,
        rows=tuple(replace(row, arm=asked_so(row.arm, how)) for row in run.rows),
        plays=tuple(replace(each, arm=asked_so(each.arm, how)) for each in run.plays),
        how=how,
    )


def asked_so(arm: Arm, how: str) -> Arm:
    """The arm, with how its model was asked in the model's name."""
    return replace(arm, model=f"{arm.model}, {how}") if how else arm
