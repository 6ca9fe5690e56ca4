"""A place in the tokens of a text, which a reader of sentences moves on: what all such readers need."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Sequence

from holdtrue.logic.fol import syntax as fol
from holdtrue.logic.fol.lexer import Fault, Token
from holdtrue.logic.fol.parsed_parts import Doubt, Part, Parts


class TokenCursor(ABC):
    """A `TokenCursor` is at one of the tokens of one text, whose brackets match; a grammar says how to read on.

    `end` is the length of the text, where a fault is that has no token.
    """

    def __init__(self, tokens: Sequence[Token], end: int) -> None:
        self._parts = Parts()
        self.alerts: list[Doubt] = self._parts.alerts
        """What is doubtful of what was read."""
        self._tokens = tokens
        self._end = Token("", "", end)
        self._next = 0
        self._level = 0
        self._bound: Counter[str] = Counter()

    def sentence(self) -> fol.Sentence:
        """Return the sentence that the whole text is. Raises `Fault`."""
        if not self._tokens:
            raise Fault(0, "there is nothing to read")
        found = self._parts.statement(self._read(0))
        if self._peek.kind == ".":
            self._next += 1
        if self._next < len(self._tokens):
            raise Fault(self._peek.at, f"a connective is missing before {self._peek.text!r:.60}")
        return found

    @abstractmethod
    def _read(self, power: int) -> Part:
        """Read what comes next, with all operators behind it that bind as tightly as `power`."""

    def _arguments(self) -> tuple[Part, ...]:
        """Return what stands in brackets behind a name; the opening one is next."""
        self._next += 1
        args: list[Part] = []
        if self._peek.kind != ")":
            args.append(self._read(0))
            while self._peek.kind == ",":
                self._next += 1
                args.append(self._read(0))
        self._expect(")")
        return tuple(args)

    @property
    def _peek(self) -> Token:
        return self._tokens[self._next] if self._next < len(self._tokens) else self._end

    def _take(self) -> Token:
        token = self._peek
        self._next += 1
        return token

    def _expect(self, kind: str) -> None:
        token = self._take()
        if token.kind != kind:
            before = f" before {token.text!r:.60}" if token.kind else ""
            raise Fault(token.at, f"{kind!r} is missing{before}")

    def _go_deeper(self) -> None:
        """Count one level of nesting more; whoever calls this counts it back. Raises `Fault` where it is too deep."""
        self._level += 1
        if self._level > fol.DEEPEST:
            raise Fault(self._peek.at, f"nested more than {fol.DEEPEST} deep", "unsupported")
