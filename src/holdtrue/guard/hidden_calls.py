"""Search unread parts of a recorded conversation, and refuse any part that could hold a call."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from holdtrue.errors import RecordError
from holdtrue.guard.recorded_forms import RecordedMessage, WrittenCall, read_call
from holdtrue.guard.recorded_words import (
    ARGUMENTS,
    CALLS,
    KINDS,
    NAMES,
    between,
    json_in,
    listed,
    mark_in,
    plain_name,
)

QUIET, NAMED, LOUD = range(3)
"""How a call is recognized; each way includes those before it. `QUIET`: by a key or type for calls. `NAMED`: by a
tool's name next to an object. `LOUD`: by any name next to arguments, and by marks in a text."""
_DEEPEST = 24
_BEFORE_NAME = re.compile(r"[\w.:/-]{0,80}(?:[.:/]|__)")
"""A namespace before a tool's name, as in `functions.refund`."""
_ORDINARY, _SIGN_OF_CODE = re.compile(r"[^\W\d_][a-z]{0,99}"), re.compile(r"[={}<>]|\w\((?!s\))")


def refuse_hidden(messages: Sequence[RecordedMessage], tools: Collection[str]) -> None:
    """Raise `RecordError` if an unread part of a message could hold a call that was not read."""
    begun = False
    for message in messages:
        spoken = message.role == "assistant"
        search = HiddenCalls(message.calls, tools)
        for where, rest in message.unknown:
            beside = json_in(message.text, where) if spoken and where == message.where else None
            (search if where == message.where else replace(search, known=())).look({"": beside, **rest}, where)
        begun |= message.role == "user"
        for text in dict.fromkeys((*message.texts, "".join(message.texts))) if begun or spoken else ():
            if spoken:
                search.look(text, message.where)
            elif '"' in text and any(f'"{own}"' in text for own in tools):
                for own in between(text, "tool_call")[0] or (text,):
                    search.look(json_in(own, message.where), message.where)


def named_as_prose(messages: Sequence[RecordedMessage], tools: Collection[str]) -> tuple[str, ...]:
    """Return a sentence for each place at which an assistant's text names a tool and so may hold a call."""
    return tuple(
        f"message {place} names {tool:.40}, which is read as prose"
        for place, message in enumerate(messages)
        if message.role == "assistant"
        for tool in _named_in("\n".join(message.texts), tools)
    )


def _named_in(text: str, tools: Collection[str]) -> list[str]:
    """Return the tools that a text names. A name that is an ordinary word counts only in code."""
    text = text.replace("\\_", "_").replace("~~~", "```").casefold()
    parts = text.split("```")
    inline = [own for around in parts[::2] for own in around.split("`")[1::2]]
    code = "\n".join([*parts[1::2], *inline, *filter(_SIGN_OF_CODE.search, text.splitlines())])

    def stands_in(tool: str, where: str) -> bool:
        name = tool.casefold()
        return name in where and re.search(rf"(?<!\w){re.escape(name)}(?!\w)", where) is not None

    return [own for own in tools if stands_in(own, code if _ORDINARY.fullmatch(own) else text)]


@dataclass(frozen=True, slots=True)
class HiddenCalls:
    """A `HiddenCalls` searches an unread value for calls other than copies of the `known` ones."""

    known: Sequence[WrittenCall]
    tools: Collection[str]
    how: int = LOUD

    def look(self, value: Any, where: str, depth: int = 0) -> None:
        """Raise `RecordError` if a value could hold a call."""
        if depth > _DEEPEST:
            raise RecordError(f"{where}: it is nested too deep to be looked through")
        if isinstance(value, list):
            rest = [own for own in value if not self._names(own)] if self.how >= NAMED else value
            if len(rest) < len(value) and (any(map(_may_be_arguments, rest)) or re.search(r"\d'[],]", str(rest))):
                raise RecordError(f"{where}: it may hold a call, and is not understood")
            for place, own in enumerate(value):
                self.look(own, f"{where}[{place}]", depth + 1)
        elif isinstance(value, dict):
            self._look_into(value, where, depth)
        elif isinstance(value, str):
            if self.how >= LOUD and mark_in(value):
                raise RecordError(f"{where}: a call in a text is not understood")
            whole = json_in(value, where)
            lines = value.splitlines() if whole is None else ()
            for own in (whole, *(json_in(line[line.index('{"') :], where) for line in lines if '{"' in line)):
                self.look(own, where, depth + 1)

    def _look_into(self, value: Mapping[str, Any], where: str, depth: int) -> None:
        schemas = (value.get(key) for key in ("parameters", "input_schema", "inputSchema"))
        if any(isinstance(own, dict) and ("properties" in own or own.get("type") == "object") for own in schemas):
            return  # It declares a tool.
        kinds = {KINDS.get(plain_name(str(value.get(key)))) for key in ("type", "role", "from", "method", "kind")}
        if self.how >= LOUD and "result" in (*kinds, *(KINDS.get(plain_name(str(key))) for key in value)):
            raise RecordError(f"{where}: it may hold a result, and is not understood")
        if "call" in kinds or (self.how >= NAMED and self._looks_like_call(value)):
            self._refuse_unknown(value, where)
            return
        for key, own in value.items():
            name = plain_name(str(key))
            flat = (
                "." in str(key) and any(each in name for each in ("toolcalls", "functioncall")) and isinstance(own, str)
            )
            if flat or (own and name in CALLS and (self.how >= LOUD or key not in ARGUMENTS)):
                for call in listed(own):
                    self._refuse_unknown(call, f"{where}.{key}")
            else:
                self.look(own, f"{where}.{key}", depth + 1)

    def _names(self, value: object) -> bool:
        """Return whether a value is the name of a tool, with or without a namespace."""
        if not isinstance(value, str):
            return False
        return value in self.tools or (
            any(value.endswith(own) and _BEFORE_NAME.fullmatch(value.removesuffix(own)) for own in self.tools)
        )

    def _fields(self, tool: str) -> Mapping[str, Any]:
        """Return the arguments that a tool declares, by name."""
        return self.tools[tool].arguments.fields if isinstance(self.tools, Mapping) and tool in self.tools else {}

    def _looks_like_call(self, value: Mapping[str, Any]) -> bool:
        given = any(map(_may_be_arguments, value.values()))
        pairs = value.items()
        if given and any(self._names(own) or (self._names(key) and _may_be_arguments(own)) for key, own in pairs):
            return True
        if any(isinstance(own, str) and value.keys() & self._fields(own).keys() for own in value.values()):
            return True
        loud = self.how >= LOUD and any(isinstance(value.get(key), str) for key in NAMES)
        return loud and any(key in value for key in ARGUMENTS)

    def _refuse_unknown(self, value: object, where: str) -> None:
        read = RecordedMessage(where, "assistant")
        try:
            read_call(read, value, where)
        except RecordError as error:
            raise RecordError(f"{where}: it may hold a call, and is not understood") from error
        if not {own.key for own in read.calls} <= {own.key for own in self.known}:
            raise RecordError(f"{where}: a call of {read.calls[0].tool:.40} stands where none is read")


def _may_be_arguments(value: object) -> bool:
    listed_ones = isinstance(value, list) and not all(isinstance(own, str) for own in value)
    return listed_ones or isinstance(value, dict) or (isinstance(value, str) and value.lstrip()[:1] == "{")
