"""Look through what was not read of a recorded conversation, and refuse what could hold a call."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from holdtrue.errors import RecordError
from holdtrue.guard.recorded_forms import (
    ARGUMENTS,
    CALLS,
    KINDS,
    MARKS,
    NAMES,
    RecordedMessage,
    listed,
    plain_name,
    read_call,
)

_DEEPEST = 24


def refuse_hidden(messages: Sequence[RecordedMessage], tools: Collection[str]) -> None:
    """Raise `RecordError` where what was not read of messages could hold a call that was not read elsewhere.

    `tools` are the names that a call is known by, wherever it stands.
    """
    known = {call.key for message in messages for call in message.calls}
    named = "|".join(map(re.escape, tools))
    written = re.compile(rf"\b(?:{named})\(\s*\w+\s*=") if named else None
    for message in messages:
        for where, rest in message.unknown:
            refuse_hidden_in(rest, where, known, tools)
        if message.role == "assistant" and message.texts and not message.calls:
            text = message.text.strip()
            bare = text.removeprefix("```json").strip("`\n ")
            if bare[:1] in ("{", "["):
                refuse_hidden_in(_json_or_none(bare), message.where, known, tools)
            if written is not None and (mark := written.search(text)):
                raise RecordError(f"{message.where}: a call in a text, at {mark.group():.40}, is not understood")


def _json_or_none(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def refuse_hidden_in(
    value: Any, where: str, known: Collection[tuple[str, str]], tools: Collection[str], *, loud: bool = True
) -> None:
    """Raise `RecordError` where a value could hold a call that is none of the `known` ones.

    A call is known by a key or a type that calls are written under. If `loud`, a name beside arguments is one, too, and
    so are the name of one of the `tools` beside an object, and marks of calls in a text.
    """
    _Search(known, tools, loud).look(value, where, 0)


@dataclass(frozen=True, slots=True)
class _Search:
    """A search for calls in a value that nobody has read."""

    known: Collection[tuple[str, str]]
    tools: Collection[str]
    loud: bool

    def look(self, value: Any, where: str, depth: int) -> None:
        if depth > _DEEPEST:
            raise RecordError(f"{where}: it is nested too deep to be looked through")
        if isinstance(value, list):
            for place, own in enumerate(value):
                self.look(own, f"{where}[{place}]", depth + 1)
        elif isinstance(value, dict):
            self._look_into(value, where, depth)
        elif self.loud and isinstance(value, str) and MARKS.search(value):
            raise RecordError(f"{where}: a call in a text is not understood")

    def _look_into(self, value: Mapping[str, Any], where: str, depth: int) -> None:
        if any(_is_schema(value.get(key)) for key in ("parameters", "input_schema", "inputSchema")):
            return  # It declares a tool, and calls none.
        type = value.get("type")
        kind = KINDS.get(plain_name(type)) if isinstance(type, str) else None
        if kind in ("call", "both") or (self.loud and self._looks_like_call(value)):
            self._refuse_unknown(value, where)
            return
        for key, own in value.items():
            if plain_name(key) in CALLS and own and (self.loud or plain_name(key) not in ("arguments", "args")):
                for call in listed(own):
                    self._refuse_unknown(call, f"{where}.{key}")
            else:
                self.look(own, f"{where}.{key}", depth + 1)

    def _looks_like_call(self, value: Mapping[str, Any]) -> bool:
        beside = [own for own in value.values() if isinstance(own, dict)]
        named = any(isinstance(own, str) and own in self.tools for own in value.values()) and beside
        called = any(isinstance(own, dict) and key in self.tools for key, own in value.items())
        written = any(isinstance(value.get(key), str) for key in NAMES) and any(key in value for key in ARGUMENTS[:3])
        return bool(named or called or written)

    def _refuse_unknown(self, value: object, where: str) -> None:
        read = RecordedMessage(where, "assistant")
        try:
            read_call(read, value, where)
        except RecordError as error:
            raise RecordError(f"{where}: it may hold a call, and is not understood") from error
        if not {own.key for own in read.calls} <= set(self.known):
            raise RecordError(f"{where}: a call of {read.calls[0].tool:.40} stands where none is read")


def _is_schema(value: object) -> bool:
    return isinstance(value, dict) and ("properties" in value or value.get("type") == "object")
