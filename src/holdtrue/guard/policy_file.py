"""Read a policy from a YAML file, or from the same as Python values, and check all of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from holdtrue.errors import InputError
from holdtrue.guard.building import build
from holdtrue.guard.policy import Policy
from holdtrue.guard.policy_wire import KEYS, PolicyWire
from holdtrue.guard.yaml_text import YamlError, YamlText, read_yaml
from holdtrue.rules.syntax import Place


class PolicyError(InputError):
    """A policy cannot be used: every fault that was found, each with its place."""

    def __init__(self, faults: Sequence[tuple[Place, str]], where: str = "") -> None:
        self.faults = tuple(faults)
        head = f"{where}:" if where else ""
        lines = [f"{head}{_numbers(place)}{' ' if head or place.line else ''}{text}" for place, text in faults]
        super().__init__("\n".join(lines))


def _numbers(place: Place) -> str:
    return f"{place.line}:{place.column}:" if place.line else ""


def load_policy(path: Path) -> Policy:
    """Return the policy of a YAML file. Raises `PolicyError` with the lines of all faults, `InputError` without a file.

    Files that it names, such as tool definitions, are found from its folder.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"the policy {path} cannot be read: {error}") from error
    return read_policy(text, folder=path.parent, where=str(path))


def read_policy(text: str, *, folder: Path | None = None, where: str = "") -> Policy:
    """Return the policy that a YAML text says; `folder` is where it finds the files that it names."""
    try:
        found = read_yaml(text)
    except YamlError as error:
        message = str(error).partition(": ")[2] if error.place.line else str(error)
        raise PolicyError([(error.place, message)], where) from error
    return _made(found, folder, where)


def make_policy(policy: str, **parts: Any) -> Policy:
    """Return a policy of Python values: the keys of a policy file as arguments, such as `rules=[{"id": ...}]`.

    Tools may be pydantic models and functions' schemas; expressions may be texts, or written in Python with
    `holdtrue.rules.written`. Raises `PolicyError`.
    """
    return _made(YamlText(_with_texts({"policy": policy, **parts})), None, "")


def _made(found: YamlText, folder: Path | None, where: str) -> Policy:
    value = found.value
    if not isinstance(value, Mapping):
        raise PolicyError([(Place(1, 1), "a policy is a mapping that begins with 'policy: NAME'")], where)
    try:
        wire = PolicyWire.model_validate(value)
    except ValidationError as error:
        raise PolicyError([_fault(found, own) for own in error.errors()], where) from error
    ground, policy = build(wire, found, folder)
    if ground.faults:
        raise PolicyError(sorted(ground.faults, key=lambda own: (own[0].line, own[0].column)), where)
    return policy


def _with_texts(value: Any) -> Any:
    """Return the values with expressions that were written in Python as their text."""
    from holdtrue.rules.written import Written

    if isinstance(value, Written):
        return str(value)
    if isinstance(value, Mapping):
        return {name: _with_texts(own) for name, own in value.items()}
    return [_with_texts(own) for own in value] if isinstance(value, list | tuple) else value


def _fault(found: YamlText, error: Any) -> tuple[Place, str]:
    path = tuple(own for own in error["loc"] if not isinstance(own, str) or own not in ("list[str]", "literal['all']"))
    name = ".".join(map(str, path))
    match error["type"]:
        case "extra_forbidden":
            home = KEYS.get(str(path[-1]))
            hint = f"; it is a key of {home}" if home else ""
            return found.place(path), f"there is no key {path[-1]!r} here ({name}){hint}"
        case "missing":
            return found.place(path[:-1]), f"{name} is missing"
    return found.place(path), f"{name}: {error['msg'][:1].lower()}{error['msg'][1:]}"
