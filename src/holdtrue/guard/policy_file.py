"""Read a policy from a YAML file, or from the same as Python values, and check all of it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from holdtrue.errors import InputError
from holdtrue.guard.building import build
from holdtrue.guard.ground import At, Ground, part_name
from holdtrue.guard.policy import Policy
from holdtrue.guard.policy_wire import PolicyWire, keys_at
from holdtrue.guard.yaml_text import YamlError, YamlText, read_yaml
from holdtrue.rules.paths import nearest_name
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


def load_policy(path: str | Path) -> Policy:
    """Return the policy of a YAML file. Raises `PolicyError` with the lines of all faults, `InputError` without a file.

    Files that it names, such as tool definitions, are found from its folder.
    """
    path = Path(path)
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
    `holdtrue.rules.python_expressions`. Raises `PolicyError`.
    """
    try:
        return _made(YamlText(_with_texts({"policy": policy, **parts})), None, "")
    except RecursionError as error:
        raise PolicyError([(Place(1, 1), _TOO_DEEP)], "") from error


_TOO_DEEP = "a part of it, such as a schema, is nested too deep to be read"


def _made(found: YamlText, folder: Path | None, where: str) -> Policy:
    if not isinstance(found.value, Mapping):
        raise PolicyError([(Place(1, 1), "a policy is a mapping that begins with 'policy: NAME'")], where)
    try:
        wire = PolicyWire.model_validate(found.value)
    except ValidationError as error:
        raise _error(_faults_of_form(found, error), where) from error
    ground = Ground(wire, found, folder)
    try:
        policy = build(ground)
    except RecursionError as error:
        raise PolicyError([(Place(1, 1), _TOO_DEEP)], where) from error
    if policy is None:
        raise _error(ground.faults, where)
    return policy


def _error(faults: Sequence[tuple[Place, str]], where: str) -> PolicyError:
    return PolicyError(sorted(faults, key=lambda own: (own[0].line, own[0].column)), where)


def _faults_of_form(found: YamlText, error: ValidationError) -> list[tuple[Place, str]]:
    """Return the faults of the file's form; a key that is misspelt is not told as missing, too."""
    errors = [(_path(own), own) for own in error.errors()]
    meant = {(*path[:-1], near) for path, own in errors if (near := _meant(path, own)) is not None}
    told = (_fault(found, path, own) for path, own in errors if own["type"] != "missing" or path not in meant)
    return list(dict.fromkeys(told))


def _path(error: Any) -> At:
    """Return the path of an error in the file. Behind what may be of two types stands which of them was tried."""
    return tuple(own for own in error["loc"] if own not in ("[key]", "list[str]", "literal['all']"))


def _meant(path: At, error: Any) -> str | None:
    """Return the key that an unknown one was meant to be, or None."""
    return nearest_name(str(path[-1]), keys_at(path[:-1])) if error["type"] == "extra_forbidden" else None


def _with_texts(value: Any) -> Any:
    """Return the values with expressions that were written in Python as their text."""
    from holdtrue.rules.python_expressions import Written

    if isinstance(value, Written):
        return str(value)
    if isinstance(value, Mapping):
        return {name: _with_texts(own) for name, own in value.items()}
    return [_with_texts(own) for own in value] if isinstance(value, list | tuple) else value


def _read_as(value: Any) -> str:
    """Return how YAML reads a value that is no text."""
    match value:
        case None:
            return "nothing stands here, or a # that begins a comment"
        case bool():
            return f"{str(value).lower()} is a flag"
        case Mapping() | list():
            return f"this is {'a mapping' if isinstance(value, Mapping) else 'a list'}"
    return f"{value} is a number"


def _fault(found: YamlText, path: At, error: Any) -> tuple[Place, str]:
    name = part_name(found, path)
    match error["type"]:
        case "extra_forbidden":
            key = str(path[-1])
            near = _meant(path, error)
            hint = "" if near is None else f"; did you mean {near!r}?"
            return found.key_place(path), f"there is no key {key!r} here ({name}){hint}"
        case "missing":
            return found.place(path[:-1]), f"{name} is missing"
        case "model_type" | "dict_type":
            return found.place(path), f"{name}: it has to be a mapping"
        case "string_type":
            return found.place(path), f"{name}: a text is needed, and {_read_as(error['input'])}; a text goes in quotes"
    text = f"{name}: {error['msg'][:1].lower()}{error['msg'][1:]}"
    if error["type"] == "literal_error":
        known = re.findall(r"'([^']*)'", error["ctx"]["expected"])
        near = nearest_name(str(error["input"]), known)
        text += f"; did you mean {near!r}?" if near is not None else ""
    return found.place(path), text
