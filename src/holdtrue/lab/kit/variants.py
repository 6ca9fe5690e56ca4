"""Tell runs apart that played the same problems but asked their models in different ways, as with another seed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

from holdtrue.errors import RecordError
from holdtrue.lab.kit.folder import Run, name_settings
from holdtrue.lab.kit.groups import Row
from holdtrue.lab.kit.pairs import settings_of

# What decides how a model is asked, and stands in no record.
SAMPLING = ("seed", "temperature", "max_tokens", "structured", "base_url")
# What a search may spend, and stands in no record either: the number of its calls does. By what each is called.
LIMITS: Mapping[str, str] = {"tokens": "tokens a trial", "seconds": "seconds a trial", "timeout_s": "solver timeout"}
# Which answers a run was given that checks the claims of answers from a file.
ANSWERS = "answers_sha256"
_DIGEST = 8  # digits of it, in names


def tell_apart(runs: Sequence[Run[Row]], *, across_methods: bool = False) -> tuple[Run[Row], ...]:
    """Return the runs; where two differ only in how their models were asked, that becomes part of the models' names.

    Without this a second seed would be pooled with the first. With `across_methods` this also holds for runs of
    different methods, which a report would otherwise compare as if their budgets were the same. Raises `RecordError` if
    two runs mean different methods by one name.
    """
    for one, other in combinations(runs, 2):
        _refuse_namesakes(one, other)
    clash = _same_but_for_methods if across_methods else _same
    differing = [pair for pair in combinations(runs, 2) if clash(*pair)]
    keys = [
        key for key in (*SAMPLING, *LIMITS, ANSWERS) if any(_setting(a, key) != _setting(b, key) for a, b in differing)
    ]
    return tuple(name_settings(run, _in_words(run, keys)) for run in runs) if keys else tuple(runs)


def _setting(run: Run[Any], key: str) -> object:
    if key not in (*LIMITS, ANSWERS):
        return run.settings.get(key)
    return (run.settings.get("play") or {}).get(key)


def _same(one: Run[Any], other: Run[Any]) -> bool:
    """Return whether both runs played a problem under the same arm."""
    played = {arm.arm: arm.originals.keys() for arm in one.plays}
    return any(not played[arm.arm].isdisjoint(arm.originals.keys()) for arm in other.plays if arm.arm in played)


def _same_but_for_methods(one: Run[Any], other: Run[Any]) -> bool:
    """Return whether some arms of the two runs differ in their methods at most, whichever problems they played."""
    ours, theirs = ({settings_of(arm.arm) for arm in run.plays} for run in (one, other))
    return not ours.isdisjoint(theirs)


def _refuse_namesakes(one: Run[Any], other: Run[Any]) -> None:
    ours, theirs = one.settings.get("own_methods", {}), other.settings.get("own_methods", {})
    for name in ours.keys() & theirs.keys():
        if ours[name] != theirs[name]:
            raise RecordError(
                f"{one.folder} and {other.folder} mean different methods by {name!r}: report them one by one"
            )


def _in_words(run: Run[Any], keys: Sequence[str]) -> str:
    return ", ".join(f"{_called(key)} {_value(run, key)}" for key in keys)


def _called(key: str) -> str:
    return "answers" if key == ANSWERS else LIMITS.get(key, key).replace("_", " ")


def _value(run: Run[Any], key: str) -> object:
    value = _setting(run, key)
    if key == ANSWERS:
        return "none" if value is None else str(value)[:_DIGEST]
    return "unlimited" if value is None and key in LIMITS else value
