"""Text to tokens."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from holdtrue.logic.smtlib.limits import ReadLimits
from holdtrue.logic.smtlib.source import Source, shown
from holdtrue.logic.smtlib.symbols import SIMPLE_CHARACTERS, symbol_fault


class Token(NamedTuple):
    """One token: `open`, `close`, `symbol`, `keyword`, `numeral`, `decimal` or `string`.

    `text` of a symbol is without its bars, `at` its offset. A tuple, because there are many.
    """

    kind: str
    text: str
    at: int


# Possessive throughout: a token is taken whole or not at all, whatever follows, in linear time.
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
    """The tokens in order, without space and comments. Raises `SmtLibError` at what is none."""
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
                    raise source.fault(at, f"{shown(found)}: {fault}")
                yield Token("symbol", found[1:-1], at)
            case str() as kind if kind != "space":
                yield Token(kind, found, at)
        at += len(found)


def _number(source: Source, text: str, at: int, limits: ReadLimits) -> Token:
    if len(text) > limits.max_digits:
        # Also: reading a number costs time quadratic in its length, and Python refuses very long ones.
        raise source.fault(at, f"a number of {len(text)} characters; the limit is {limits.max_digits}")
    if _NUMERAL.fullmatch(text):
        return Token("numeral", text, at)
    if _DECIMAL.fullmatch(text):
        return Token("decimal", text, at)
    raise source.fault(at, f"{shown(text)} is neither a number (12, 1.5; no leading zeros) nor a symbol")


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
