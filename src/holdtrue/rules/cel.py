"""Read and write expressions in CEL's syntax.

Decimals are exact. Unsigned numbers, bytes and messages are refused.
Source of the grammar: CEL specification, "Syntax" (github.com/google/cel-spec).

>>> write_cel(read_cel("size(call.bags) <= 2 && call.cabin in ['economy']"))
"size(call.bags) <= 2 && call.cabin in ['economy']"
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from holdtrue.logic.value_sorts import decimal_places, decimal_text
from holdtrue.rules.syntax import (
    DEEPEST,
    Constant,
    Entries,
    Expression,
    Ident,
    Index,
    Invoke,
    Items,
    Place,
    RuleError,
    Select,
    parts,
)

LONGEST = 20_000
"""The greatest number of characters of an expression."""
LONGEST_NUMBER = 400
"""The greatest number of digits of a number, and its greatest exponent."""
_RESERVED = frozenset(
    "as break const continue else for function if import let loop package namespace return var void while".split()
)
_LITERALS = {"true": True, "false": False, "null": None}
_KEYWORDS = frozenset((*_LITERALS, "in"))
_BINARY = (frozenset(("<", "<=", ">", ">=", "==", "!=", "in")), frozenset("+-"), frozenset("*/%"))
"""The binary operators by precedence, the weakest first."""


def read_cel(text: str, at: Place | None = None) -> Expression:
    """Return the expression of a text. Raises `RuleError`, with the place, for a text that is not an expression.

    `at` is the place of the text's first character in its file.
    """
    start = at or Place(1, 1)
    if len(text) > LONGEST:
        raise RuleError(f"the expression has {len(text):,} characters, over {LONGEST:,}", start)
    if not text.strip():
        raise RuleError("the expression is empty", start)
    expression = _Parser(_Source(text, start)).whole()
    stack = [(expression, 0)]
    while stack:
        own, depth = stack.pop()
        if depth > 2 * DEEPEST:
            raise RuleError(f"the expression is nested deeper than {2 * DEEPEST}", own.place)
        stack += ((part, depth + 1) for part in parts(own))
    return expression


class _Source:
    """A `_Source` is a text whose first character is at a place of a file."""

    def __init__(self, text: str, start: Place) -> None:
        self.text, self._start = text, start
        self._lines = (0, *(match.end() for match in re.finditer("\n", text)))

    def place(self, offset: int) -> Place:
        """Return the place of the character at an offset, which counts from 0."""
        row = bisect_right(self._lines, offset) - 1
        column = offset - self._lines[row] + 1
        return Place(self._start.line + row, column + (self._start.column - 1 if row == 0 else 0))

    def unexpected(self, offset: int) -> RuleError:
        """Return the error for an unexpected token at an offset."""
        rest = self.text[offset:].split("\n", 1)[0].strip()
        near = repr(rest[:30]) if rest else "end"
        hint = (
            "; a name with other letters goes in backticks: call.`größe`"
            if rest[:1].isalpha() and not rest[0].isascii()
            else ""
        )
        return RuleError(f"no CEL expression: unexpected {near}{hint}", self.place(offset))


# Tokens

_LONG = r"'''(?:[^\\]|\\.)*?'''|\"\"\"(?:[^\\]|\\.)*?\"\"\""
_SHORT = r"'(?:[^'\\\n\r]|\\[^\n\r])*'|\"(?:[^\"\\\n\r]|\\[^\n\r])*\""
_RAW = r"'''.*?'''|\"\"\".*?\"\"\"|'[^'\n\r]*'|\"[^\"\n\r]*\""
_TOKEN = re.compile(
    rf"""
    (?P<blank>[\t\n\f\r\ ]+|//[^\n]*)
  | (?P<text>(?:[bB]?[rR]|[rR][bB])(?:{_RAW})|[bB]?(?:{_LONG}|{_SHORT}))
  | (?P<number>0x[0-9a-fA-F]+[uU]?|(?:[0-9]*\.)?[0-9]+(?:[eE][+-]?[0-9]+)?[uU]?)
  | (?P<word>[_a-zA-Z][_a-zA-Z0-9]*)
  | (?P<quoted>`[^`\n\r]+`)
  | (?P<sign>&&|\|\||[<>=!]=|[-+*/%<>!?:.,()\[\]{{}}])
    """,
    re.VERBOSE | re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class _Token:
    kind: Literal["text", "number", "word", "quoted", "sign", "end"]
    text: str
    offset: int


def _tokens(source: _Source) -> Iterator[_Token]:
    """Yield the tokens of a text, and an end token. Raises `RuleError` for a text that is not a token of CEL."""
    offset, depth, before = 0, 0, ""
    while offset < len(source.text):
        match = _TOKEN.match(source.text, offset)
        if match is None:
            raise source.unexpected(offset)
        token = _Token(match.lastgroup, match[0], offset)  # type: ignore[arg-type]
        offset = match.end()
        if match.lastgroup == "blank":
            continue
        text, place = token.text, source.place(token.offset)
        if token.kind == "word" and text in _KEYWORDS and before == ".":
            raise RuleError(f"{text} is a word of CEL, and no name of a field: write ['{text}']", place)
        if token.kind == "word" and text in _RESERVED and before != ".":
            raise RuleError(f"{text} is a reserved word of CEL", place)
        if token.kind == "quoted" and before != ".":
            raise RuleError(f"{text} names no field: write it after a point", place)
        if token.kind == "sign":
            depth += (text in "([{") - (text in ")]}")
        if depth > DEEPEST:
            raise RuleError(f"the expression is nested deeper than {DEEPEST}", place)
        yield token
        before = text
    yield _Token("end", "", len(source.text))


def _number(token: str, place: Place) -> int | Fraction:
    """Return the number of a token: a `Fraction` if it has a point or an exponent, and else an int."""
    if token[-1] in "uU":
        raise RuleError(f"{token[:40]} is a value that rules do not have: numbers have a sign", place)
    digits, _, exponent = token.lower().partition("e") if token[:2] != "0x" else (token, "", "")
    if len(digits) > LONGEST_NUMBER or len(exponent) > 5 or abs(int(exponent or 0)) > LONGEST_NUMBER:
        raise RuleError(f"a number has over {LONGEST_NUMBER} digits", place)
    if token[:2] == "0x":
        return int(token, 16)
    return int(token) if token.isdigit() else Fraction(token)


_ESCAPE = re.compile(r"\\(?:[xX]([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([0-3][0-7]{2})|(.))", re.DOTALL)
_PLAIN = {"a": "\a", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v"}


def _unquoted(text: str, place: Place) -> str:
    """Return the text of a CEL string literal."""
    prefix = text[: min(text.find(quote) for quote in "'\"" if quote in text)].lower()
    if "b" in prefix:
        raise RuleError(f"{text[:40]} is a value that rules do not have: bytes", place)
    body = text[len(prefix) :]
    quotes = 3 if len(body) > 5 and body[:3] in ('"""', "'''") else 1
    inner = body[quotes:-quotes]
    if quotes == 3:
        inner = inner.replace("\r\n", "\n").replace("\r", "\n")
    if prefix:
        return inner

    def character(match: re.Match[str]) -> str:
        code = match[1] or match[2] or match[3]
        if code:
            return _character(int(code, 16), place)
        if match[4]:
            return chr(int(match[4], 8))
        if match[5] in _PLAIN:
            return _PLAIN[match[5]]
        if match[5] in "\\?\"'`":
            return match[5]
        raise RuleError(f"no escape of CEL: \\{match[5]}", place)

    return _ESCAPE.sub(character, inner)


def _character(code: int, place: Place) -> str:
    if code > 0x10FFFF or 0xD800 <= code <= 0xDFFF:
        raise RuleError(f"there is no character U+{code:X}", place)
    return chr(code)


# The grammar


class _Parser:
    """A `_Parser` is a recursive descent parser in which each method reads one rule of the grammar."""

    def __init__(self, source: _Source) -> None:
        self._source = source
        self._tokens = list(_tokens(source))
        self._at = 0

    @property
    def _next(self) -> _Token:
        return self._tokens[self._at]

    @property
    def _place(self) -> Place:
        return self._source.place(self._next.offset)

    def _take(self) -> _Token:
        self._at += 1
        return self._tokens[self._at - 1]

    def _sees(self, *signs: str) -> bool:
        return self._next.text in signs and self._next.kind in ("sign", "word")

    def _skip(self, sign: str) -> bool:
        """Consume the next token if it is this sign, and return whether it was."""
        found = self._sees(sign)
        self._at += found
        return found

    def _expect(self, sign: str) -> None:
        if not self._skip(sign):
            raise self._unexpected()

    def _unexpected(self) -> RuleError:
        return self._source.unexpected(self._next.offset)

    def whole(self) -> Expression:
        found = self._expression()
        if self._next.kind != "end":
            raise self._unexpected()
        return found

    def _expression(self) -> Expression:
        """Read a chain of conditional expressions by a loop, so that a long chain needs no deep recursion."""
        choices: list[tuple[Expression, Expression, Place]] = []
        while True:
            place, found = self._place, self._any()
            if not self._skip("?"):
                break
            choices.append((found, self._any(), place))
            self._expect(":")
        for condition, then, place in reversed(choices):
            found = Invoke("?:", (condition, then, found), None, place)
        return found

    def _any(self) -> Expression:
        return self._chain("||", lambda: self._chain("&&", lambda: self._binary(0)))

    def _chain(self, sign: str, operand: Callable[[], Expression]) -> Expression:
        """Read a chain of one connective as a single node with many arguments, so that it is not deep."""
        place, found = self._place, [operand()]
        while self._skip(sign):
            found.append(operand())
        return found[0] if len(found) == 1 else Invoke(sign, tuple(found), None, place)

    def _binary(self, strength: int) -> Expression:
        if strength == len(_BINARY):
            return self._unary()
        found = self._binary(strength + 1)
        while self._sees(*_BINARY[strength]):
            sign, place = self._take().text, self._place
            found = Invoke(sign, (found, self._binary(strength + 1)), None, place)
        return found

    def _unary(self) -> Expression:
        signs = []
        while self._sees("!", "-"):
            signs.append(self._take())
        in_brackets, found = self._sees("("), self._member()
        for sign in reversed(signs):
            place = self._source.place(sign.offset)
            number = isinstance(found, Constant) and type(found.value) in (int, Fraction)
            if sign.text == "-" and number and not in_brackets:
                found = Constant(-found.value, place)  # type: ignore[union-attr,operator]
            else:
                found = Invoke(sign.text, (found,), None, place)
        return found

    def _member(self) -> Expression:
        start, is_number = self._place, self._next.kind == "number"
        found = self._primary()
        while True:
            if self._sees("{"):
                raise RuleError("messages cannot be written in rules; write a map: {'field': value}", start)
            if self._skip("["):
                place = self._place
                found = Index(found, self._expression(), place)
                self._expect("]")
            elif self._sees(".") and not is_number:
                self._take()
                found = self._named(found)
            else:
                return found
            is_number = False

    def _named(self, of: Expression) -> Expression:
        """Read a field or a method call after a point."""
        place, token = self._place, self._next
        if token.kind not in ("word", "quoted"):
            raise self._unexpected()
        self._take()
        if not self._skip("("):
            return Select(of, token.text.strip("`"), place)
        if token.kind == "quoted":
            raise RuleError("the name of a function stands in no backticks", place)
        return Invoke(token.text, self._several(")", may_end=False), of, place)

    def _primary(self) -> Expression:
        if self._next.kind == "sign" and self._skip("."):
            return self._name()
        place, token = self._place, self._next
        match token.kind:
            case "text":
                self._take()
                return Constant(_unquoted(token.text, place), place)
            case "number":
                self._take()
                return Constant(_number(token.text, place), place)
            case "word":
                return self._name()
        if self._skip("("):
            found = self._expression()
            self._expect(")")
            return found
        if self._skip("["):
            return Items(self._several("]", may_end=True), place)
        if self._skip("{"):
            return self._map(place)
        raise self._unexpected()

    def _name(self) -> Expression:
        place, token = self._place, self._next
        if token.kind != "word" or token.text == "in":
            raise self._unexpected()
        self._take()
        if token.text in _LITERALS:
            return Constant(_LITERALS[token.text], place)
        if self._skip("("):
            return Invoke(token.text, self._several(")", may_end=False), None, place)
        return Ident(token.text, place)

    def _several(self, end: str, *, may_end: bool) -> tuple[Expression, ...]:
        """Read expressions between commas; `may_end` allows a comma after the last one."""
        found: list[Expression] = []
        while not ((not found or may_end) and self._skip(end)):
            found.append(self._expression())
            if not self._skip(","):
                self._expect(end)
                break
        return tuple(found)

    def _map(self, place: Place) -> Expression:
        found: list[tuple[Expression, Expression]] = []
        while not self._skip("}"):
            key = self._expression()
            self._expect(":")
            found.append((key, self._expression()))
            if not self._skip(","):
                self._expect("}")
                break
        return Entries(tuple(found), place)


# Writing

_STRENGTH = {"?:": 1, "||": 2, "&&": 3, "<": 4, "<=": 4, ">": 4, ">=": 4, "==": 4, "!=": 4, "in": 4}
_STRENGTH |= {"+": 5, "-": 5, "*": 6, "/": 6, "%": 6, "!": 7}
_MEMBER = 8
_IDENTIFIER = re.compile(r"[_a-zA-Z][_a-zA-Z0-9]*")
_QUOTABLE = re.compile(r"[^`\n\r]+")


def write_cel(node: Expression) -> str:
    """Return CEL text that `read_cel` reads as the same expression.

    Raises `RuleError` for a name or a number that CEL cannot write.
    """
    return _written(node, 0)


def _written(node: Expression, around: int) -> str:
    match node:
        case Constant(value):
            return _constant(value, around)
        case Ident(name):
            return _name(name, _RESERVED | _KEYWORDS)
        case Select(of, name):
            return f"{_written(of, _MEMBER)}.{_field(name)}"
        case Index(of, key):
            return f"{_written(of, _MEMBER)}[{_written(key, 0)}]"
        case Items(items):
            return f"[{', '.join(_written(own, 0) for own in items)}]"
        case Entries(entries):
            return "{" + ", ".join(f"{_written(key, 0)}: {_written(own, 0)}" for key, own in entries) + "}"
        case Invoke(name, args, target):
            if name in _STRENGTH:
                return _operation(name, args, around)
            listed = ", ".join(_written(own, 0) for own in args)
            if target is None:
                return f"{_name(name, _RESERVED | _KEYWORDS)}({listed})"
            return f"{_written(target, _MEMBER)}.{_name(name, _KEYWORDS)}({listed})"
    raise TypeError(f"no expression: {node!r}")


def _name(name: str, words: frozenset[str]) -> str:
    if not _IDENTIFIER.fullmatch(name) or name in words:
        raise RuleError(f"{name!r:.60} is no name in CEL")
    return name


def _field(name: str) -> str:
    if _IDENTIFIER.fullmatch(name) and name not in _KEYWORDS:
        return name
    if not _QUOTABLE.fullmatch(name):
        raise RuleError(f"{name!r:.60} is no name in CEL")
    return f"`{name}`"


def _operation(name: str, args: tuple[Expression, ...], around: int) -> str:
    strength = 7 if len(args) == 1 else _STRENGTH[name]
    if name == "?:":
        condition, then, otherwise = args
        text = f"{_written(condition, 2)} ? {_written(then, 2)} : {_written(otherwise, 1)}"
    elif len(args) == 1:
        text = name + _written(args[0], 7 if name == "!" else _MEMBER)
    elif name in ("&&", "||"):
        text = f" {name} ".join(_written(own, strength + 1) for own in args)
    else:
        left, right = args
        text = f"{_written(left, strength)} {name} {_written(right, strength + 1)}"
    return f"({text})" if strength < around else text


def _constant(value: bool | int | Fraction | str | None, around: int) -> str:
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, str):
        return "'" + "".join(_ESCAPED.get(own, own) for own in value) + "'"
    text = str(value)
    if isinstance(value, Fraction):
        places = decimal_places(value)
        if places is None or places > LONGEST_NUMBER:
            raise RuleError(f"{value} is no decimal")
        text = decimal_text(value, max(places, 1))
    return f"({text})" if (value < 0 and around) or around == _MEMBER else text


_ESCAPED = {"\\": "\\\\", "'": "\\'", "\n": "\\n", "\r": "\\r", "\t": "\\t"}
