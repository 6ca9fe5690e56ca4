"""Constraints as calls over enumerations, such as `ForAll([c:children], Count([l:lockers], assigned(c, l)) == 1)`.

Text becomes a tree here, and gets its meaning elsewhere. Whatever a model wrote stays text: nothing is evaluated.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from bench.programs.arithmetic import Fault

DEEPEST = 40
"""Calls, brackets and negations within each other."""

_NUMBER = r"[0-9]{1,6}(?![0-9A-Za-z_])"
_NAME = r"[A-Za-z_]\w*"
_SIGN = r"==>|<=>|==|!=|<=|>=|=>|->|&&|\|\||[-+*%<>=()\[\],:&|~!]"
_IMPLIES, _OR, _AND, _NOT = ("=>", "==>", "->"), ("or", "||", "|"), ("and", "&&", "&"), ("not", "~", "!")
_COMPARISONS = ("==", "=", "!=", "<", "<=", ">", ">=")


@dataclass(frozen=True, slots=True)
class Binder:
    """A `Binder` is a variable and the sorts whose members it stands for, one after the other."""

    name: str
    sorts: tuple[str, ...]
    at: int


@dataclass(frozen=True, slots=True)
class Call:
    """A `Call` is a name or a number without `parts`, or an operator or function with them; `binders` come first.

    `called` tells a function without arguments from a name.
    """

    name: str
    parts: tuple[Call, ...]
    at: int
    binders: tuple[Binder, ...] = ()
    called: bool = False


@dataclass(frozen=True, slots=True)
class _Token:
    kind: str
    text: str
    at: int


def read_call(text: str, members: Iterable[str] = ()) -> Call:
    """The tree of a constraint; names among the `members` may have signs in them. Raises `Fault`."""
    reader = _Reader(_tokens(text, members))
    found = reader.implication(0)
    reader.expect("")
    return found


def _tokens(text: str, members: Iterable[str]) -> list[_Token]:
    odd = sorted((name for name in members if not re.fullmatch(rf"{_NAME}|{_NUMBER}", name)), key=len, reverse=True)
    special = "|".join(map(re.escape, odd)) or r"(?!)"
    token = re.compile(
        rf"\s*+(?:(?P<member>(?<!\w)(?:{special})(?!\w))|(?P<number>{_NUMBER})|(?P<name>{_NAME})"
        rf"""|"(?P<quoted>[^"]*+)"|'(?P<single>[^']*+)'|(?P<sign>{_SIGN}))"""
    )
    found: list[_Token] = []
    at, end = 0, len(text.rstrip())
    while at < end:
        match = token.match(text, at)
        if match is None:
            start = len(text) - len(text[at:].lstrip())
            raise Fault("unparsed", f"{text[start : start + 20]!r} is no part of a constraint", start)
        kind = match.lastgroup or ""
        start, at = match.start(kind), match.end()
        named = kind in ("member", "quoted", "single", "name")
        found.append(_Token("name" if named else kind, match[kind], start))
    return [*found, _Token("end", "", end)]


class _Reader:
    """Reads from the loosest operator to the tightest: implication, or, and, not, comparison, sum, product."""

    def __init__(self, tokens: list[_Token]) -> None:
        self._tokens = tokens
        self._place = 0

    @property
    def _peek(self) -> _Token:
        return self._tokens[self._place]

    def _took(self, *texts: str) -> _Token | None:
        token = self._peek
        if token.text not in texts or token.kind == "number":
            return None
        self._place += 1
        return token

    def expect(self, text: str) -> None:
        if self._peek.text != text:
            raise self._fault(f"{text!r} is needed" if text else "the constraint should end here")
        self._place += text != ""

    def _fault(self, message: str) -> Fault:
        return Fault("unparsed", f"{message}, not {self._peek.text!r}", self._peek.at)

    def implication(self, depth: int) -> Call:
        if depth > DEEPEST:
            raise Fault("unsupported", f"nothing may be nested deeper than {DEEPEST}", self._peek.at)
        left = self._chain("Or", _OR, depth)
        if token := self._took(*_IMPLIES):
            return Call("Implies", (left, self.implication(depth + 1)), token.at)
        if token := self._took("<=>"):
            return Call("==", (left, self._chain("Or", _OR, depth + 1)), token.at)
        return left

    def _chain(self, name: str, signs: tuple[str, ...], depth: int) -> Call:
        def part() -> Call:
            return self._chain("And", _AND, depth) if name == "Or" else self._negation(depth)

        parts = [part()]
        while self._took(*signs):
            parts.append(part())
        return parts[0] if len(parts) == 1 else Call(name, tuple(parts), parts[0].at)

    def _negation(self, depth: int) -> Call:
        if token := self._took(*_NOT):
            if depth > DEEPEST:
                raise Fault("unsupported", f"nothing may be nested deeper than {DEEPEST}", token.at)
            return Call("Not", (self._negation(depth + 1),), token.at)
        left = self._sum(depth)
        compared: list[Call] = []
        while token := self._took(*_COMPARISONS):
            right = self._sum(depth)
            compared.append(Call("==" if token.text == "=" else token.text, (left, right), token.at))
            left = right
        if not compared:
            return left
        return compared[0] if len(compared) == 1 else Call("And", tuple(compared), compared[0].at)

    def _sum(self, depth: int) -> Call:
        left = self._product(depth)
        while token := self._took("+", "-"):
            left = Call(token.text, (left, self._product(depth)), token.at)
        return left

    def _product(self, depth: int) -> Call:
        left = self._atom(depth)
        while token := self._took("*", "%"):
            left = Call(token.text, (left, self._atom(depth)), token.at)
        return left

    def _atom(self, depth: int) -> Call:
        if token := self._took("-"):
            return Call("-", (Call("0", (), token.at), self._atom(depth)), token.at)
        if self._took("("):
            inside = self.implication(depth + 1)
            self.expect(")")
            return inside
        token = self._peek
        if token.kind not in ("name", "number"):
            raise self._fault("a name or a number is needed")
        self._place += 1
        if token.kind == "number" or not self._took("("):
            return Call(token.text, (), token.at)
        binders = self._binders()
        parts: list[Call] = []
        while not self._took(")"):
            if parts or binders:
                self.expect(",")
            if self._took("["):
                parts += self._listed(depth)
            else:
                parts.append(self.implication(depth + 1))
        return Call(token.text, tuple(parts), token.at, binders, called=True)

    def _listed(self, depth: int) -> list[Call]:
        parts = [self.implication(depth + 1)]
        while self._took(","):
            parts.append(self.implication(depth + 1))
        self.expect("]")
        return parts

    def _binders(self) -> tuple[Binder, ...]:
        """`[c:children, l:lockers]`, where it stands in the first place of a call; nothing where a list does."""
        start = self._place
        if not self._took("["):
            return ()
        found: list[Binder] = []
        while True:
            name = self._peek
            self._place += 1
            if name.kind != "name" or not self._took(":"):
                self._place = start
                return ()
            sorts = [self._sort()]
            while self._took("+"):
                sorts.append(self._sort())
            found.append(Binder(name.text, tuple(sorts), name.at))
            if self._took("]"):
                return tuple(found)
            self.expect(",")

    def _sort(self) -> str:
        if self._peek.kind != "name":
            raise self._fault("the name of a sort is needed")
        self._place += 1
        return self._tokens[self._place - 1].text
