"""Look through what was not read of a recorded conversation, and refuse what could hold a call."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from html import unescape
from typing import Any
from unicodedata import normalize
from urllib.parse import unquote

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

QUIET, NAMED, LOUD, SPOKEN = range(4)
"""How calls are known, each way with those before: by a key or a type that calls are written under; by a tool's name
beside an object; by any name beside arguments, and by marks in a text; by a tool's name among signs in a text."""
_DEEPEST, _WORD, _UNSEEN = 24, re.compile(r"[^\W\d_][a-z]{0,99}"), re.compile("[\xad\u200b-\u200f\u2060-\u2064\ufeff]")
# No list of forms is ever whole, so the names of tools are the net, among signs that prose does not have. Repeats have
# bounds, so that a text takes time by its length alone. RARE are names that are no ordinary words.
_NAMED = r"(?:\S{0,80}(?:tool|func)\w{0,9}\W)?EVERY|(?:[\w./:-]{0,80}(?:\.|::|__|/))?(?i:RARE)"
_CALLED = r"""
  <TAG(?=[\s>/])                                                                   # <name>
| (?<!\w)(?i:RARE\(|EVERY(?=\(\w{1,40}\s?=)) | (?:name|(?:tool|func)\w{0,9})[=:]\s?\\?["']EVERY\\?["'](?=\s?[,)}])
| (?:^|\n)(?:\$[ ]EVERY
    | [ \t*_#>-]{0,9}(?:(?i:tool|func)|call|name)\w{0,9}[ ]?[:=][ *_]{0,5}QUOTES EVERY QUOTES(?=[ ]{0,9}\n))
| (?<!\w)EVERY QUOTES(?=[(\[] | \s\(\s{0,9}(?:\w{1,40}\s{0,9}=|["'{\[]))            # name(, name["x"
| (?<!\w)(?<!\w[ \t])EVERY QUOTES(?=[^\w.;!?]{0,9}(?:```\w{0,9}\s{1,9})?(?:{|(?!PROSE)<|\[["'{\[])  # name: {, name <
    | [ \t]{1,9}(?:\\\n\s{0,9})?--?\w | :\d | ["']?\s{0,9},[^{}]{0,60}\{)              # name --lot, "name", "x": {
| (?:=\s{0,3} | [^\s=-]>\s{0,3} | \w(?:\.|::) | (?:^|\s)(?:[/@!]|\$[ ]?) | ["']\s{0,9}:\s{0,9}\\?["'])
    QUOTES RARE(?!PROSE)                                                 # x=name, <x>name, from.name
| \[RARE\] | (?:RARE|/EVERY)(?=\?\w{1,40}=) | \(RARE(?=\s{1,9}["'\d:{(\[])    # name?x=, [name], (name "x"
| (?:^|\n|[:=])[ \t]{0,9}QUOTES RARE QUOTES(?=[ \t]{0,9}\n\W{0,9}[\w ]{1,40}\W{0,3}[:=])  # tool: name\n args:
| (?<!\w)RARE(?=(?>[^\w\n.!?]{1,9}(?:\w[ ])?[\w.-]{0,40}\d[\w-]{0,40}){1,9}+[^\w\n.!?]{0,9}(?:\n|\Z|`)) # name A B-2
| (?<!\w)RARE QUOTES(?=(?:[^\n.;!?=]{0,60}\w)?=["'\w{\[] | [^\n.;!?]{0,60}[:=]\s?\{ # name x=, name by: {
    | :[ \t]{0,9}\n[ \t]{1,9}\w{1,40}:)                                                # name:\n  lot:
"""
_CODE = r"""RARE | (?m:^)[ \t]{0,20}(?:(?:[$>%][ \t])?EVERY[ \t]{1,9}\S{0,40}["'\d=]|EVERY:[ ]{0,9}(?m:$))"""  # In code
_SIGNS = str.maketrans("\u201c\u201d\u201e\u2018\u2019", '"""\'\'')
_LISTED = re.compile(r"(?<![\w?&/-])[\w-]{1,80}(?=\\?[\"']?:(?:\s|$))")  # x: y
_ALONE = r"(?m:^[ \t-]{0,20}\w{1,40}:[ ]{0,3}EVERY[ \t]{0,9}$|^[ \t]{0,20}(?:-[ ]|[ ])EVERY:[ ]{0,9}$)"  # x: name
_KEYS = re.compile(r"""(?<![\w?&/-])[\w-]{1,80}(?=\\?["']\s?:|\s?=)|(?<=--|[ (]:)[\w-]{1,80}""")  # "x":, x=, --x, :x


