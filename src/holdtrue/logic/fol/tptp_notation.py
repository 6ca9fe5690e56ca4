"""The notation of TPTP's first-order form: `![X]: (dog(X) => ?[Y]: owns(Y, X))`.

Geoff Sutcliffe, "The TPTP Problem Library and Associated Infrastructure", Journal of Automated Reasoning 59, 2017.
A variable begins with a capital letter and every other name with a small one, or stands in single quotes.

>>> read_tptp("![X, Y]: owns(X, Y)").sentence == read_tptp("! [X] : ! [Y] : owns(X,Y)  % everything").sentence
True
>>> write_tptp(read_tptp("![X]: (dog(X) => X != 'Tom')").sentence)
"![X]: (dog(X) => (X != 'Tom'))"
"""

from __future__ import annotations

import re
from collections.abc import Set

from holdtrue.errors import FormulaError
from holdtrue.logic.fol import syntax as fol
from holdtrue.logic.fol.naming import is_number
from holdtrue.logic.fol.notation import Read
from holdtrue.logic.fol.strict_grammar import Notation, read_strict
from holdtrue.logic.fol.strict_writer import Spelling, write_strict

_NAME = r"-?[0-9]++(?![\w./])|[A-Za-z]\w*+|\$(?:true|false)\b"
_SPACE = r"\s++|%[^\n]*+|/\*.*?\*/"
_GAP = rf"(?:{_SPACE})*"
_VARIABLE = r"[A-Z]\w*+"
TPTP = Notation(
    signs={
        "~": "¬",
        "&": "∧",
        "|": "∨",
        "=>": "→",
        "<=": "←",
        "<=>": "↔",
        "<~>": "⊕",
        "~|": "nor",
        "~&": "nand",
        "=": "=",
        "!=": "≠",
        "(": "(",
        ")": ")",
        ",": ",",
    },
    words={"$true": "⊤", "$false": "⊥"},
    head=rf"(?P<sign>[!?]){_GAP}\[(?P<variables>\s*+{_VARIABLE}(?:\s*+,\s*+{_VARIABLE})*+\s*+)\]{_GAP}:",
    quantifiers={"!": "∀", "?": "∃"},
    name=_NAME,
    quoted=r""""(?:[^"\\]|\\.)*+"|'(?:[^'\\]|\\.)*+'""",
    skipped=_SPACE,
    variable=_VARIABLE,
    powers=dict.fromkeys(("∧", "∨", "→", "←", "↔", "⊕", "nor", "nand"), 1),
    grouping="brackets",
)
_LOWER = re.compile(r"[a-z][A-Za-z0-9_]*")
_UPPER = re.compile(r"[A-Z][A-Za-z0-9_]*")


def read_tptp(text: str) -> Read:
    """Read the formula in a text of TPTP's first-order form, without the `fof(...)` around it. Never raises.

    `%` begins a comment, and so does `/*` up to `*/`. Functions and predicates of the system, which begin with `$`, are
    not read, but for `$true` and `$false`. Brackets that do not match are repaired, with an alert.
    """
    return read_strict(text, TPTP)


def write_tptp(sentence: fol.Sentence) -> str:
    """Write the sentence as a text that `read_tptp` reads as the same one, up to the names of its variables.

    Raises `FormulaError` for free variables, sorts, order and arithmetic, which have no text here.
    """
    return write_strict(sentence, _SPELLING)


def _symbol(name: str, _: Set[str]) -> str:
    if _LOWER.fullmatch(name):
        return name
    return "'" + name.replace("\\", "\\\\").replace("'", "\\'") + "'"


def _variable(name: str) -> str:
    capital = name[:1].upper() + name[1:]
    return capital if _UPPER.fullmatch(capital) else "X"


def _number(number: fol.Number) -> str:
    if not is_number(str(number.value).removeprefix("-")):
        raise FormulaError(f"TPTP cannot say the number {number.value} here")
    return str(number.value)


_SPELLING = Spelling(
    name="TPTP's first-order form",
    signs={fol.Not: "~", fol.And: "&", fol.Or: "|", fol.Xor: "<~>", fol.Implies: "=>", fol.Iff: "<=>"},
    compared={"=": "=", "!=": "!="},
    true="$true",
    false="$false",
    quantified=lambda quantifier, variable: f"{'!' if quantifier == 'forall' else '?'}[{variable}]: ",
    symbol=_symbol,
    variable=_variable,
    number=_number,
)
