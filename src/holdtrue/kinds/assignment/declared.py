"""Methods of one's own, declared as a table: a preset with some settings changed.

name = "two_tries"
base = "drift_repair"                  # any preset; `direct` where it is left out
repairs = 2
triggers = ["answer_ledger_conflict"]
feedback = { violated = true }         # the rest of the base's feedback stays
fallback = "abstain"
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, fields
from typing import Any

from holdtrue.errors import SettingsError
from holdtrue.kinds.assignment.method import PRESETS, Feedback, Method, find_method
from holdtrue.wire import first_fault

_SETTINGS = [field.name for field in fields(Method)]
_FEEDBACK = [field.name for field in fields(Feedback)]


def declare_method(table: object) -> Method:
    """The method that a table declares; raises `SettingsError` naming the setting that does not fit."""
    from pydantic import TypeAdapter, ValidationError

    if not isinstance(table, Mapping):
        raise SettingsError(f"a method is a table of settings, got {table!r:.60}")
    given: dict[str, Any] = dict(table)
    name = given.get("name")
    if not isinstance(name, str) or not name.isidentifier():
        raise SettingsError(f"a method needs a name of letters, digits and underscores, got {name!r}")
    base = find_method(str(given.pop("base", "direct")))
    if name in PRESETS:
        raise SettingsError(f"method {name!r}: that is a preset's name; give the method one of its own")
    _refuse_unknown(name, given, _SETTINGS)
    feedback = given.get("feedback", {})
    if isinstance(feedback, Mapping):
        _refuse_unknown(f"{name}.feedback", feedback, _FEEDBACK)
        given["feedback"] = {**asdict(base.feedback), **feedback}
    settings = {field: getattr(base, field) for field in _SETTINGS} | given
    try:
        return TypeAdapter(Method).validate_python(settings)
    except ValidationError as error:
        got = error.errors(include_url=False, include_context=False)[0]["input"]
        raise SettingsError(f"method {name!r}: {first_fault(error)}, got {got!r:.60}") from None


def describe_method(method: Method) -> dict[str, Any]:
    """Every setting as plain JSON values, so that two methods are the same exactly if these are."""
    return {**asdict(method), "triggers": sorted(code.value for code in method.triggers)}


def _refuse_unknown(name: str, given: Mapping[str, Any], known: list[str]) -> None:
    unknown = [key for key in given if key not in known]
    if unknown:
        raise SettingsError(f"method {name!r}: there is no setting {unknown[0]!r}, only {', '.join(known)}")
