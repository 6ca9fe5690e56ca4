"""The notation of NLTK and Prover9: `all x. (Dog(x) -> exists y. Owns(y, x))`.

Steven Bird et al., NLTK, `nltk.sem.logic`; William McCune, Prover9 and Mace4, 2005 to 2010. A quantifier takes in what
follows it directly, as `-` does, and `->` groups to the left. Where the two differ, both forms are read: the full stop
behind variables may be missing, a negation takes in an equation, and names may stand in double quotes.

>>> read_nltk("all x y. (Likes(x, y) -> -Hates(y, x)).").sentence == read_nltk(
...     "all x all y (Likes(x, y) -> -Hates(y, x))").sentence
True
>>> write_nltk(read_nltk("exists z (Dog(z) & z != rex)").sentence)
'exists z.(Dog(z) & (z != rex))'
"""

from __future__ import annotations

import re
from collections.abc import Set
from typing import ClassVar

from holdtrue_claims.fol import syntax as fol
from holdtrue_claims.fol.lexer import SIGNS
from holdtrue_claims.fol.naming import in_quotes, is_free_shaped, is_number
from holdtrue_claims.fol.notation import Read, read_text
from holdtrue_claims.fol.parser import PREFIX
from holdtrue_claims.fol.variable_lists import mark_variables
from holdtrue_lab.kinds.claims.notations.strict_grammar import Notation, StrictGrammar, strict_tokens
from holdtrue_lab.kinds.claims.notations.strict_writer import Spelling, write_strict

_QUANTIFIERS = ("all", "forall", "exists", "some", "exist")
_WORDS = {"not": "¬", "and": "∧", "or": "∨", "implies": "→", "iff": "↔", "$T": "⊤", "$F": "⊥"}
_SIGN = rf"[^\s()\[\]{{}}.,:;\-!&^|=<>~\\\"%{''.join(sign for sign in SIGNS if not sign.isascii())}]"
# NLTK ends names at hyphens and points, where nothing could go on: Asia-Pacific and 42.3billion are one name here.
_NAME = rf"{_SIGN}++(?:%++|(?<=\w)-(?=\w)|(?<=[0-9])\.(?=[0-9])|{_SIGN}++)*+"
_BOUND = rf"(?!(?:{'|'.join((*_QUANTIFIERS, 'not', 'and', 'or', 'implies', 'iff'))})\b){_NAME}"
_NLTK = Notation(
    kinds={sign: kind for sign, kind in SIGNS.items() if sign not in "[]{}+*/−"} | {"-": "¬", "<-": "←"} | _WORDS,
    head=rf"(?P<sign>[∀∃]|(?:{'|'.join(_QUANTIFIERS)})(?=\s))\s*+(?P<variables>{_BOUND})",
    name=_NAME,
    quoted=r'"(?:[^"\\]|\\.)*+"',
    skipped=r"\s++|%[^\n]*+",
)
_PLAIN = re.compile(r"\w+")
_VARIABLE = re.compile(r"[a-df-z][0-9]*")


class _Grammar(StrictGrammar):
    powers: ClassVar = {"↔": 1, "→": 2, "←": 2, "∨": 3, "∧": 4, "=": PREFIX, "≠": PREFIX}


def read_nltk(text: str) -> Read:
    """Read the sentence in a text of NLTK or Prover9. Never raises.

    A name is a variable where a quantifier binds it. Elsewhere it is a thing, but x, y1 and the like (u to z) are
    variables that were left free. `%` begins a comment. Brackets that do not match are repaired, with an alert.
    """
    return read_text(text, lambda whole: mark_variables(strict_tokens(whole, _NLTK)), _Grammar)


def write_nltk(sentence: fol.Sentence) -> str:
    """Write the sentence as a text that `read_nltk` reads as the same one, up to the names of its variables.

    Raises `FormulaError` for free variables, sorts, order, arithmetic and negative numbers, which have no text here.
    Names with other signs than letters and digits get double quotes, which Prover9 reads and NLTK does not.
    """
    return write_strict(sentence, _SPELLING)


def _symbol(name: str, bound: Set[str]) -> str:
    words = (*_WORDS, *_QUANTIFIERS)
    plain = _PLAIN.fullmatch(name) and name not in words and not is_number(name)
    if plain and name not in bound and not is_free_shaped(name):
        return name
    return in_quotes(name)


def _variable(name: str) -> str:
    return name if _VARIABLE.fullmatch(name) else "x"


_SPELLING = Spelling(
    name="NLTK's notation",
    signs={fol.Not: "-", fol.And: "&", fol.Or: "|", fol.Implies: "->", fol.Iff: "<->"},
    true="$T",
    false="$F",
    quantified=lambda quantifier, variable: f"{'all' if quantifier == 'forall' else 'exists'} {variable}.",
    symbol=_symbol,
    variable=_variable,
)
