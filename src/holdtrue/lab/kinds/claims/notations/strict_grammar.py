"""Text to a sentence, for notations in which quantifiers and negation take in one unit and no more.

A unit is an atom, two terms that are compared, what stands in brackets, or a unit behind a quantifier or a negation:
`all x. P(x) -> Q(x)` and `![X]: p(X) => q(X)` have x and X in the first part alone, unlike `∀x P(x) → Q(x)`.
What the signs and names of such a notation are, a `Notation` says by data.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from holdtrue.logic.fol import syntax as fol
from holdtrue.logic.fol.lexer import Fault, Token
from holdtrue.logic.fol.naming import is_free_shaped, is_number, unquoted
from holdtrue.logic.fol.notation import Read, read_text
from holdtrue.logic.fol.parsed_parts import Name, Part, TokenCursor, quantified
from holdtrue.logic.fol.variable_lists import mark_variables

Grouping = Literal["left", "brackets"]


@dataclass(frozen=True)
class Notation:
    """A `Notation` has all in which notations differ whose quantifiers, like their negation, take in one unit.

    Attributes:
        signs: The kind of token that each sign is; what is said alike is of one kind, as in `lexer`.
        words: The kind of token that each word is where a name could stand.
        head: Regular expression of a quantifier and all behind it that names its variables, as the groups `sign` and
            `variables`.
        quantifiers: The kind of token, ∀ or ∃, of what the group `sign` can be.
        name: Regular expression of a name or a number.
        quoted: Regular expression of a name in quotes.
        skipped: Regular expression of space and comments.
        variable: Regular expression of the names that are variables wherever they stand; where it is None, a name is a
            variable where a quantifier binds it, and x, y1 and the like (u to z) are variables that were left free.
        powers: How tightly each connective binds, the tightest highest.
        grouping: Connectives that bind alike group to the left, or else need brackets, ∧ and ∨ with themselves apart.
    """

    signs: Mapping[str, str]
    words: Mapping[str, str]
    head: str
    quantifiers: Mapping[str, str]
    name: str
    quoted: str
    skipped: str
    variable: str | None
    powers: Mapping[str, int]
    grouping: Grouping

    @cached_property
    def token(self) -> re.Pattern[str]:
        signs = "|".join(re.escape(sign) for sign in sorted(self.signs, key=len, reverse=True))
        return re.compile(
            f"(?P<skipped>{self.skipped})|(?P<head>{self.head})|(?P<quoted>{self.quoted})|(?P<name>{self.name})"
            f"|(?P<mark>{signs})",
            re.DOTALL,
        )

    @cached_property
    def single_name(self) -> re.Pattern[str]:
        return re.compile(self.name)

    def is_variable(self, name: str) -> bool:
        """Return whether the name is a variable also where nothing binds it."""
        return self.variable is not None and re.fullmatch(self.variable, name) is not None


def strict_tokens(text: str, notation: Notation) -> Iterator[Token]:
    """The tokens in order, without space and comments; a quantifier's variables are `bound`. Raises `Fault`."""
    at = 0
    while at < len(text):
        match = notation.token.match(text, at)
        if match is None:
            raise Fault(at, f"the character {text[at]!r} cannot stand here")
        start, at = at, match.end()
        match match.lastgroup:
            case "head":
                yield Token(notation.quantifiers[match["sign"]], match["sign"], match.start("sign"))
                for name in notation.single_name.finditer(text, match.start("variables"), match.end("variables")):
                    yield Token("bound", name[0], name.start())
            case "quoted":
                yield Token("quoted", unquoted(match[0]), start)
            case "mark":
                yield Token(notation.signs[match[0]], match[0], start)
            case "name":
                yield _named(match[0], start, notation)


def _named(name: str, at: int, notation: Notation) -> Token:
    if name in notation.words:
        return Token(notation.words[name], name, at)
    return Token("number" if is_number(name.removeprefix("-")) else "name", name, at)


_COMPARISONS: dict[str, fol.Comparison] = {"=": "=", "≠": "!="}
_PAIRED: dict[str, Callable[[fol.Sentence, fol.Sentence], fol.Sentence]] = {
    "→": fol.Implies,
    "←": lambda left, right: fol.Implies(right, left),
    "↔": fol.Iff,
    "⊕": fol.Xor,
    "nor": lambda left, right: fol.Not(fol.Or((left, right))),
    "nand": lambda left, right: fol.Not(fol.And((left, right))),
}


def read_strict(text: str, notation: Notation) -> Read:
    """Read the sentence in a text of this notation. Never raises; brackets that do not match are repaired."""
    mark = mark_variables if notation.variable is None else list[Token]
    return read_text(
        text,
        lambda whole: mark(strict_tokens(whole, notation)),
        lambda found, end: StrictGrammar(found, end, notation),
    )


class StrictGrammar(TokenCursor):
    """A `StrictGrammar` reads the tokens of one text, whose brackets match."""

    def __init__(self, tokens: Sequence[Token], end: int, notation: Notation) -> None:
        super().__init__(tokens, end)
        self._notation = notation

    def _read(self, power: int) -> Part:
        """Read a unit, with all connectives behind it that bind as tightly as `power`."""
        left = self._unit()
        before = ""
        while (binds := self._notation.powers.get(kind := self._peek.kind, -1)) >= power:
            if before and self._notation.grouping == "brackets":
                raise Fault(self._peek.at, f"brackets are needed between {before!r} and {self._peek.text!r}")
            before = self._peek.text
            if kind in ("∧", "∨"):
                left = Part(self._chain(left, kind, binds), left.at)
            else:
                self._next += 1
                right = self._read(binds + 1)
                left = Part(_PAIRED[kind](self._statement(left), self._statement(right)), left.at)
        return left

    def _unit(self) -> Part:
        """One unit. Every nesting of brackets, quantifiers, negations and arguments comes by here."""
        self._go_deeper()
        token = self._peek
        match token.kind:
            case "¬":
                self._next += 1
                found = Part(fol.Not(self._statement(self._unit())), token.at)
            case "∀" | "∃":
                found = Part(self._quantified(), token.at)
            case _:
                found = self._compared()
        self._level -= 1
        return found

    def _compared(self) -> Part:
        left = self._operand()
        if (op := _COMPARISONS.get(self._peek.kind)) is None:
            return left
        self._next += 1
        return Part(fol.Compare(op, self._term(left), self._term(self._operand())), left.at)

    def _quantified(self) -> fol.Sentence:
        quantifier = self._take()
        names = self._variables()
        self._bound.update(names)
        found = self._statement(self._unit())
        self._bound.subtract(names)
        return quantified(quantifier, names, found)

    def _operand(self) -> Part:
        token = self._take()
        return Part(fol.Number(int(token.text)), token.at) if token.kind == "number" else self._single(token)

    def _name(self, token: Token) -> Part:
        quoted = token.kind == "quoted"
        variable = not quoted and self._is_variable(token)
        if self._peek.kind != "(":
            # Where a notation tells variables by their form, any other name is a thing, whatever it looks like.
            thing = quoted or self._notation.variable is not None
            return Part(Name(token.text, None, variable, thing), token.at)
        if self._notation.is_variable(token.text) and not quoted:
            raise Fault(token.at, f"the variable {token.text} cannot have arguments")
        by_use = self._notation.variable is None
        return self._applied(token, as_variable=by_use and (variable or is_free_shaped(token.text)))

    def _is_variable(self, token: Token) -> bool:
        if self._bound[token.text] > 0:
            return True
        if not self._notation.is_variable(token.text):
            return False
        self._left_free(token.text, token)
        return True
