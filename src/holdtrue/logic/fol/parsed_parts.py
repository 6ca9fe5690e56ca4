"""Keep what was read of a text so far: whether a name is a thing or a statement shows only by where it stands.

All readers of sentences build on a place in the tokens of a text, which they move on.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple, get_args

from holdtrue.logic.fol import syntax as fol
from holdtrue.logic.fol.alert import AlertKind
from holdtrue.logic.fol.lexer import Fault, Token
from holdtrue.logic.fol.naming import is_free_shaped
from holdtrue.logic.value_sorts import Value

Doubt = tuple[AlertKind, str, int]
"""The kind, message and offset of an alert."""


class Name(NamedTuple):
    """A name that is not yet known to be a thing or a statement; without brackets behind it `args` is None."""

    name: str
    args: tuple[Part, ...] | None
    bound: bool
    quoted: bool


class Product(NamedTuple):
    """A number times a term, which is a part of the sum around it."""

    factor: Value
    term: fol.Term


class Part(NamedTuple):
    """A `Part` is what was read, and where it begins."""

    value: fol.Sentence | fol.Term | Name | Product
    at: int


_OPERATORS: dict[str, fol.Operator] = {name: name for name in get_args(fol.Operator)}


def quantified(quantifier: Token, names: Sequence[str], body: fol.Sentence, sort: str | None = None) -> fol.Sentence:
    """Return the sentence of a quantifier and its variables, the last of which is the innermost."""
    for name in reversed(names):
        body = fol.Quantified("forall" if quantifier.kind == "∀" else "exists", name, body, sort)
    return body


class TokenCursor(ABC):
    """A `TokenCursor` is at one of the tokens of one text, whose brackets match; a grammar says how to read on.

    `end` is the length of the text, where a fault is that has no token.
    """

    def __init__(self, tokens: Sequence[Token], end: int) -> None:
        self.alerts: list[Doubt] = []
        """What is doubtful of what was read."""
        self._tokens = tokens
        self._end = Token("", "", end)
        self._next = 0
        self._level = 0
        self._bound: Counter[str] = Counter()
        self._free: set[str] = set()

    def sentence(self) -> fol.Sentence:
        """Return the sentence that the whole text is. Raises `Fault`."""
        if not self._tokens:
            raise Fault(0, "there is nothing to read")
        found = self._statement(self._read(0))
        if self._peek.kind == ".":
            self._next += 1
        if self._next < len(self._tokens):
            raise Fault(self._peek.at, f"a connective is missing before {self._peek.text!r:.60}")
        return found

    # --- what a part is in its place ---------------------------------------------------------------------------------

    def _alert(self, kind: AlertKind, message: str, where: Token | Part) -> None:
        self.alerts.append((kind, message, where.at))

    def _left_free(self, name: str, where: Token | Part) -> None:
        if name not in self._free:
            self._free.add(name)
            self._alert("free_variable", f"no quantifier binds the variable {name}", where)

    def _statement(self, part: Part) -> fol.Sentence:
        match part.value:
            case Name(name, args, bound, quoted):
                if bound:
                    raise Fault(part.at, f"the variable {name} stands where a statement has to")
                if args is None and not quoted and is_free_shaped(name):
                    self._alert("doubtful", f"{name} looks like a variable, and stands where a statement has to", part)
                return fol.Holds(name, tuple(map(self._term, args or ())))
        if isinstance(part.value, Product | fol.Term):
            raise Fault(part.at, "a number stands where a statement has to")
        return part.value

    def _term(self, part: Part) -> fol.Term:
        match part.value:
            case Name(name, None, bound, quoted):
                if bound or (not quoted and is_free_shaped(name)):
                    if not bound:
                        self._left_free(name, part)
                    return fol.Bound(name)
                return fol.Constant(name)
            case Name("if", (condition, then, otherwise), quoted=False):
                return fol.Choice(self._statement(condition), self._term(then), self._term(otherwise))
            case Name(name, args, quoted=False) if args and name in _OPERATORS:
                return fol.Operation(_OPERATORS[name], tuple(map(self._term, args)))
            case Name(name, args):
                return fol.Apply(name, tuple(map(self._term, args or ())))
            case Product(factor, term):
                return fol.Plus(((factor, term),))
        if isinstance(part.value, fol.Term):
            return part.value
        raise Fault(part.at, "a statement stands where a thing has to")

    def _summand(self, part: Part) -> tuple[Value, fol.Term]:
        if isinstance(part.value, Product):
            return part.value.factor, part.value.term
        return 1, self._term(part)

    # --- reading -----------------------------------------------------------------------------------------------------

    @abstractmethod
    def _read(self, power: int) -> Part:
        """Read what comes next, with all operators behind it that bind as tightly as `power`."""

    def _single(self, token: Token) -> Part:
        """Read what is none of a grammar's own: brackets, ⊤, ⊥ or a name; `token` was taken. Raises `Fault`."""
        match token.kind:
            case "(":
                inside = self._read(0)
                self._expect(")")
                # In brackets a product is a term by itself, and no part of the sum around it.
                alone = isinstance(inside.value, Product)
                return Part(self._term(inside) if alone else inside.value, token.at)
            case "⊤" | "⊥" as kind:
                return Part(fol.And(()) if kind == "⊤" else fol.Or(()), token.at)
            case "name" | "quoted":
                return self._name(token)
            case "":
                raise Fault(token.at, "the text ends where something has to follow")
        raise Fault(token.at, f"{token.text!r} cannot stand here")

    @abstractmethod
    def _name(self, token: Token) -> Part:
        """Read a name, with its arguments if it has any."""

    def _chain(self, first: Part, kind: str, power: int) -> fol.Sentence:
        """Read all operands of ∧ or ∨ in a row; its sign is next."""
        operands = [self._statement(first)]
        while self._peek.kind == kind:
            self._next += 1
            operands.append(self._statement(self._read(power + 1)))
        return fol.And(tuple(operands)) if kind == "∧" else fol.Or(tuple(operands))

    def _variables(self) -> list[str]:
        """Read the variables that are next."""
        names: list[str] = []
        while self._peek.kind == "bound":
            names.append(self._take().text)
        return names

    def _applied(self, token: Token, *, as_variable: bool) -> Part:
        """Read what stands in brackets behind a name, which may look `as_variable`; the opening one is next."""
        quoted = token.kind == "quoted"
        if as_variable and not quoted:
            self._alert("doubtful", f"{token.text} looks like a variable, and has arguments", token)
        self._next += 1
        args: list[Part] = []
        if self._peek.kind != ")":
            args.append(self._read(0))
            while self._peek.kind == ",":
                self._next += 1
                args.append(self._read(0))
        self._expect(")")
        return Part(Name(token.text, tuple(args), False, quoted), token.at)

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
