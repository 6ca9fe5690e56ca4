"""The notation of NLTK and Prover9: `all x. (Dog(x) -> exists y. Owns(y, x))`.

Steven Bird et al., NLTK, `nltk.sem.logic`; William McCune, Prover9 and Mace4, 2005 to 2010. A quantifier takes in one
unit, as `-` does, and `->` groups to the left. A unit is an atom, two terms that are compared, what stands in brackets,
or a unit behind a quantifier or a negation: `all x. P(x) -> Q(x)` has x in the first part alone, unlike
`∀x P(x) → Q(x)`. Where the two differ, both forms are read: the full stop behind variables may be missing, a negation
takes in an equation, and names may stand in double quotes.

>>> read_nltk("all x y. (Likes(x, y) -> -Hates(y, x)).").sentence == read_nltk(
...     "all x all y (Likes(x, y) -> -Hates(y, x))").sentence
True
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import ClassVar

from holdtrue_claims.fol import syntax as fol
from holdtrue_claims.fol.lexer import QUANTIFIERS, SIGNS, Fault, Token, mark_variables
from holdtrue_claims.fol.naming import is_number, unquoted
from holdtrue_claims.fol.notation import Read, read_text
from holdtrue_claims.fol.parser import PAIRED, PREFIX, Grammar, Part, quantified

_UNIVERSAL = ("all", "forall", "∀")
_QUANTIFIERS = ("all", "forall", "exists", "some", "exist")
_WORDS = {"not": "¬", "and": "∧", "or": "∨", "implies": "→", "iff": "↔", "$T": "⊤", "$F": "⊥"}
_KINDS = {sign: kind for sign, kind in SIGNS.items() if sign not in "[]{}+*/−"} | {"-": "¬", "<-": "←"} | _WORDS
"""The kind of token that each sign or word is; what is said alike is of one kind, as in `lexer`."""
_SIGN = rf"[^\s()\[\]{{}}.,:;\-!&^|=<>~\\\"%{''.join(sign for sign in SIGNS if not sign.isascii())}]"
# NLTK ends names at hyphens and points, where nothing could go on: Asia-Pacific and 42.3billion are one name here.
_NAME = rf"{_SIGN}++(?:%++|(?<=\w)-(?=\w)|(?<=[0-9])\.(?=[0-9])|{_SIGN}++)*+"
_BOUND = rf"(?!(?:{'|'.join((*_QUANTIFIERS, 'not', 'and', 'or', 'implies', 'iff'))})\b){_NAME}"
_HEAD = rf"(?P<sign>[∀∃]|(?:{'|'.join(_QUANTIFIERS)})(?=\s))\s*+(?P<variables>{_BOUND})"
_MARKS = "|".join(re.escape(sign) for sign in sorted(_KINDS, key=len, reverse=True))
_TOKEN = re.compile(
    rf"(?P<skipped>\s++|%[^\n]*+)|(?P<head>{_HEAD})|(?P<quoted>\"(?:[^\"\\]|\\.)*+\")|(?P<name>{_NAME})|(?P<mark>{_MARKS})",
    re.DOTALL,
)
_VARIABLES = re.compile(r"[^\s,]+")


def read_nltk(text: str) -> Read:
    """Read the sentence in a text of NLTK or Prover9. Never raises.

    A name is a variable where a quantifier binds it. Elsewhere it is a thing, but x, y1 and the like (u to z) are
    variables that were left free. `%` begins a comment. Brackets that do not match are repaired, with an alert.
    """
    return read_text(text, lambda whole: mark_variables(_tokens(whole)), _Grammar)


def _tokens(text: str) -> Iterator[Token]:
    """Yield the tokens in order, without space and comments; a quantifier's variables are `bound`. Raises `Fault`."""
    at = 0
    while at < len(text):
        match = _TOKEN.match(text, at)
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
                yield Token(_KINDS.get(word, "number" if number else "name"), word, start)


class _Grammar(Grammar):
    powers: ClassVar = {"↔": 1, "→": 2, "←": 2, "∨": 3, "∧": 4, "=": PREFIX, "≠": PREFIX}
    paired: ClassVar = {**PAIRED, "←": lambda left, right: fol.Implies(right, left)}
    rightward = ()

    def _read(self, power: int) -> Part:
        if power > PREFIX and self._peek.kind in ("¬", *QUANTIFIERS):  # None of them begins a thing.
            raise Fault(self._peek.at, f"{self._peek.text!r} cannot stand here")
        return super()._read(power)

    def _joined(self, left: Part, binds: int) -> fol.Sentence | fol.Term:
        sign = self._peek.text
        found = super()._joined(left, binds)
        if binds == PREFIX and self.powers.get(self._peek.kind) == PREFIX:
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
