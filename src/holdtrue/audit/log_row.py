"""Split a line of a log into its fields, and keep the large fields as raw JSON."""

from __future__ import annotations

import json
from typing import Any

import msgspec

from holdtrue.errors import RecordError

UNSET = msgspec.UNSET
NOTHING = msgspec.Raw(b"null")
"""The value of an absent raw field."""


class LogRow(msgspec.Struct):
    """A `LogRow` has the fields of a logged turn. Fields of type `Raw` stay raw JSON, and the others are parsed.

    An absent `context` or `gold` is null. `conversation` groups turns in tables and does not affect verdicts. A row
    with `messages` is not a turn but a whole conversation, which takes place at the time `now`.
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
"""The errors for a field that is no strict JSON or is nested too deeply."""
_TURN = msgspec.json.Decoder(LogRow)
_ANY = msgspec.json.Decoder()
_NAMES = msgspec.json.Decoder(list[str])


class RawConstraint(msgspec.Struct):
    """A constraint in a log, whose field values are not checked yet."""

    type: str
    args: list[Any]
    id: Any = None
    turn: Any = 1


_CONSTRAINTS = msgspec.json.Decoder(list[RawConstraint])


def cut(line: bytes) -> LogRow | None:
    """Return the fields of a line, or None if it is no plain JSON object. `check_logged_turn` reports the reason."""
    try:
        if not line.isascii():
            line.decode()  # Fields that stay raw have to be valid UTF-8, too.
        return _TURN.decode(line)
    except UNREADABLE:
        return None


def parsed(line: bytes) -> Any:
    """Return the JSON value of a line, in which surrogates replace invalid UTF-8 bytes.

    Raises `ValueError` or `RecursionError` for invalid JSON.
    """
    return json.loads(line.decode("utf-8", "surrogateescape"))


def any_value(raw: bytes | msgspec.Raw) -> Any:
    """Return the value of a field. Raises one of `UNREADABLE` for invalid JSON."""
    return _ANY.decode(raw)


def names_in(raw: bytes | msgspec.Raw) -> list[str] | None:
    """Return a list of names, or None for any other value."""
    try:
        return _NAMES.decode(raw)
    except UNREADABLE:
        return None


def constraints_in(raw: bytes | msgspec.Raw) -> list[RawConstraint] | None:
    """Return a list of constraints, or None for any other value."""
    try:
        return _CONSTRAINTS.decode(raw)
    except UNREADABLE:
        return None


def as_raw(value: Any) -> msgspec.Raw:
    """Return a value as JSON. Values that JSON lacks, such as moments, become texts."""
    return msgspec.Raw(msgspec.json.encode(value, enc_hook=str))


def text_as_raw(text: str) -> msgspec.Raw:
    """Return a JSON text unchanged as raw JSON."""
    return msgspec.Raw(text.encode("utf-8", "surrogatepass"))


_WRITTEN = ("entities", "context", "constraints", "gold")
_NAMING, _SETTING = ("id", "conversation", "now"), ("entities", "context", "messages")


def conversation_of(turn: LogRow | None, line: bytes | None) -> dict[str, Any]:
    """Return the JSON object of a row that is a conversation. Raises `RecordError` for any other row."""
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
    """Return the name of a conversation: its field `conversation`, or its id."""
    named = record.get("conversation")
    own = record.get("id") if named is None else named
    return None if own is None or own == "" else str(own)


def all_fields(turn: LogRow) -> dict[str, Any]:
    """Return all fields of a row, parsed if they are JSON."""
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
    """Return a turn in the form that `read_logged_turn` takes. Raises `ValueError` for an invalid field."""
    found: dict[str, Any] = {"id": turn.id}
    if turn.domain is not UNSET:
        found["domain"] = turn.domain
    found["answer"] = turn.answer
    return found | {name: json.loads(bytes(getattr(turn, name))) for name in _WRITTEN}


def field_in(line: bytes | None, name: str) -> Any:
    """Return a field of a line, or None.

    Python's JSON reader is used, which also accepts NaN.
    """
    try:
        found = parsed(line or b"")
    except (ValueError, RecursionError):
        return None
    return found.get(name) if isinstance(found, dict) else None
