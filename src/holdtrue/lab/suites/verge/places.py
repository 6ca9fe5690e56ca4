"""Write formulas about the places of things as first-order sentences, with a function from things to places."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import combinations

from holdtrue.errors import FormulaError
from holdtrue.logic import formula as f
from holdtrue.logic.fol.syntax import And, Apply, Compare, Comparison, Constant, Number, Or, Plus, Sentence, Term

_OPS: Mapping[f.Comparison, Comparison] = {"==": "=", "!=": "!=", "<": "<", "<=": "<=", ">": ">", ">=": ">="}


@dataclass(frozen=True, slots=True)
class Clue:
    """A sentence of a puzzle, and the formula that it says."""

    text: str
    formula: f.Formula


def place_of(function: str, thing: str) -> Apply:
    """Return the term for the place of a thing."""
    return Apply(function, (Constant(thing),))


def all_apart(places: Iterable[Term]) -> Sentence:
    """Return the sentence that no two of the places are the same."""
    pairs = tuple(Compare("!=", one, other) for one, other in combinations(places, 2))
    return pairs[0] if len(pairs) == 1 else And(pairs)


def place_sentence(formula: f.Formula, places: Mapping[str, Term]) -> Sentence:
    """Return a comparison of places as a first-order sentence; `places` has a term for the name of each variable.

    Raises `FormulaError` for any other formula.
    """
    if not isinstance(formula, f.Compare):
        raise FormulaError(f"no comparison of places: {formula}")
    left, right = formula.left, formula.right
    if not isinstance(left, f.Abs):
        return Compare(_OPS[formula.op], _term(left, places), _term(right, places))
    # Sentences have no absolute value: a distance is one or the other way round.
    if formula.op != "==":
        raise FormulaError(f"no distance between places: {formula}")
    ways = (left.inner, -left.inner)
    return Or(tuple(Compare("=", _term(way, places), _term(right, places)) for way in ways))


def _term(term: f.Term, places: Mapping[str, Term]) -> Term:
    match term:
        case f.Variable(name):
            return places[name]
        case f.Constant(value):
            return Number(value)
        case f.Sum():
            form = f.linear(term)
            parts = [(factor, _term(atom, places)) for atom, factor in form.factors]
            return Plus((*parts, *(((1, Number(form.constant)),) if form.constant else ())))
    raise FormulaError(f"no place: {term}")