def refuse_hidden(messages: Sequence[RecordedMessage], tools: Collection[str]) -> None:
    """Raise `RecordError` where what was not read of a message could hold a call that is no copy of its own ones."""
    begun = False
    for message in messages:
        spoken = message.role == "assistant"
        search = HiddenCalls(message.calls, tools, SPOKEN if spoken else LOUD)
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


@lru_cache(256)
def _with_names(pattern: str, tools: tuple[str, ...]) -> re.Pattern[str]:
    rare = [own for own in tools if not _WORD.fullmatch(own)]
    kinds = {"EVERY": tools, "RARE": rare, "TAG": [own for own in tools if own not in KINDS]}
    # A name in an element of HTML with words behind it is a mention.
    names = {"QUOTES": r"[\"'`*\\]{0,4}", "PROSE": r"</\w{1,20}>(?:(?:[^<{\[=:]|</?\w{1,20}>){0,999}\Z|[ ][a-z])"}
    for kind, own in kinds.items():
        names[kind] = f"(?:{'|'.join(map(re.escape, sorted(own, key=len, reverse=True))) or '(?!)'})(?!\\w)"
    return re.compile(re.sub("|".join(names), lambda found: names[found[0]], pattern), re.VERBOSE)


@dataclass(frozen=True, slots=True)
class HiddenCalls:
    """A search for calls, other than copies of the `known` ones, in a value that nobody has read."""

    known: Sequence[WrittenCall]
    tools: Collection[str]
    how: int = LOUD

    def look(self, value: Any, where: str, depth: int = 0) -> None:
        """Raise `RecordError` where a value could hold a call."""
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
            lines = value.splitlines() if whole is None and ("\n" in value or self.how < SPOKEN) else ()
            for own in (whole, *(json_in(line[line.index('{"') :], where) for line in lines if '{"' in line)):
                self.look(own, where, depth + 1)
            is_code = self.how == SPOKEN or (self.how >= NAMED and value.lstrip()[:1] in ("{", "[", "("))
            if is_code and whole is None and (found := self._called_in(value)):
                raise RecordError(f"{where}: a call in a text, at {found.strip():.40}, is not understood")

    def _called_in(self, text: str) -> str | None:
        """Return where the name of a tool stands in a text as in a call, or in a block of code, and not as in prose."""
        text = unescape(unquote(text)).translate(_SIGNS).replace("~~~", "```").replace("\\_", "_")
        text = text if text.isascii() else _UNSEEN.sub("", normalize("NFKC", text))
        small, others = text.lower(), {*self.tools} - {own.tool for own in self.known}
        names = (*sorted(own for own in others if own.lower() in small),)
        if not names:
            return None
        *thoughts, said = text.split("</think")  # Reasoning says nothing; it may have begun in the prompt.
        said = "\n".join((*(own.partition("<think")[0] for own in thoughts if "<think" in own), said))
        code = "".join(own for own in said.split("```")[1::2] if "\n" in own)
        if found := _with_names(_CALLED, names).search(said) or _with_names(_CODE, names).search(code):
            return found[0]
        keys, listed = {own.strip("-") for own in _KEYS.findall(said)}, {*_LISTED.findall(said)}
        known = {own: self._fields(own) for own in _with_names(r"(?<!\w)EVERY", names).findall(said)}
        needed = {own: {key for key, each in fields.items() if each.required} for own, fields in known.items()}
        for own, fields in known.items():
            # A listing for a user has its keys before colons, too, but no name that is no word, or stands alone.
            is_named = (needed[own] and not _WORD.fullmatch(own)) or _with_names(_ALONE, (own,)).search(said)
            if (given := keys | listed if is_named else keys) & fields.keys() and given >= needed[own]:
                return str(own)
        return None

    def _fields(self, tool: str) -> Mapping[str, Any]:
        """Return the arguments that a tool has, by their names."""
        return self.tools[tool].arguments.fields if isinstance(self.tools, Mapping) and tool in self.tools else {}

    def _look_into(self, value: Mapping[str, Any], where: str, depth: int) -> None:
        schemas = (value.get(key) for key in ("parameters", "input_schema", "inputSchema"))
        if any(isinstance(own, dict) and ("properties" in own or own.get("type") == "object") for own in schemas):
            return  # It declares a tool, and calls none.
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
                thought = "silent" in kinds or name.startswith(("think", "thought", "reason"))
                (replace(self, how=min(self.how, LOUD)) if thought else self).look(own, f"{where}.{key}", depth + 1)

    def _names(self, value: object) -> bool:
        """Return whether a value is the name of a tool, maybe with where it is from."""
        return isinstance(value, str) and _with_names(_NAMED, (*self.tools,)).fullmatch(value) is not None

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
