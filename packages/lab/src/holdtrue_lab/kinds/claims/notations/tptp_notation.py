"""The notation of TPTP's first-order form: `![X]: (dog(X) => ?[Y]: owns(Y, X))`.

Geoff Sutcliffe, "The TPTP Problem Library and Associated Infrastructure", Journal of Automated Reasoning 59, 2017.
A variable begins with a capital letter and every other name with a small one, or stands in single quotes.

>>> read_tptp("![X, Y]: owns(X, Y)").sentence == read_tptp("! [X] : ! [Y] : owns(X,Y)  % everything").sentence
True
>>> write_tptp(read_tptp("![X]: (dog(X) => X != 'Tom')").sentence)
"![X]: (dog(X) => (X != 'Tom'))"
>>> read_tptp("cnf(rule, axiom, ~dog(X) | barks(X)).").sentence == read_tptp("![X]: (~dog(X) | barks(X))").sentence
True
"""

from __future__ import annotations

import re
from collections.abc import Set
from dataclasses import replace
from typing import ClassVar, NamedTuple

from holdtrue_claims.fol import syntax as fol
from holdtrue_claims.fol.alert import Alert
from holdtrue_claims.fol.lexer import Fault, Token
from holdtrue_claims.fol.naming import QUOTED, in_quotes
from holdtrue_claims.fol.notation import LONGEST, Read, read_text
from holdtrue_claims.fol.parser import PREFIX
from holdtrue_lab.kinds.claims.notations.strict_grammar import Notation, StrictGrammar, strict_tokens
from holdtrue_lab.kinds.claims.notations.strict_writer import Spelling, write_strict

_NAME = r"-?[0-9]++(?![\w./])|[A-Za-z]\w*+|\$(?:true|false)\b"
_SPACE = r"\s++|%[^\n]*+|/\*.*?\*/"
_GAP = rf"(?:{_SPACE})*+"
_VARIABLE = r"[A-Z]\w*+"
_KIND = re.compile(rf"{_GAP}(?P<kind>fof|cnf|tff|tcf|thf|tpi|include){_GAP}\(", re.DOTALL)
_HEAD = re.compile(
    rf"{_GAP}(?P<kind>fof|cnf){_GAP}\({_GAP}(?P<name>{QUOTED}|\w++){_GAP},"
    rf"{_GAP}(?P<role>\w++)(?:-\w++)?{_GAP},{_GAP}",
    re.DOTALL,
)
_PIECE = re.compile(rf"{_SPACE}|{QUOTED}|(?P<open>[(\[])|(?P<close>[)\]])|(?P<comma>,)|.", re.DOTALL)
_LAST = re.compile(rf"{_GAP}\.?{_GAP}", re.DOTALL)
ROLES = {"axiom", "hypothesis", "definition", "assumption", "lemma", "theorem", "corollary"} | {
    *("conjecture", "negated_conjecture", "plain")
}
_SIGNS = "~ & | => <= <=> <~> ~|  ~&   = != ( ) , $true $false"
_KINDS = "¬ ∧ ∨ →  ←  ↔   ⊕   nor nand = ≠  ( ) , ⊤     ⊥"
TPTP = Notation(
    kinds=dict(zip(_SIGNS.split(), _KINDS.split(), strict=True)),
    head=rf"(?P<sign>[!?]){_GAP}\[(?P<variables>\s*+{_VARIABLE}(?:\s*+,\s*+{_VARIABLE})*+\s*+)\]{_GAP}:",
    name=_NAME,
    quoted=QUOTED,
    skipped=_SPACE,
)
_LOWER = re.compile(r"[a-z][A-Za-z0-9_]*")
_UPPER = re.compile(r"[A-Z][A-Za-z0-9_]*")


