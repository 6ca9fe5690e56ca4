"""Text to tokens for notations with a grammar of their own; a `Notation` says by data what its signs and names are."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from holdtrue.logic.fol.lexer import Fault, Token
from holdtrue.logic.fol.naming import is_number, unquoted

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
