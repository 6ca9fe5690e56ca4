"""Find the JSON in a model's text, in one pass of linear time that never raises.

Models write prose around JSON, use Python's quotes, leave trailing commas or put bullets before keys. They also leave
brackets open. So each opening bracket begins a *frame*. A frame that cannot be JSON is *spoiled*, and the rest of it
counts as prose. The scan still finds each object or array that is complete inside of a spoiled or unclosed frame.
Quotes matter only when a frame expects a key or a value, so apostrophes in prose do no harm.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import Any

Json = Any

# A deeper frame spoils the outermost one, which bounds time and memory for a text of brackets.
MAX_DEPTH = 64
MOST_CHARACTERS = 100_000
"""The scan reads only the last lines of a longer text, which takes at most a second."""

# Longer numbers stay texts, since their conversion takes more than linear time.
_LONGEST_INTEGER = 18
_LONGEST_NUMBER = 40

_WORDS: dict[str, bool | None] = {"true": True, "false": False, "null": None, "none": None}
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}

# Possessive quantifiers (`*+`) never backtrack, so a pattern that fails has read its text only once.
# A string ends on its line. A quote without a partner on its line makes the pattern fail and spoils the frame. No
# later match on the same line can fail in the same way.
_TEXT = r""""(?:[^"\\\n]++|\\.)*+"|'(?:[^'\\\n]++|\\.)*+'"""
_BARE = r"""(?![-*•]\s)[^\s,:{}\[\]"'/]++"""
_BRACKET = r"(?P<bracket>[{}\[\]])"
# The patterns for the next token of a frame; outside of frames and in spoiled ones only brackets matter.
_KEY = re.compile(rf"\s*+(?:(?P<key>{_TEXT}|{_BARE})\s*+:|{_BRACKET})")
_VALUE = re.compile(rf"\s*+(?:(?P<text>{_TEXT})|(?P<bare>{_BARE})|{_BRACKET})")
_COMMA = re.compile(rf"\s*+(?:(?P<comma>,)|{_BRACKET})")
_PROSE = re.compile(rf"[^{{}}\[\]]*+{_BRACKET}")
# Comments and list bullets between tokens are skipped.
_NOISE = re.compile(r"(?:\s*+(?://[^\n]*+|[-*•](?=\s)))++")

_INTEGER = re.compile(r"[-+]?[0-9]+")
_NUMBER = re.compile(r"[-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?")
_NOT_FINITE = re.compile(r"[-+]?(?:nan|inf|infinity)", re.IGNORECASE)
_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|(.))")
_SURROGATE = re.compile("[\ud800-\udfff]")
_TAG = re.compile("(</?think>)", re.ASCII | re.IGNORECASE)


class JsonObject(dict[str, Json]):
    """A `JsonObject` is a dict with the last value of each key; `members` has all members in order."""

    __slots__ = ("members",)

    def __init__(self, members: Iterable[tuple[str, Json]]) -> None:
        self.members = tuple(members)
        super().__init__(self.members)


def _whole(digits: str) -> int | str:
    return int(digits) if len(digits) <= _LONGEST_INTEGER else digits


def _scalar(chunk: str) -> Json:
    if _INTEGER.fullmatch(chunk):
        return _whole(chunk)
    if len(chunk) <= _LONGEST_NUMBER and (_NUMBER.fullmatch(chunk) or _NOT_FINITE.fullmatch(chunk)):
        return float(chunk)
    return _WORDS.get(chunk.lower(), chunk)


_DECODER = json.JSONDecoder(object_pairs_hook=JsonObject, parse_int=_whole, parse_float=_scalar, parse_constant=_scalar)


def objects(text: str) -> list[JsonObject | list[Json]]:
    """Return every complete outermost object or array in a text, in the order of their ends.

    Objects are `JsonObject`s and arrays are lists, at most `MAX_DEPTH` deep. Unquoted words are texts, except true,
    false, null and None in any case. NaN and infinities are floats, and very long numbers are texts.
    """
    # Python's decoder is ten times faster than the scan and mostly suffices. Only the scan joins the two halves of an
    # escaped surrogate pair; else the results are the same.
    whole = None if "\\u" in text else exact(text)
    return [whole] if whole is not None else _scan(_last_lines(text))


def exact(text: str) -> JsonObject | list[Json] | None:
    """Return the JSON value from the first to the last bracket of a text, or None if it is not strict JSON.

    The result is also None if the text may be nested deeper than `MAX_DEPTH`. Numbers are as in `objects`.
    """
    brackets = text.count("{") + text.count("[")
    if not 0 < brackets <= MAX_DEPTH:  # So few brackets cannot be nested deeper.
        return None
    start = min(at for at in (text.find("{"), text.find("[")) if at >= 0)
    end = max(text.rfind("}"), text.rfind("]")) + 1
    try:
        found: JsonObject | list[Json] = _DECODER.decode(text[start:end])
    except ValueError:
        return None
    return found


