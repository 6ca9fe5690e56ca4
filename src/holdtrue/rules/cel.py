"""Read and write expressions in CEL's syntax.

The parser is cel-python's, which gives a tree; nothing of an expression is ever evaluated by it. Before it come our own
tokens: texts and names in backticks are read here, and stand as blanks of their length in what is parsed, so that the
parser sees no text, however odd. Decimals are exact; unsigned numbers, bytes and messages are refused.

>>> write_cel(read_cel("size(call.bags) <= 2 && call.cabin in ['economy']"))
"size(call.bags) <= 2 && call.cabin in ['economy']"
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING, Any

from holdtrue.extras import need
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
)
from holdtrue.rules.values import decimal_places

if TYPE_CHECKING:
    from lark import Token, Tree

LONGEST = 20_000
"""An expression may have so many characters."""
LONGEST_NUMBER = 400
"""A number may be written with so many digits, and its exponent may be so large."""
_BINARY = {
    "relation_lt": "<",
    "relation_le": "<=",
    "relation_gt": ">",
    "relation_ge": ">=",
    "relation_eq": "==",
    "relation_ne": "!=",
    "relation_in": "in",
    "addition_add": "+",
    "addition_sub": "-",
    "multiplication_mul": "*",
    "multiplication_div": "/",
    "multiplication_mod": "%",
}
_SIGNS = {"unary_not": "!", "unary_neg": "-"}
_CHAINS = {"conditionalor": "||", "conditionaland": "&&"}
_WRAPPERS = frozenset(
    "expr conditionalor conditionaland relation addition multiplication unary member primary paren_expr".split()
)
"""Grammar rules that say nothing of their own where they have a single part."""
_RESERVED = frozenset(
    "as break const continue else for function if import let loop package namespace return var void while".split()
)
_KEYWORDS = frozenset("true false null in".split())


def read_cel(text: str, at: Place | None = None) -> Expression:
    """Return the expression that a text says.

    `at` is the place of the text's first character in its file. Raises `RuleError`, with the place, for a text that is
    no expression.
    """
    start = at or Place(1, 1)
    if len(text) > LONGEST:
        raise RuleError(f"the expression has {len(text):,} characters, over {LONGEST:,}", start)
    if not text.strip():
        raise RuleError("the expression is empty", start)
    scanned = _Scanner(text, start).scan()
    parse, failed, broken = _parser()
    try:
        tree = parse(scanned.clean)
    except failed as error:
        offset = _offset_of(error.__context__, len(text))
        raise RuleError(f"no CEL expression: unexpected {scanned.near(offset)}", scanned.place(offset)) from error
    except broken as error:
        raise RuleError(f"no CEL expression: {error}", start) from error
    return _Reader(scanned).read(tree, 0)


@cache
def _parser() -> tuple[Any, type[Any], type[Exception]]:
    need("Rules in CEL's syntax", "celpy")
    from celpy.celparser import CELParseError, CELParser
    from lark.exceptions import LarkError

    return CELParser().parse, CELParseError, LarkError


def _offset_of(cause: Any, end: int) -> int:
    """Return where parsing failed, counted in characters from 0."""
    token = getattr(cause, "token", None)
    if token is not None and token.type == "$END":
        return end
    found = getattr(cause, "pos_in_stream", None)
    return found if isinstance(found, int) and 0 <= found <= end else end


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
  | (?P<quoted>`[-_a-zA-Z0-9./\ ]+`)
  | (?P<sign>&&|\|\||[<>=!]=|[-+*/%<>!?:.,()\[\]{{}}])
    """,
    re.VERBOSE | re.DOTALL,
)


@dataclass(frozen=True)
class _Scanned:
    """A text with its tokens: `clean` is what is parsed, `texts` and `names` are what its blanks stand for."""

    text: str
    start: Place
    clean: str = ""
    texts: Mapping[int, str] = field(default_factory=dict)
    names: Mapping[int, str] = field(default_factory=dict)
    lines: tuple[int, ...] = (0,)

    def place(self, offset: int) -> Place:
        """Return the place of a character that is counted from 0."""
        row = bisect_right(self.lines, offset) - 1
        column = offset - self.lines[row] + 1
        return Place(self.start.line + row, column + (self.start.column - 1 if row == 0 else 0))

    def near(self, offset: int) -> str:
        """Return what stands at a place, shortened."""
        rest = self.text[offset:].split("\n", 1)[0].strip()
        return repr(rest[:30]) if rest else "end"


