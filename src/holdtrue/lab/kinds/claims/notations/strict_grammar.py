"""Text to a sentence, for notations in which quantifiers and negation take in one unit and no more.

A unit is an atom, two terms that are compared, what stands in brackets, or a unit behind a quantifier or a negation:
`all x. P(x) -> Q(x)` and `![X]: p(X) => q(X)` have x and X in the first part alone, unlike `∀x P(x) → Q(x)`.
What the signs and names of such a notation are, a `Notation` says by data.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

from holdtrue.logic.fol import syntax as fol
from holdtrue.logic.fol.lexer import Fault, Token
from holdtrue.logic.fol.naming import is_number, unquoted
from holdtrue.logic.fol.parser import PAIRED, PREFIX, Grammar, Part, quantified


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
    """

    signs: Mapping[str, str]
    words: Mapping[str, str]
    head: str
    quantifiers: Mapping[str, str]
    name: str
    quoted: str
    skipped: str

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


class StrictGrammar(Grammar):
    """A `StrictGrammar` reads the tokens of one text, whose brackets match.

    `alone` are the powers of operators that need brackets between them, ∧ and ∨ with themselves apart.
    """

    paired: ClassVar = {
        **PAIRED,
        "←": lambda left, right: fol.Implies(right, left),
        "nor": lambda left, right: fol.Not(fol.Or((left, right))),
        "nand": lambda left, right: fol.Not(fol.And((left, right))),
    }
    rightward = ()
    alone: ClassVar[Collection[int]] = (PREFIX,)

    def _joined(self, left: Part, binds: int) -> fol.Sentence | fol.Term:
        sign = self._peek.text
        found = super()._joined(left, binds)
        if binds in self.alone and self.powers.get(self._peek.kind) == binds:
            raise Fault(self._peek.at, f"brackets are needed between {sign!r} and {self._peek.text!r}")
        return found

    def _quantified(self, token: Token) -> fol.Sentence:
        names = self._variables(token)
        self._bound.update(names)
        found = self._statement(self._read(PREFIX))
        self._bound.subtract(names)
        return quantified(token, names, found)

    def _amount(self, token: Token) -> fol.Term:
        return fol.Number(int(token.text))
