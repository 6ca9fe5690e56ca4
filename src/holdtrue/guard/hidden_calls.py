"""Look through what was not read of a recorded conversation, and refuse what could hold a call."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from holdtrue.errors import RecordError
from holdtrue.guard.recorded_forms import (
    ARGUMENTS,
    CALLS,
    KINDS,
    NAMES,
    TAGGED,
    RecordedMessage,
    WrittenCall,
    json_in,
    listed,
    mark_in,
    plain_name,
    read_call,
)

_DEEPEST = 24


def refuse_hidden(messages: Sequence[RecordedMessage], tools: Collection[str]) -> None:
    """Raise `RecordError` where what was not read of a message could hold a call, other than a copy of its own ones.

    `tools` are the names that a call is known by, wherever it stands.
    """
    named = "|".join(map(re.escape, tools))
    written = re.compile(rf"\b(?:{named})\(\s*\w+\s*=") if named else None
    begun = False
    for message in messages:
        known = message.calls
        for where, rest in message.unknown:
            refuse_hidden_in(rest, where, known if where == message.where else (), tools)
        begun |= message.role == "user"
        for text in message.texts if begun or message.role == "assistant" else ():
            if message.role != "assistant" and not ('"' in text and any(f'"{own}"' in text for own in tools)):
                continue
            for own in (TAGGED.findall(text) if "<" in text else ()) or (text,):
                refuse_hidden_in(_json_or_none(own), message.where, known, tools)
            if written is not None and not known and "(" in text and (mark := written.search(text)):
                raise RecordError(f"{message.where}: a call in a text, at {mark.group():.40}, is not understood")


def _json_or_none(text: str) -> Any:
    return json_in(text.lstrip("` \n").removeprefix("json").lstrip().rstrip("` \n"))


def refuse_hidden_in(
    value: Any, where: str, known: Sequence[WrittenCall], tools: Collection[str], *, loud: bool = True
) -> None:
    """Raise `RecordError` where a value could hold a call that is none of the `known` ones.

    A call is known by a key or a type that calls are written under. If `loud`, a name beside arguments is one, too, and
    so are the name of one of the `tools` beside an object, and marks of calls in a text.
    """
    _Search(known, tools, loud).look(value, where, 0)


@dataclass(frozen=True, slots=True)
class _Search:
    """A search for calls in a value that nobody has read."""

    known: Sequence[WrittenCall]
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
        elif self.loud and isinstance(value, str):
            if mark_in(value):
                raise RecordError(f"{where}: a call in a text is not understood")
            self.look(_json_or_none(value), where, depth + 1)

    def _look_into(self, value: Mapping[str, Any], where: str, depth: int) -> None:
        schemas = (value.get(key) for key in ("parameters", "input_schema", "inputSchema"))
        if any(isinstance(own, dict) and ("properties" in own or own.get("type") == "object") for own in schemas):
            return  # It declares a tool, and calls none.
        kind = KINDS.get(plain_name(str(value.get("type"))))
        if self.loud and "result" in (kind, *(KINDS.get(plain_name(key)) for key in value)):
            raise RecordError(f"{where}: it may hold a result, and is not understood")
        if kind == "call" or (self.loud and self._looks_like_call(value)):
            self._refuse_unknown(value, where)
            return
        for key, own in value.items():
            if own and plain_name(key) in CALLS and (self.loud or key not in ARGUMENTS):
                for call in listed(own):
                    self._refuse_unknown(call, f"{where}.{key}")
            else:
                self.look(own, f"{where}.{key}", depth + 1)

    def _looks_like_call(self, value: Mapping[str, Any]) -> bool:
        beside = any(isinstance(own, dict) for own in value.values())
        if any(isinstance(own, dict) and key in self.tools for key, own in value.items()):
            return True
        if beside and any(isinstance(own, str) and own in self.tools for own in value.values()):
            return True
        return any(isinstance(value.get(key), str) for key in NAMES) and any(key in value for key in ARGUMENTS)

    def _refuse_unknown(self, value: object, where: str) -> None:
        read = RecordedMessage(where, "assistant")
        try:
            read_call(read, value, where)
        except RecordError as error:
            raise RecordError(f"{where}: it may hold a call, and is not understood") from error
        if not {own.key for own in read.calls} <= {own.key for own in self.known}:
            raise RecordError(f"{where}: a call of {read.calls[0].tool:.40} stands where none is read")
