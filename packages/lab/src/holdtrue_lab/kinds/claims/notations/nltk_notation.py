"""Read the notation of NLTK and Prover9: `all x. (Dog(x) -> exists y. Owns(y, x))`.

Sources are Steven Bird et al., NLTK, `nltk.sem.logic`, and William McCune, Prover9 and Mace4, 2005 to 2010. A
quantifier binds one unit, as `-` does, and `->` groups to the left. A unit is an atom, a comparison of two terms, a
formula in brackets, or a quantifier or negation with its unit. So in `all x. P(x) -> Q(x)` the x of Q is free, unlike
in `∀x P(x) → Q(x)`. If NLTK and Prover9 differ, both forms are read. The full stop after variables may be missing, a
negation may be of an equation, and names may stand in double quotes.

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
"""The kind of token of each sign or word, as in `lexer`. Signs with the same meaning have one kind."""
_SIGN = rf"[^\s()\[\]{{}}.,:;\-!&^|=<>~\\\"%{''.join(sign for sign in SIGNS if not sign.isascii())}]"
# NLTK ends a name at a hyphen or point, which no formula could continue: Asia-Pacific is one name here.
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

    A name is a variable if a quantifier binds it. Other names are things, except free variables such as x and y1 (u to
    z). `%` begins a comment. Unmatched brackets are repaired, with an alert.
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
        if power > PREFIX and self._peek.kind in ("¬", *QUANTIFIERS):  # no term begins with one
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
