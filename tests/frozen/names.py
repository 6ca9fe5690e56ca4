"""Public names with their signatures, commands with their options and help, and schemas of files."""

from __future__ import annotations

import dataclasses
import enum
import importlib
import inspect
import re
from collections.abc import Mapping
from typing import Any

from tests.frozen.playing import Records, holdtrue, plain, scrub

NAMESPACES = {
    **{name: f"holdtrue.{name}" for name in ("logic", "ledger", "models", "guard", "record", "errors")},
    **{name: f"holdtrue.{name}" for name in ("kinds.assignment", "kinds.labels", "kinds.search")},
    **{name: name for name in ("holdtrue", "holdtrue_claims", "holdtrue_lab")},
}


def tell_names() -> Records:
    """Tell the public names with their signatures, the command's options and help, and the schemas of files."""
    for space, place in NAMESPACES.items():
        module = importlib.import_module(place)
        for own in sorted(module.__all__):
            yield f"names/{space}/{own}", _described(getattr(module, own))
    from typer.main import get_command

    from holdtrue.cli.main import app

    yield from _commands(get_command(app), ())
    for own in holdtrue("export", "schema")["out"]:
        yield f"schema/{own}", holdtrue("export", "schema", own)
    from holdtrue_lab import find_kind, find_suite, kind_names, suite_names

    for kind in kind_names():
        yield f"kind/{kind}", find_kind(kind).name
    for suite in suite_names():
        found = find_suite(suite)
        yield f"suite/{suite}", [found.kind.name, str(found.methods)]


def _described(value: Any) -> Any:
    """Describe a public name, without its docstrings and its modules."""
    if inspect.isclass(value):
        if issubclass(value, enum.Enum):
            return {own.name: own.value for own in value}
        own = {key: _signature(one) for key, one in inspect.getmembers(value) if _is_public(key, one)}
        return {"is": [base.__name__ for base in value.__mro__[:-1]], "made": _signature(value), "has": own}
    if callable(value):
        return _signature(value)
    if isinstance(value, Mapping) or dataclasses.is_dataclass(value):
        return plain(value)
    return _unplaced(repr(value))


def _is_public(key: str, value: Any) -> bool:
    return not key.startswith("_") and (callable(value) or isinstance(value, property))


def _signature(value: Any) -> str:
    if isinstance(value, property):
        return "" if value.fget is None else _signature(value.fget)
    try:
        return _unplaced(str(inspect.signature(value)))
    except (TypeError, ValueError):
        return "?"


def _unplaced(text: str) -> str:
    """Return a text that Python made without its modules, and with the members of sets in order."""
    text = re.sub(r"\{(<[^{}]*)\}", lambda found: "{" + ", ".join(sorted(found[1].split(", "))) + "}", text)
    return re.sub(r"\b(?:holdtrue|typing|collections\.abc)\.(?:[a-z_0-9]+\.)*(?=\w)", "", scrub(text))


def _commands(command: Any, path: tuple[str, ...]) -> Records:
    yield f"help/{' '.join(path)}", holdtrue(*path, "--help")["out"]
    for own in command.params:
        about = {
            key: getattr(own, key, None) for key in ("opts", "secondary_opts", "required", "multiple", "min", "max")
        }
        yield f"option/{' '.join(path)}/{own.name}", {**about, "default": _unplaced(repr(own.default))}
    if hasattr(command, "list_commands"):
        for verb in command.list_commands(None):
            yield from _commands(command.get_command(None, verb), (*path, verb))
