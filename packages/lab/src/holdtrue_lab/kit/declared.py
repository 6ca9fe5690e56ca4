"""Methods of one's own, declared as a table: a preset with some settings changed.

name = "two_tries"
base = "drift_repair"                  # any preset of the same kind; the plainest one where it is left out
repairs = 2
triggers = ["answer_ledger_conflict"]
feedback = { violated = true }         # the rest of the base's feedback stays
fallback = "abstain"
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, fields, is_dataclass
from typing import Any, TypeVar

from holdtrue.errors import SettingsError
from holdtrue.wire import first_fault

M = TypeVar("M")


def declare_method(table: object, find: Callable[[str], M], base: str) -> M:
    """Return the method that a table declares; raises `SettingsError` naming the setting that does not fit.

    `find` returns the preset of a name, and `base` is the name of the preset to change if the table names none.
    """
    from pydantic import TypeAdapter, ValidationError

    if not isinstance(table, Mapping):
        raise SettingsError(f"a method is a table of settings, got {table!r:.60}")
    given: dict[str, Any] = dict(table)
    name = given.get("name")
    if not isinstance(name, str) or not name.isidentifier():
        raise SettingsError(f"a method needs a name of letters, digits and underscores, got {name!r}")
    if _is_name(name, find):
        raise SettingsError(f"method {name!r}: that is a preset's name; give the method one of its own")
    preset = find(str(given.pop("base", base)))
    settings = _changed(name, preset, given)
    try:
        return TypeAdapter(type(preset)).validate_python(settings)
    except ValidationError as error:
        got = error.errors(include_url=False, include_context=False)[0]["input"]
        raise SettingsError(f"method {name!r}: {first_fault(error)}, got {got!r:.60}") from None


def describe_method(method: Any) -> dict[str, Any]:
    """Return all settings of a method as plain JSON values, which are equal exactly if the methods are."""
    return {name: sorted(value) if isinstance(value, frozenset) else value for name, value in asdict(method).items()}


def is_preset(method: Any, presets: Iterable[Any]) -> bool:
    """Return whether the method is one of the presets.

    Raises `SettingsError` for another method under a preset's name, because reports would take it for the preset.
    """
    named = [preset for preset in presets if preset.name == method.name]
    if named and method not in named:
        raise SettingsError(f"method {method.name!r} is not the preset of that name; give it one of its own")
    return bool(named)


def _is_name(name: str, find: Callable[[str], object]) -> bool:
    try:
        find(name)
    except SettingsError:
        return False
    return True


def _changed(name: str, base: Any, options: Mapping[str, Any]) -> dict[str, Any]:
    """The settings of the base, with what is given in their place; a table within changes what it names."""
    known = [field.name for field in fields(base)]
    unknown = [key for key in options if key not in known]
    if unknown:
        raise SettingsError(f"method {name!r}: there is no setting {unknown[0]!r}, only {', '.join(known)}")
    settings: dict[str, Any] = {}
    for key in known:
        value = getattr(base, key)
        if key in options and is_dataclass(value) and isinstance(options[key], Mapping):
            settings[key] = _changed(f"{name}.{key}", value, options[key])
        else:
            settings[key] = options.get(key, value)
    return settings
