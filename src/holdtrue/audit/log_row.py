"""Cut a line of a log into its fields: a field is looked into only where it says something new."""

from __future__ import annotations

import json
from typing import Any

import msgspec

from holdtrue.errors import RecordError

UNSET = msgspec.UNSET
NOTHING = msgspec.Raw(b"null")
"""A field that is not there."""


class LogRow(msgspec.Struct):
    """A `LogRow` has the fields of a logged turn as they are written, but for the id, the domain and the answer.

    `context` and `gold` that are not there are null. `conversation` groups turns in tables, and has no part in a
    verdict. A row that is a whole conversation has its `messages`, and may have its moment, `now`.
    """

    entities: msgspec.Raw = NOTHING
    constraints: msgspec.Raw = NOTHING
    id: Any = ""
    domain: Any = UNSET
    context: msgspec.Raw = NOTHING
    answer: Any = None
    gold: msgspec.Raw = NOTHING
    conversation: Any = None
    messages: msgspec.Raw = NOTHING
    now: Any = None


UNREADABLE = (msgspec.DecodeError, UnicodeError, RecursionError)
"""What reading a field can raise that is no strict JSON, or too deep."""
_TURN = msgspec.json.Decoder(LogRow)
_ANY = msgspec.json.Decoder()
_NAMES = msgspec.json.Decoder(list[str])


class RawConstraint(msgspec.Struct):
    """A constraint as a log has it; what its fields may be is for the reader of turns to say."""

    type: str
    args: list[Any]
    id: Any = None
    turn: Any = 1


_CONSTRAINTS = msgspec.json.Decoder(list[RawConstraint])


def cut(line: bytes) -> LogRow | None:
    """Return the fields of a line; None where it is no plain JSON object, which the reader of `check` tells more of."""
    try:
        if not line.isascii():
            line.decode()  # Also what is not looked into has to be a text.
        return _TURN.decode(line)
    except UNREADABLE:
        return None


def parsed(line: bytes) -> Any:
    """Return what a line holds as `check` reads it. Raises `ValueError` or `RecursionError` for what is no JSON."""
    return json.loads(line.decode("utf-8", "surrogateescape"))


def any_value(raw: bytes | msgspec.Raw) -> Any:
    """Return what a field holds. Raises one of `UNREADABLE` for what is no strict JSON."""
    return _ANY.decode(raw)


def names_in(raw: bytes | msgspec.Raw) -> list[str] | None:
    """Return a list of names, or None for anything else."""
    try:
        return _NAMES.decode(raw)
    except UNREADABLE:
        return None


def constraints_in(raw: bytes | msgspec.Raw) -> list[RawConstraint] | None:
    """Return a list of constraints, or None for anything else."""
    try:
        return _CONSTRAINTS.decode(raw)
    except UNREADABLE:
        return None


def as_raw(value: Any) -> msgspec.Raw:
    """Return a value as JSON; what JSON does not have, such as a moment of a table, as its text."""
    return msgspec.Raw(msgspec.json.encode(value, enc_hook=str))


def text_as_raw(text: str) -> msgspec.Raw:
    """Return JSON in a text as it is written."""
    return msgspec.Raw(text.encode("utf-8", "surrogatepass"))


_WRITTEN = ("entities", "context", "constraints", "gold")
_NAMING, _SETTING = ("id", "conversation", "now"), ("entities", "context", "messages")


def conversation_of(turn: LogRow | None, line: bytes | None) -> dict[str, Any]:
    """Return a row that is a whole conversation as an object. Raises `RecordError` for what is none."""
    try:
        if turn is None:
            found = parsed(line or b"null")
        else:
            found = {name: getattr(turn, name) for name in _NAMING}
            found |= {name: json.loads(bytes(getattr(turn, name))) for name in _SETTING}
            if turn.domain is not UNSET:
                found["domain"] = turn.domain
    except (ValueError, RecursionError) as error:
        raise RecordError(f"no JSON object: {error}") from error
    if not isinstance(found, dict) or found.get("messages") is None:
        raise RecordError("messages: a conversation has a list of them")
    return found


def name_of(record: dict[str, Any]) -> str | None:
    """Return the name of a conversation: that of its own field, or its id."""
    named = record.get("conversation")
    own = record.get("id") if named is None else named
    return None if own is None or own == "" else str(own)


def all_fields(turn: LogRow) -> dict[str, Any]:
    """Return all that a row has, fields of JSON as far as they are any."""
    found: dict[str, Any] = {}
    for name in turn.__struct_fields__:
        own = getattr(turn, name)
        if own is UNSET or own is None or own is NOTHING:
            continue
        if isinstance(own, msgspec.Raw):
            try:
                own = json.loads(bytes(own))
            except (ValueError, RecursionError):
                own = bytes(own).decode("utf-8", "replace")
        found[name] = own
    return found


def value_of(turn: LogRow) -> dict[str, Any]:
    """Return a turn as the reader of `check` takes it. Raises `ValueError` for a field that is no JSON."""
    found: dict[str, Any] = {"id": turn.id}
    if turn.domain is not UNSET:
        found["domain"] = turn.domain
    found["answer"] = turn.answer
    return found | {name: json.loads(bytes(getattr(turn, name))) for name in _WRITTEN}


def field_in(line: bytes | None, name: str) -> Any:
    """Return a field of a line that only the reader of `check` takes, such as one with NaN in it; None without it."""
    try:
        found = parsed(line or b"")
    except (ValueError, RecursionError):
        return None
    return found.get(name) if isinstance(found, dict) else None