def _scan(text: str) -> list[JsonObject | list[Json]]:
    scan = _Scan()
    position = 0
    while position < len(text):
        frame = scan.stack[-1] if scan.stack else None
        expects = _PROSE if frame is None else frame.expects
        match = expects.match(text, position)
        if match is not None:
            position = match.end()
            scan.take(frame, match)
        elif frame is None or expects is _PROSE:
            break
        elif (noise := _NOISE.match(text, position)) is not None:
            position = noise.end()
        else:
            scan.spoil(frame)
    return scan.finish()


def unread(text: str) -> str | None:
    """Return the reason why the scan reads only a part of a text, or None."""
    if len(text) <= MOST_CHARACTERS:
        return None
    return f"the text is longer than {MOST_CHARACTERS:,} characters, so only its last lines are read"


def _last_lines(text: str) -> str:
    """Return the text, or as many of its last lines as are within the limit.

    A string ends on its line, so the last lines are read as they would be within the whole text. If a single line is
    too long, its end is read.
    """
    if unread(text) is None:
        return text
    last = text[-MOST_CHARACTERS:]
    return last[last.find("\n") + 1 :]


def strip_thinking(text: str) -> str:
    """Return a text without thinking: `<think>` up to `</think>` or the end, and all before a single `</think>`."""
    kept: list[str] = []
    thinking = False
    for number, piece in enumerate(_TAG.split(text)):
        is_tag = number % 2 == 1
        if is_tag and piece.startswith("</"):
            kept = kept if thinking else []
            thinking = False
        elif is_tag:
            thinking = True
        elif not thinking:
            kept.append(piece)
    return "".join(kept)


class _Frame:
    """A `_Frame` is an open bracket, with its items so far and the pattern of the next token.

    `inner` has the objects and arrays among the items, with the positions of their ends. These inner values become
    results if the frame is spoiled.
    """

    __slots__ = ("closer", "expects", "inner", "items", "key")

    def __init__(self, opener: str) -> None:
        self.closer = "}" if opener == "{" else "]"
        self.expects = _KEY if opener == "{" else _VALUE
        self.key = ""
        self.items: list[Json] = []
        self.inner: list[tuple[int, JsonObject | list[Json]]] = []

    def add(self, value: Json) -> None:
        self.items.append((self.key, value) if self.closer == "}" else value)
        self.expects = _COMMA


class _Scan:
    """A `_Scan` has the open frames, the innermost last, and the values found so far, with their ends."""

    __slots__ = ("found", "stack")

    def __init__(self) -> None:
        self.stack: list[_Frame] = []
        self.found: list[tuple[int, JsonObject | list[Json]]] = []

    def take(self, frame: _Frame | None, match: re.Match[str]) -> None:
        """Process the last token of `match`."""
        kind = match.lastgroup
        token = match[match.lastindex or 0]
        if kind == "bracket":
            if token in "{[":
                self.open(frame, token)
            elif frame is not None:
                self.close(frame, token, match.end())
        elif frame is None:
            return
        elif kind == "key":
            frame.key = _unquote(token) if token[0] in "\"'" else token
            frame.expects = _VALUE
        elif kind == "text":
            frame.add(_unquote(token))
        elif kind == "bare":
            frame.add(_scalar(token))
        else:
            frame.expects = _KEY if frame.closer == "}" else _VALUE

    def open(self, frame: _Frame | None, bracket: str) -> None:
        if frame is not None and frame.expects is not _VALUE:
            self.spoil(frame)
        if len(self.stack) == MAX_DEPTH:
            self.spoil(self.stack.pop(0))
        self.stack.append(_Frame(bracket))

    def close(self, frame: _Frame, bracket: str, end: int) -> None:
        if bracket != frame.closer:
            # The frame stays open, since no frame below it could be complete either.
            self.spoil(frame)
            return
        self.stack.pop()
        parent = self.stack[-1] if self.stack else None
        is_object = bracket == "}"
        if frame.expects is _PROSE or (is_object and frame.expects is _VALUE):
            self.spoil(frame)
            if parent is not None:
                self.spoil(parent)
            return
        value = JsonObject(frame.items) if is_object else frame.items
        if parent is not None and parent.expects is _VALUE:
            parent.add(value)
            parent.inner.append((end, value))
        else:
            self.found.append((end, value))

    def spoil(self, frame: _Frame) -> None:
        """Treat the rest of a frame as prose, and add its complete inner values to the result."""
        frame.expects = _PROSE
        self.found += frame.inner
        frame.inner, frame.items = [], []

    def finish(self) -> list[JsonObject | list[Json]]:
        for frame in self.stack:
            self.found += frame.inner
        self.found.sort(key=lambda found: found[0])
        return [value for _, value in self.found]


def _unquote(quoted: str) -> str:
    inner = quoted[1:-1]
    if "\\" not in inner:
        return inner
    out = _ESCAPE.sub(_unescape, inner)
    if _SURROGATE.search(out):
        # Two \u escapes may be the halves of one character; a single half cannot be written to a file.
        out = out.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return out


def _unescape(escape: re.Match[str]) -> str:
    code, letter = escape.groups()
    return chr(int(code, 16)) if code else _ESCAPES.get(letter, letter)
