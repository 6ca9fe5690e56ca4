"""The methods that a run about assignments played, and which of them used gold readings."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from holdtrue.errors import RecordError, SettingsError
from holdtrue.kinds.assignment.method import PRESETS, Method
from holdtrue.lab.kit.arm import Arm


def played_methods(settings: Mapping[str, Any]) -> dict[str, Method]:
    """Return presets and the run's own methods by name.

    `settings` are those in the folder of a run. Raises `RecordError` for settings that no run has written.
    """
    own = settings.get("own_methods") or {}
    return {**PRESETS, **{name: _read(name, saved) for name, saved in own.items()}}


def _read(name: str, saved: Mapping[str, Any]) -> Method:
    """Return a method that was written down by `describe_method`."""
    from pydantic import TypeAdapter, ValidationError

    try:
        return TypeAdapter(Method).validate_python({"name": name, **saved})
    except (SettingsError, ValidationError, TypeError) as error:
        raise RecordError(f"the run's settings of method {name!r} do not fit: {error}") from error


def is_oracle(arm: Arm, methods: Mapping[str, Method]) -> bool:
    """Return whether gold stood in the place of readings, and changed what the arm's method did.

    A method that reads nothing is none, though its turns are measured by the same gold. A method that the run's
    settings do not name is one: nobody can tell what it used.
    """
    method = methods.get(arm.method)
    return arm.gold and (method is None or method.uses_readings)
