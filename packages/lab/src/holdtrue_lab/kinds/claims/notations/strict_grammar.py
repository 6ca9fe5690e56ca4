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

from holdtrue_claims.fol import syntax as fol
from holdtrue_claims.fol.lexer import QUANTIFIERS, Fault, Token
from holdtrue_claims.fol.naming import is_number, unquoted
from holdtrue_claims.fol.parser import PAIRED, PREFIX, Grammar, Part, quantified

_UNIVERSAL = ("all", "forall", "∀", "!")
_VARIABLES = re.compile(r"[^\s,]+")


@dataclass(frozen=True)
class Notation:
    """A `Notation` has all in which the tokens of such notations differ.

    Attributes:
        kinds: The kind of token that each sign or word is; what is said alike is of one kind, as in `lexer`.
        head: Regular expression of a quantifier and all behind it that names its variables, as the groups `sign` and
            `variables`.
        name: Regular expression of a name or a number.
        quoted: Regular expression of a name in quotes.
        skipped: Regular expression of space and comments.
    """

    kinds: Mapping[str, str]
    head: str
    name: str
    quoted: str
    skipped: str

    @cached_property
    def token(self) -> re.Pattern[str]:
        signs = "|".join(re.escape(sign) for sign in sorted(self.kinds, key=len, reverse=True))
        return re.compile(
            f"(?P<skipped>{self.skipped})|(?P<head>{self.head})|(?P<quoted>{self.quoted})|(?P<name>{self.name})"
            f"|(?P<mark>{signs})",
            re.DOTALL,
        )


def strict_tokens(text: str, notation: Notation) -> Iterator[Token]:
    """The tokens in order, without space and comments; a quantifier's variables are `bound`. Raises `Fault`."""
    at = 0
    while at < len(text):
        match = notation.token.match(text, at)
        if match is None:
            raise Fault(at, f"the character {text[at]!r} cannot stand here")
        start, at, word = at, match.end(), match[0]
        match match.lastgroup:
            case "head":
                yield Token("∀" if match["sign"] in _UNIVERSAL else "∃", match["sign"], match.start("sign"))
                for name in _VARIABLES.finditer(text, *match.span("variables")):
                    yield Token("bound", name[0], name.start())
            case "quoted":
                yield Token("quoted", unquoted(word), start)
            case "name" | "mark":
                number = is_number(word.removeprefix("-"))
                yield Token(notation.kinds.get(word, "number" if number else "name"), word, start)


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

    def _read(self, power: int) -> Part:
        if power > PREFIX and self._peek.kind in ("¬", *QUANTIFIERS):  # None of them begins a thing.
            raise Fault(self._peek.at, f"{self._peek.text!r} cannot stand here")
        return super()._read(power)

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
