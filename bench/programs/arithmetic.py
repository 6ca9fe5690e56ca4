"""Constraints as Python-like text: comparisons of sums, `and`, `or`, `not` and parentheses, all-different.

Read by a grammar of its own, and never by Python: whatever a model wrote stays text.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from holdtrue.logic.formula import (
    AllDifferent,
    And,
    Compare,
    Comparison,
    Constant,
    Formula,
    Not,
    Or,
    Sum,
    Term,
    Variable,
)
from holdtrue_claims.fol.alert import AlertKind

DEEPEST = 50
"""Parentheses and negations within each other."""

_TOKEN = re.compile(r"\s*(?:([A-Za-z_]\w*)|([0-9]{1,6}(?![0-9]))|(==|!=|<=|>=|&&|\|\||[-+<>=()\[\],!]))")
_COMPARISONS: Mapping[str, Comparison] = {
    "==": "==", "=": "==", "!=": "!=", "<": "<", "<=": "<=", ">": ">", ">=": ">="
}  # fmt: skip
_OR, _AND, _NOT = ("or", "||"), ("and", "&&"), ("not", "!")


class Fault(Exception):
    """Text that is no constraint, from `position` on."""

    def __init__(self, kind: AlertKind, message: str, position: int) -> None:
        super().__init__(message)
        self.kind: AlertKind = kind
        self.position = position


@dataclass(frozen=True, slots=True)
class _Token:
    text: str
    position: int


def read_constraint(text: str, variables: Mapping[str, Variable]) -> Formula:
    """The formula of a constraint; raises `Fault`."""
    reader = _Reader(_tokens(text), variables)
    formula = reader.disjunction(0)
    reader.expect("")
    return formula


def _tokens(text: str) -> list[_Token]:
    """The tokens, and an empty one at the end."""
    tokens: list[_Token] = []
    position = 0
    end = len(text.rstrip())
    while position < end:
        match = _TOKEN.match(text, position)
        if match is None:
            raise Fault("unparsed", f"{text[position:].strip()[:20]!r} is no part of a constraint", position)
        position = match.end()
        tokens.append(_Token(match[match.lastindex or 0], match.start(match.lastindex or 0)))
    return [*tokens, _Token("", end)]


class _Reader:
    def __init__(self, tokens: list[_Token], variables: Mapping[str, Variable]) -> None:
        self.tokens = tokens
        self.variables = variables
        self.place = 0

    @property
    def next(self) -> _Token:
        return self.tokens[self.place]

    def took(self, *texts: str) -> bool:
        """Whether the next token is one of these; then it is passed."""
        found = self.next.text in texts
        self.place += found
        return found

    def expect(self, text: str) -> None:
        if self.next.text != text:
            raise self.fault(f"{text!r} is needed" if text else "the constraint should end here")
        self.place += text != ""

    def fault(self, message: str, kind: AlertKind = "unparsed") -> Fault:
        return Fault(kind, f"{message}, not {self.next.text!r}", self.next.position)

    def disjunction(self, depth: int) -> Formula:
        parts = [self.conjunction(depth)]
        while self.took(*_OR):
            parts.append(self.conjunction(depth))
        return parts[0] if len(parts) == 1 else Or(tuple(parts))

    def conjunction(self, depth: int) -> Formula:
        parts = [self.one(depth)]
        while self.took(*_AND):
            parts.append(self.one(depth))
        return parts[0] if len(parts) == 1 else And(tuple(parts))

    def one(self, depth: int) -> Formula:
        if depth > DEEPEST:
            raise self.fault(f"nothing may be nested deeper than {DEEPEST}", "unsupported")
        if self.took(*_NOT):
            return Not(self.one(depth + 1))
        if self.took("("):
            formula = self.disjunction(depth + 1)
            self.expect(")")
            return formula
        if self.next.text == "AllDifferentConstraint":
            return self.all_different()
        return self.comparison()

    def all_different(self) -> Formula:
        self.place += 1
        self.expect("(")
        self.expect("[")
        terms = [self.atom()]
        while self.took(","):
            terms.append(self.atom())
        self.expect("]")
        self.expect(")")
        return AllDifferent(tuple(terms))

    def comparison(self) -> Formula:
        """`a < b`, and `a < b < c` as both of its parts."""
        left = self.sum()
        parts: list[Formula] = []
        while (op := _COMPARISONS.get(self.next.text)) is not None:
            self.place += 1
            right = self.sum()
            parts.append(Compare(op, left, right))
            left = right
        if not parts:
            raise self.fault("a comparison is needed")
        return parts[0] if len(parts) == 1 else And(tuple(parts))

    def sum(self) -> Term:
        parts = [(-1 if self.took("-") else 1, self.atom())]
        while self.next.text in ("+", "-"):
            sign = 1 if self.next.text == "+" else -1
            self.place += 1
            parts.append((sign, self.atom()))
        return parts[0][1] if len(parts) == 1 and parts[0][0] == 1 else Sum(tuple(parts))

    def atom(self) -> Term:
        token = self.next
        if token.text.isdecimal():
            self.place += 1
            return Constant(int(token.text))
        if not token.text.isidentifier():
            raise self.fault("a name or a number is needed")
        if token.text not in self.variables:
            raise self.fault("a declared variable is needed", "undeclared")
        self.place += 1
        return self.variables[token.text]
