"""Parse text into nested lists (S-expressions) within limits, without recursion; errors have their place."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from holdtrue.errors import SettingsError, SmtLibError
from holdtrue.logic.smtlib.symbols import SIMPLE_CHARACTERS, symbol_fault

DEEPEST = 250
"""The greatest depth of a text, since recursive functions walk terms and Python allows a thousand calls."""


@dataclass(frozen=True, slots=True)
class ReadLimits:
    """A `ReadLimits` has the limits of one text.

    Attributes:
        max_bytes: The bytes of the text in UTF-8.
        max_depth: The depth of parentheses, with definitions expanded.
        max_nodes: The number of atoms and lists.
        max_commands: The number of commands.
        max_digits: The characters of one number.
    """

    max_bytes: int = 1_000_000
    max_depth: int = 200
    max_nodes: int = 200_000
    max_commands: int = 10_000
    max_digits: int = 100

    def __post_init__(self) -> None:
        if self.max_depth > DEEPEST:
            raise SettingsError(f"SMT-LIB text may be nested {DEEPEST} deep at most, not {self.max_depth}")


class Source:
    """A `Source` is a text that turns offsets into lines and columns."""

    def __init__(self, text: str) -> None:
        self.text = text

    @cached_property
    def _starts(self) -> list[int]:
        return [0, *(newline.end() for newline in re.finditer("\n", self.text))]

    def place(self, at: int) -> tuple[int, int]:
        """Return the line and column, both from 1, of an offset."""
        line = bisect_right(self._starts, at)
        return line, at - self._starts[line - 1] + 1

    def fault(self, at: int, message: str) -> SmtLibError:
        """Return the error for the text at an offset."""
        return SmtLibError(*self.place(at), message)


def excerpt(text: str) -> str:
    """Return a text for a message, cut and with control characters escaped."""
    return repr(text if len(text) <= 60 else text[:57] + "...")


class Token(NamedTuple):
    """A `Token` has a kind: `open`, `close`, `symbol`, `keyword`, `numeral`, `decimal` or `string`.

    The `text` of a symbol has no bars, and `at` is the offset of the token.
    """

    kind: str
    text: str
    at: int


# Possessive quantifiers never backtrack, so that this takes linear time.
_TOKEN = re.compile(
    rf"""
      (?P<space> [ \t\r\n]++ | ;[^\r\n]*+ )
    | (?P<open> \( )
    | (?P<close> \) )
    | (?P<number> [0-9][{SIMPLE_CHARACTERS}]*+ )
    | (?P<symbol> [{SIMPLE_CHARACTERS}]++ )
    | (?P<quoted> \|[^|\r\n]*+\| )
    | (?P<keyword> :[{SIMPLE_CHARACTERS}]++ )
    | (?P<string> "(?:[^"]++|"")*+" )
    """,
    re.VERBOSE,
)
_NUMERAL = re.compile(r"0|[1-9][0-9]*")
_DECIMAL = re.compile(r"(?:0|[1-9][0-9]*)\.[0-9]+")


def tokens(source: Source, limits: ReadLimits) -> Iterator[Token]:
    """Yield the tokens in order, without spaces and comments. Raises `SmtLibError` for a text that is not a token."""
    text, end, at = source.text, len(source.text), 0
    while at < end:
        match = _TOKEN.match(text, at)
        if match is None:
            raise source.fault(at, _why_none(text[at]))
        found = match[0]
        match match.lastgroup:
            case "number":
                yield _number(source, found, at, limits)
            case "quoted":
                fault = symbol_fault(found[1:-1])
                if fault is not None:
                    raise source.fault(at, f"{excerpt(found)}: {fault}")
                yield Token("symbol", found[1:-1], at)
            case str() as kind if kind != "space":
                yield Token(kind, found, at)
        at += len(found)


def _number(source: Source, text: str, at: int, limits: ReadLimits) -> Token:
    if len(text) > limits.max_digits:
        # The conversion of a number takes quadratic time, and Python refuses very long ones.
        raise source.fault(at, f"a number of {len(text)} characters; the limit is {limits.max_digits}")
    if _NUMERAL.fullmatch(text):
        return Token("numeral", text, at)
    if _DECIMAL.fullmatch(text):
        return Token("decimal", text, at)
    raise source.fault(at, f"{excerpt(text)} is neither a number (12, 1.5; no leading zeros) nor a symbol")


def _why_none(character: str) -> str:
    match character:
        case "|":
            return "a quoted symbol does not end on the line where it begins"
        case '"':
            return "a string does not end"
        case "#":
            return "hexadecimal and binary literals are not supported"
        case ":":
            return "a colon without a keyword"
    if character.isascii() or not character.isprintable():
        return f"the character U+{ord(character):04X} cannot stand here"
    return f"{character!r} (U+{ord(character):04X}) can stand in a symbol between bars only, as in |{character}|"


class Group(NamedTuple):
    """A `Group` is a list in parentheses; `at` is the offset of the opening one."""

    items: list[Token | Group]
    at: int


SExpr = Token | Group


def read_sexprs(source: Source, limits: ReadLimits) -> list[SExpr]:
    """Return the expressions at the top level. Raises `SmtLibError`, also if a limit is exceeded."""
    _check_size(source, limits)
    top: list[SExpr] = []
    groups: list[Group] = []
    items = top
    nodes = 0
    for token in tokens(source, limits):
        if token.kind == "close":
            if not groups:
                raise source.fault(token.at, "a closing parenthesis without an opening one")
            groups.pop()
            items = groups[-1].items if groups else top
            continue
        nodes += 1
        if nodes > limits.max_nodes:
            raise source.fault(token.at, f"more than {limits.max_nodes} atoms and lists")
        if token.kind != "open":
            items.append(token)
            continue
        if len(groups) == limits.max_depth:
            raise source.fault(token.at, f"parentheses nested more than {limits.max_depth} deep")
        group = Group([], token.at)
        items.append(group)
        groups.append(group)
        items = group.items
    if groups:
        raise source.fault(groups[0].at, "a parenthesis that is never closed")
    return top


def _check_size(source: Source, limits: ReadLimits) -> None:
    text, limit = source.text, limits.max_bytes
    # The number of characters never exceeds that of bytes, so that a huge text need not be encoded.
    if len(text) > limit or len(text.encode("utf-8", "surrogatepass")) > limit:
        raise source.fault(min(len(text), limit), f"the text is longer than {limit} bytes")
