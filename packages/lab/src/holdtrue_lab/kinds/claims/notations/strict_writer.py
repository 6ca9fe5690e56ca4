"""Sentences to text, for notations in which quantifiers and negation take in one unit; a `Spelling` is the data."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Set
from dataclasses import dataclass

from holdtrue.errors import FormulaError
from holdtrue.logic.units import ONE
from holdtrue_claims.fol import syntax as fol
from holdtrue_claims.fol.naming import is_number


@dataclass(frozen=True, slots=True)
class Spelling:
    """A `Spelling` says how each part of a sentence is written in a notation.

    Attributes:
        name: The notation, as errors call it.
        signs: What stands between operands, and before what is negated; for ⊕ it may be missing.
        true: What always holds.
        false: What never holds.
        quantified: The text of a quantifier and its variable, before what it takes in.
        symbol: The text of a predicate or function, or of a thing.
        variable: The nearest name that a variable may have; it is made unique by a number behind it.
        negative: Whether a number may be below 0.
    """

    name: str
    signs: Mapping[type, str]
    true: str
    false: str
    quantified: Callable[[fol.Quantifier, str], str]
    symbol: Callable[[str, Set[str]], str]
    variable: Callable[[str], str]
    negative: bool = False


def write_strict(sentence: fol.Sentence, spelling: Spelling) -> str:
    """Write the sentence, with its variables renamed where the notation calls for it.

    A conjunction or disjunction of one is written as that one, and ⊕ as the negation of ↔ where it has no sign. Raises
    `FormulaError` for what the notation cannot say, for free variables, and for what is nested too deep.
    """
    free = fol.free_variables(sentence)
    if free:
        raise FormulaError(f"{spelling.name} cannot say what no quantifier binds: {', '.join(free)}")
    return _Writing(spelling).text(sentence, {})


class _Writing:
    """Writes one sentence. `names` has what each variable is called in the text."""

    def __init__(self, spelling: Spelling) -> None:
        self._spelling = spelling

    def text(self, node: fol.Sentence | fol.Term, names: Mapping[str, str]) -> str:
        spelling = self._spelling
        match node:
            case fol.Holds(symbol, args) | fol.Apply(symbol, args):
                said = spelling.symbol(symbol, {*names.values()})
                return f"{said}({', '.join(self.text(arg, names) for arg in args)})" if args else said
            case fol.Constant(name):
                return spelling.symbol(name, {*names.values()})
            case fol.Bound(name):
                return names[name]
            case fol.Number(value, unit) if isinstance(value, int) and unit == ONE:
                if not is_number(str(abs(value) if spelling.negative else value)):
                    raise FormulaError(f"{spelling.name} cannot say the number {value}")
                return str(value)
            case fol.Compare("=" | "!=" as op, left, right):
                return f"{self.text(left, names)} {op} {self.text(right, names)}"
            case fol.And((only,)) | fol.Or((only,)):
                return self.text(only, names)
            case fol.And(()):
                return spelling.true
            case fol.Or(()):
                return spelling.false
            case fol.Not(operand):
                return spelling.signs[fol.Not] + self._unit(operand, names)
            case fol.Xor(left, right) if fol.Xor not in spelling.signs:
                return self.text(fol.Not(fol.Iff(left, right)), names)
            case fol.Quantified(quantifier, variable, body, None):
                own = _unique(spelling.variable(variable), {names[other] for other in names if other != variable})
                return spelling.quantified(quantifier, own) + self._unit(body, {**names, variable: own})
            case fol.And() | fol.Or() | fol.Xor() | fol.Implies() | fol.Iff():
                parts = [self._unit(part, names) for part in fol.parts(node)]
                return f" {spelling.signs[type(node)]} ".join(parts)
        raise FormulaError(f"{spelling.name} cannot say {_described(node)}")

    def _unit(self, node: fol.Sentence | fol.Term, names: Mapping[str, str]) -> str:
        text = self.text(node, names)
        negated = isinstance(node, fol.Xor) and fol.Xor not in self._spelling.signs
        return text if negated or _tight(node) else f"({text})"


def _tight(node: fol.Sentence | fol.Term) -> bool:
    """Return whether the sentence needs no brackets in any place."""
    match node:
        case fol.And((only,)) | fol.Or((only,)):
            return _tight(only)
        case fol.Holds() | fol.Not() | fol.Quantified() | fol.And(()) | fol.Or(()):
            return True
    return False


def _unique(name: str, taken: Set[str]) -> str:
    if name not in taken:
        return name
    stem = name.rstrip("0123456789")
    number = 1
    while f"{stem}{number}" in taken:
        number += 1
    return f"{stem}{number}"


def _described(node: fol.Sentence | fol.Term) -> str:
    match node:
        case fol.Compare(op):
            return f"the comparison {op}"
        case fol.Quantified(sort=sort):
            return f"that a quantifier ranges over {sort} alone"
    return f"a part of the kind {type(node).__name__}"