class _Scanner:
    """A `_Scanner` goes through a text once, and refuses what cel-python's parser would misread or choke on."""

    def __init__(self, text: str, start: Place) -> None:
        lines = (0, *(match.end() for match in re.finditer("\n", text)))
        self._at = _Scanned(text, start, lines=lines)
        self._pieces: list[str] = []
        self._texts: dict[int, str] = {}
        self._names: dict[int, str] = {}
        self._before = ""
        """The token before this one that is no blank, as the parser will see it."""
        self._ended = False
        """Whether that token ends an operand, so that only an operator can follow."""
        self._comma = 0
        """Which piece the last comma is."""
        self._depth = 0

    def scan(self) -> _Scanned:
        """Return the text with its tokens. Raises `RuleError`, with the place, for what is no token of CEL."""
        text, offset = self._at.text, 0
        while offset < len(text):
            match = _TOKEN.match(text, offset)
            if match is None:
                raise self._unexpected(offset)
            kind, token = str(match.lastgroup), match[0]
            if kind == "blank":
                self._pieces.append(" " * len(token))
            else:
                self._token(kind, token, offset)
            offset = match.end()
        return _Scanned(text, self._at.start, "".join(self._pieces), self._texts, self._names, self._at.lines)

    def _unexpected(self, offset: int) -> RuleError:
        return RuleError(f"no CEL expression: unexpected {self._at.near(offset)}", self._at.place(offset))

    def _token(self, kind: str, token: str, offset: int) -> None:
        operator = token == "in" and self._before != "."
        if kind != "sign" and self._ended is not operator:
            raise self._unexpected(offset)
        seen, place = token, self._at.place(offset)
        match kind:
            case "text":
                self._texts[offset] = _unquoted(token, place)
                seen = '"' + "_" * (len(token) - 2) + '"'
            case "quoted":
                if self._before != ".":
                    raise RuleError(f"{token} names no field: write it after a point", place)
                self._names[offset] = token[1:-1]
                seen = "_" * len(token)
            case "number":
                _check_number(token, place)
            case "word":
                self._word(token, place)
            case "sign":
                self._sign(token, offset)
        if token == ",":
            self._comma = len(self._pieces)
        self._pieces.append(seen)
        self._before = seen if kind in ("sign", "number") else ""
        self._ended = token in (")", "]", "}") if kind == "sign" else not operator

    def _word(self, token: str, place: Place) -> None:
        if token in _KEYWORDS and self._before == ".":
            raise RuleError(f"{token} is a word of CEL, and no name of a field: write ['{token}']", place)
        if token in _RESERVED and self._before != ".":
            raise RuleError(f"{token} is a reserved word of CEL", place)

    def _sign(self, token: str, offset: int) -> None:
        if token == "." and self._before[:1].isdigit():
            raise self._unexpected(offset)
        if token in "]}" and self._before == ",":
            self._pieces[self._comma] = " "  # A list and a map may end in a comma.
        self._depth += (token in "([{") - (token in ")]}")
        if self._depth > DEEPEST:
            raise RuleError(f"the expression is nested deeper than {DEEPEST}", self._at.place(offset))


def _check_number(token: str, place: Place) -> None:
    if token[-1] in "uU":
        raise RuleError(f"{token[:40]} is a value that rules do not have: numbers have a sign", place)
    digits, _, exponent = token.lower().partition("e") if token[:2] != "0x" else (token, "", "")
    if len(digits) > LONGEST_NUMBER or len(exponent) > 5 or abs(int(exponent or 0)) > LONGEST_NUMBER:
        raise RuleError(f"a number has over {LONGEST_NUMBER} digits", place)