class _Grammar(StrictGrammar):
    powers: ClassVar = {**dict.fromkeys(("∧", "∨", "→", "←", "↔", "⊕", "nor", "nand"), 1), "=": PREFIX, "≠": PREFIX}
    alone = (1, PREFIX)

    def _is_variable(self, name: str) -> bool:
        return name[:1].isupper()

    def _named(self, token: Token) -> fol.Term:
        if token.kind == "name" and self._is_variable(token.text):
            if self._peek.kind == "(":
                raise Fault(token.at, f"the variable {token.text} cannot have arguments")
            if not self._bound[token.text]:
                self._left_free(token.text, token.at)
                self._bound[token.text] += 1  # It can be no statement, whatever binds it.
        return super()._named(token)


class Annotated(NamedTuple):
    """An `Annotated` formula is of a `kind`, fof or cnf, and stands in a text from `start` to `end`."""

    kind: str
    name: str
    role: str
    start: int
    end: int


def annotated(text: str) -> Annotated | None:
    """Return the formula of a statement, or None if the text is a formula by itself. Raises `Fault`."""
    kind, head = _KIND.match(text), _HEAD.match(text)
    if kind is None:
        return None
    if head is None or head["role"] not in ROLES:
        message = "a formula is needed with a name and a role, as in fof(name, axiom, formula)"
        raise Fault(kind.start("kind"), message, "unparsed" if kind["kind"] in ("fof", "cnf") else "unsupported")
    ends: list[int] = []
    depth = 1
    for piece in _PIECE.finditer(text, head.end()):
        depth += (piece.lastgroup == "open") - (piece.lastgroup == "close")
        if not depth or (depth == 1 and piece.lastgroup == "comma"):
            ends.append(piece.start())
        if not depth:
            if not _LAST.fullmatch(text, piece.end()):
                raise Fault(piece.end(), "one formula is read from a text, and more follows")
            return Annotated(head["kind"], head["name"].strip("'"), head["role"], head.end(), ends[0])
    raise Fault(len(text), "')' is missing")


def read_tptp(text: str) -> Read:
    """Read a formula of TPTP's first-order form, by itself or as `fof(...)` or `cnf(...)`. Never raises.

    A formula's name, role and source do not change its sentence. The variables of a `cnf` stand for all things. `%`
    begins a comment, and so does `/*` up to `*/`. What begins with `$` is not read, but for `$true` and `$false`.
    Brackets that do not match are repaired, with an alert.
    """
    try:
        found = annotated(text[: LONGEST + 1])
    except Fault as fault:
        return Read(None, (Alert(fault.kind, fault.message, text, fault.at),))
    if found is None or len(text) > LONGEST:
        return _read(text)
    read = _read(text[found.start : found.end])
    alerts = [replace(alert, text=text, position=(alert.position or 0) + found.start) for alert in read.alerts]
    if found.kind == "fof" or read.sentence is None:
        return Read(read.sentence, tuple(alerts))
    return Read(fol.closed(read.sentence), tuple(alert for alert in alerts if alert.kind != "free_variable"))


def _read(text: str) -> Read:
    return read_text(text, lambda whole: strict_tokens(whole, TPTP), _Grammar)


def write_tptp(sentence: fol.Sentence) -> str:
    """Write the sentence as a text that `read_tptp` reads as the same one, up to the names of its variables.

    Raises `FormulaError` for free variables, sorts, order and arithmetic, which have no text here.
    """
    return write_strict(sentence, _SPELLING)


def _symbol(name: str, _: Set[str]) -> str:
    return name if _LOWER.fullmatch(name) else in_quotes(name, "'")


def _variable(name: str) -> str:
    capital = name[:1].upper() + name[1:]
    return capital if _UPPER.fullmatch(capital) else "X"


_SPELLING = Spelling(
    name="TPTP's first-order form",
    signs={fol.Not: "~", fol.And: "&", fol.Or: "|", fol.Xor: "<~>", fol.Implies: "=>", fol.Iff: "<=>"},
    true="$true",
    false="$false",
    quantified=lambda quantifier, variable: f"{'!' if quantifier == 'forall' else '?'}[{variable}]: ",
    symbol=_symbol,
    variable=_variable,
    negative=True,
)
