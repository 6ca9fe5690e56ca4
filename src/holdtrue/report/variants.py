"""Runs that would be taken for one: the same model and methods on the same problems, asked in different ways."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Any

from holdtrue.errors import RecordError
from holdtrue.report.folder import AnyRun, Run, asked_so

# What decides how a model is asked, and stands in no record.
SAMPLING = ("seed", "temperature", "max_tokens", "structured", "base_url")


def tell_apart(runs: Sequence[AnyRun]) -> tuple[AnyRun, ...]:
    """The runs, with their models named by how they were asked wherever two of them played the same otherwise.

    Without this a second seed would be pooled with the first. Raises `RecordError` where two runs mean different
    methods by one name.
    """
    for one, other in combinations(runs, 2):
        _refuse_namesakes(one, other)
    differing = [pair for pair in combinations(runs, 2) if _clash(*pair)]
    keys = [key for key in SAMPLING if any(a.settings.get(key) != b.settings.get(key) for a, b in differing)]
    return tuple(asked_so(run, _how(run, keys)) for run in runs) if keys else tuple(runs)


def _clash(one: Run[Any], other: Run[Any]) -> bool:
    """Whether both played a problem under the same arm, and asked the model in different ways."""
    if all(one.settings.get(key) == other.settings.get(key) for key in SAMPLING):
        return False
    played = {arm.arm: arm.plays.keys() for arm in one.plays}
    return any(not played[arm.arm].isdisjoint(arm.plays.keys()) for arm in other.plays if arm.arm in played)


def _refuse_namesakes(one: Run[Any], other: Run[Any]) -> None:
    ours, theirs = one.settings.get("own_methods", {}), other.settings.get("own_methods", {})
    for name in ours.keys() & theirs.keys():
        if ours[name] != theirs[name]:
            raise RecordError(
                f"{one.folder} and {other.folder} mean different methods by {name!r}: report them one by one"
            )


def _how(run: Run[Any], keys: Sequence[str]) -> str:
    return ", ".join(f"{key.replace('_', ' ')} {run.settings.get(key)}" for key in keys)