_ESCAPE = re.compile(r"\\(?:[xX]([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([0-3][0-7]{2})|(.))", re.DOTALL)
_PLAIN = {"a": "\a", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v"}


def _unquoted(text: str, place: Place) -> str:
    """Return the text that a CEL string literal stands for."""
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


# The tree


class _Reader:
    """A `_Reader` turns the parser's tree into an expression."""

    def __init__(self, scanned: _Scanned) -> None:
        self._scanned = scanned
        self._rules: Mapping[str, Callable[[Any, int], Expression]] = {
            "expr": self._choice,
            **dict.fromkeys(_CHAINS, self._chain),
            **dict.fromkeys(("relation", "addition", "multiplication"), self._binary),
            "unary": self._unary,
            "member_dot": self._field,
            "member_dot_arg": self._method,
            "member_index": self._index,
            "member_object": self._message,
            **dict.fromkeys(("ident", "dot_ident"), self._ident),
            **dict.fromkeys(("ident_arg", "dot_ident_arg"), self._function),
            "list_lit": self._list,
            "map_lit": self._map,
            "literal": self._literal,
        }
        """The method for each rule of the grammar."""

    def read(self, tree: Tree[Token], depth: int) -> Expression:
        """Return the expression of a parsed rule."""
        tree = _bare(tree)
        if depth > 2 * DEEPEST:
            raise RuleError(f"the expression is nested deeper than {2 * DEEPEST}", self._place(tree))
        return self._rules[tree.data](tree, depth + 1)

    def _place(self, tree: Any) -> Place:
        offset = getattr(getattr(tree, "meta", tree), "start_pos", None)
        return self._scanned.start if offset is None else self._scanned.place(offset)

    def _several(self, tree: Any, depth: int) -> tuple[Expression, ...]:
        return tuple([self.read(own, depth) for own in tree.children]) if tree is not None else ()

    def _choice(self, tree: Any, depth: int) -> Expression:
        return Invoke("?:", self._several(tree, depth), None, self._place(tree))

    def _chain(self, tree: Any, depth: int) -> Expression:
        """Return a chain of one connective as one expression of many arguments: it is as deep as one."""
        rule, place, ends = tree.data, self._place(tree), []
        while tree.data == rule and len(tree.children) == 2:
            ends.append(tree.children[1])
            tree = tree.children[0]
        args = tuple([self.read(own, depth) for own in (tree, *reversed(ends))])
        return Invoke(_CHAINS[rule], args, None, place)

    def _binary(self, tree: Any, depth: int) -> Expression:
        head, right = tree.children
        args = (self.read(head.children[0], depth), self.read(right, depth))
        return Invoke(_BINARY[head.data], args, None, self._place(right))

    def _unary(self, tree: Any, depth: int) -> Expression:
        sign, operand = tree.children
        inner = self.read(operand, depth)
        name = _SIGNS[sign.data]
        number = isinstance(inner, Constant) and type(inner.value) in (int, Fraction)
        if name == "-" and number and not _in_brackets(operand):
            return Constant(-inner.value, self._place(tree))  # type: ignore[union-attr,operator]
        return Invoke(name, (inner,), None, self._place(tree))

    def _field(self, tree: Any, depth: int) -> Expression:
        of, name = tree.children
        field = self._scanned.names.get(name.start_pos, str(name))
        return Select(self.read(of, depth), field, self._place(name))

    def _method(self, tree: Any, depth: int) -> Expression:
        of, name, *rest = tree.children
        if name.start_pos in self._scanned.names:
            raise RuleError("the name of a function stands in no backticks", self._place(name))
        args = self._several(rest[0] if rest else None, depth)
        return Invoke(str(name), args, self.read(of, depth), self._place(name))

    def _index(self, tree: Any, depth: int) -> Expression:
        of, key = tree.children
        return Index(self.read(of, depth), self.read(key, depth), self._place(key))

    def _message(self, tree: Any, depth: int) -> Expression:
        raise RuleError("messages cannot be written in rules; write a map: {'field': value}", self._place(tree))

    def _function(self, tree: Any, depth: int) -> Expression:
        name, *rest = tree.children
        return Invoke(str(name), self._several(rest[0] if rest else None, depth), None, self._place(name))

    def _ident(self, tree: Any, depth: int) -> Expression:
        name = tree.children[0]
        return Ident(str(name), self._place(name))

    def _list(self, tree: Any, depth: int) -> Expression:
        return Items(self._several(tree.children[0] if tree.children else None, depth), self._place(tree))

    def _map(self, tree: Any, depth: int) -> Expression:
        own = self._several(tree.children[0] if tree.children else None, depth)
        return Entries(tuple(zip(own[::2], own[1::2], strict=True)), self._place(tree))

    def _literal(self, tree: Any, depth: int) -> Expression:
        token = tree.children[0]
        place, text = self._place(token), str(token)
        match token.type:
            case "INT_LIT":
                return Constant(int(text, 16) if "x" in text else int(text), place)
            case "FLOAT_LIT":
                return Constant(Fraction(text), place)
            case "BOOL_LIT":
                return Constant(text == "true", place)
            case "NULL_LIT":
                return Constant(None, place)
            case "STRING_LIT" | "MLSTRING_LIT":
                return Constant(self._scanned.texts[token.start_pos], place)
        raise RuleError(f"{text:.40} is a value that rules do not have ({token.type})", place)


def _bare(tree: Any) -> Any:
    """Return a rule without those around it that say nothing of their own."""
    while tree.data in _WRAPPERS and len(tree.children) == 1:
        tree = tree.children[0]
    return tree


def _in_brackets(tree: Any) -> bool:
    while tree.data in _WRAPPERS and len(tree.children) == 1:
        if tree.data == "paren_expr":
            return True
        tree = tree.children[0]
    return False


# Writing

_STRENGTH = {"?:": 1, "||": 2, "&&": 3, "<": 4, "<=": 4, ">": 4, ">=": 4, "==": 4, "!=": 4, "in": 4}
_STRENGTH |= {"+": 5, "-": 5, "*": 6, "/": 6, "%": 6, "!": 7}
_MEMBER = 8
_IDENTIFIER = re.compile(r"[_a-zA-Z][_a-zA-Z0-9]*")
_QUOTABLE = re.compile(r"[-_a-zA-Z0-9./ ]+")


def write_cel(node: Expression) -> str:
    """Return an expression as CEL text, which `read_cel` reads as the same expression.

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
    text = _decimal(value) if isinstance(value, Fraction) else str(value)
    return f"({text})" if (value < 0 and around) or around == _MEMBER else text


_ESCAPED = {"\\": "\\\\", "'": "\\'", "\n": "\\n", "\r": "\\r", "\t": "\\t"}


def _decimal(value: Fraction) -> str:
    places = decimal_places(value)
    if places is None or places > LONGEST_NUMBER:
        raise RuleError(f"{value} is no decimal")
    digits = str(abs((value * 10**places).numerator)).rjust(places + 1, "0")
    whole, part = (digits[:-places], digits[-places:]) if places else (digits, "0")
    return f"{'-' if value < 0 else ''}{whole}.{part}"
