"""Write a conversation to a file and read it again, without the model, the method and the declared world.

The file is one readable JSON object with a kind, a version, the class that saved it, and the kind of answers. It also
has the state of that class, a frozen dataclass. It is written completely or not at all. Reading it checks every field
here, and each class checks its state against its world, and every event against earlier events.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import is_dataclass
from functools import singledispatch
from pathlib import Path
from typing import Any, TypeVar

from holdtrue.errors import FormulaError, InfrastructureError, InputError, RecordError, SettingsError
from holdtrue.files import write_whole
from holdtrue.ledger.entries import Event
from holdtrue.logic.codec import Json, formula_from_json, formula_to_json
from holdtrue.logic.formula import Formula, Variable
from holdtrue.record import EventRecord
from holdtrue.wire import first_fault, plain_fields

KIND = "holdtrue session"
VERSION = 7
_NOTHING = object()
_SURROGATE = re.compile("[\ud800-\udfff]")
State = TypeVar("State")
Given = TypeVar("Given")


def write_saved(path: Path, face: str, answers: str, state: object) -> None:
    """Write the state of a conversation, a dataclass, or leave an existing file unchanged. `answers` identifies the
    class.

    Raises `RecordError` for values that JSON cannot hold or that could not be read again. Raises `InfrastructureError`
    if the file cannot be written.
    """
    text = _encode({"kind": KIND, "version": VERSION, "face": face, "answers": answers, **_plain("", state)})
    _decode(text, answers, type(state))
    try:
        write_whole(path, text)
    except OSError as error:
        raise InfrastructureError(f"{path}: the session cannot be saved: {error.strerror}") from error


@contextmanager
def read_saved(path: Path, answers: str, kind: type[State]) -> Iterator[State]:
    """Yield the state in a file.

    Raises `RecordError` if the file is no saved conversation with such answers. That message begins with the file's
    name, and so do the messages of errors that the block raises.
    """
    try:
        yield _decode(path.read_text(encoding="utf-8"), answers, kind)
    except (OSError, UnicodeDecodeError, RecursionError) as error:
        raise RecordError(f"{path}: the session cannot be read: {error}") from error
    except SettingsError as error:
        raise SettingsError(f"{path}: {error}") from error
    except InputError as error:
        raise RecordError(f"{path}: {error}") from error


def choose_again(
    what: str, named: str, given: Given | None, find: Callable[[str], object], allow_changes: bool
) -> Given | str:
    """Return the object to continue with: the preset with the saved name, or the object that is given again.

    Raises `SettingsError` if the name is no preset for `find` and nothing is given. Raises it too if another object is
    given without `allow_changes`.
    """
    if given is None:
        try:
            find(named)
        except SettingsError:
            raise SettingsError(f"the {what} {named!r} is no preset: give it again, as {what}=...") from None
        return named
    name = given if isinstance(given, str) else getattr(given, "name", given)
    if name != named and not allow_changes:
        raise SettingsError(f"the session's {what} is {named!r}, not {name!r}; see allow_changes")
    return given


def same_world(place: str, saved: object, given: object) -> None:
    """Raise `RecordError` with the first place in which the world in the file differs from the given one."""
    differs = _difference(saved, _plain(place, given))
    if differs is not None:
        raise RecordError(f"{_place((place, *differs))}: the session is about another {place}")


def check_turns(events: Sequence[Event[Any]] | Sequence[EventRecord], recorded: int, turns: int) -> None:
    """Raise `RecordError` for events of turns that were not played, or if more events are recorded than exist."""
    if not 0 <= recorded <= len(events):
        raise RecordError(f"recorded: {recorded} of {len(events)} events")
    if events and events[-1].turn > turns:
        raise RecordError(f"history: {turns} turns, and events of turn {events[-1].turn}")


def read_formula(place: str, written: object, variables: Iterable[Variable]) -> Formula:
    """Return the formula over these variables. Raises `RecordError` if it is not in the canonical JSON form."""
    known = {variable.name: variable for variable in variables}

    def resolve(name: str) -> Variable:
        if name not in known:
            raise FormulaError(f"there is no variable {name!r:.60}")
        return known[name]

    try:
        formula = formula_from_json(written, resolve)
        same = formula_to_json(formula) == written
    except FormulaError as error:
        raise RecordError(f"{place}: {error}") from error
    if not same:
        raise RecordError(f"{place}: this formula is not written as formulas are here")
    return formula


def _encode(data: dict[str, Any]) -> str:
    text = json.dumps(data, ensure_ascii=False, indent=1)
    # UTF-8 cannot encode a lone surrogate. It can only occur inside a JSON text, where it can be escaped.
    return _SURROGATE.sub(lambda found: f"\\u{ord(found.group()):04x}", text) + "\n"


def _plain(place: str, value: object) -> Any:
    """Convert the value to JSON types. Raises `RecordError` if it could not be read again unchanged."""

    def inner(key: str | int, item: object) -> Any:
        return _plain(f"{place}.{key}".lstrip("."), item)

    match value:
        case str():
            return str(value)
        case None | bool() | int():
            return value
        case float() if math.isfinite(value):
            return value
        case list() | tuple():
            return [inner(position, item) for position, item in enumerate(value)]
        case Mapping() if all(isinstance(key, str) for key in value):
            return {str(key): inner(key, item) for key, item in value.items()}
    written = written_logic(value, place)
    if written is not None:
        return written
    if is_dataclass(value):
        return {name: inner(name, item) for name, item in plain_fields(value).items()}
    raise RecordError(f"{place}: {value!r:.60} cannot be written as JSON")


@singledispatch
def written_logic(value: object, place: str) -> Json | None:
    """Return a value of logic as JSON, or None for any other value. Other notations register here.

    Raises `RecordError` for a value that could not be read again.
    """
    return None


@written_logic.register
def _(value: Formula, place: str) -> Json:
    try:
        written = formula_to_json(value)
        read_formula(place, written, value.variables)
        return written
    except FormulaError as error:
        raise RecordError(f"{place}: {error}") from error


def _decode(text: str, answers: str, kind: type[State]) -> State:
    from pydantic import TypeAdapter, ValidationError

    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise RecordError(f"not JSON: {error}") from error
    if not isinstance(data, dict) or data.pop("kind", None) != KIND:
        raise RecordError("this is no saved session")
    if (version := data.pop("version", None)) != VERSION:
        raise RecordError(f"version: {version!r:.40}; this version of holdtrue reads {VERSION}")
    face, held = data.pop("face", None), data.pop("answers", None)
    if held != answers or not isinstance(face, str):
        raise RecordError(f"this file holds a conversation about {held!s:.40}; use {face!s:.40}.load")
    try:
        state = TypeAdapter(kind).validate_python(data)
    except ValidationError as error:
        raise RecordError(first_fault(error)) from None
    # Writing the state again must give the same JSON, so unknown keys and numbers written as texts are errors.
    if (place := _difference(data, _plain("", state))) is not None:
        raise RecordError(f"{_place(place)}: this is not what a saved session holds")
    return state


def _difference(given: object, kept: object) -> tuple[str | int, ...] | None:
    """Return the first place in which two JSON values differ, or None."""
    if isinstance(given, dict) and isinstance(kept, dict):
        keys = [*given, *(key for key in kept if key not in given)]
        pairs = [(key, given.get(key, _NOTHING), kept.get(key, _NOTHING)) for key in keys]
    elif isinstance(given, list) and isinstance(kept, list) and len(given) == len(kept):
        pairs = [(number, one, other) for number, (one, other) in enumerate(zip(given, kept, strict=True))]
    else:
        return None if type(given) is type(kept) and given == kept else ()
    for key, one, other in pairs:
        inner = _difference(one, other)
        if inner is not None:
            return (key, *inner)
    return None


def _place(place: Sequence[str | int]) -> str:
    return ".".join(map(str, place)) or "the file"
