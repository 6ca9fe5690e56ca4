"""Translate typed SMT-LIB terms to first-order sentences, with `let` and definitions written out.

Bound variables get new names, so that nothing is captured. Quantifiers over numbers, and truth values as arguments, are
errors, because sentences cannot express them.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import reduce
from itertools import combinations, pairwise

from holdtrue.errors import FormulaError
from holdtrue.logic.smtlib import typed_terms as smt
from holdtrue.logic.smtlib.symbols import name_of
from holdtrue_claims.fol import syntax as fol

MOST_PARTS = 50_000
"""The largest number of parts of a formula after names are written out."""
Part = fol.Sentence | fol.Term
Names = Mapping[str, Part]
"""The sentence or term of each bound name."""
_COMPARISONS: Mapping[str, fol.Comparison] = {"=": "=", "<": "<", "<=": "<=", ">": ">", ">=": ">="}
_WORD = re.compile(r"[^\W\d]\w*")


@dataclass(frozen=True)
class SentenceTranslation:
    """A `SentenceTranslation` knows the names of symbols, the symbols that are `things`, and the sorts of things.

    `sorts` maps each sort of things to its name in sentences, or None for all things. `definitions` maps each defined
    symbol to its definition.
    """

    names: Mapping[str, str]
    things: Collection[str]
    sorts: Mapping[str, str | None]
    definitions: Mapping[str, smt.Definition] = field(default_factory=dict)

    def stated(self, term: smt.SmtTerm) -> fol.Sentence:
        """Return the sentence of a closed formula. Raises `FormulaError` if none exists, or if the formula is nested
        too deeply.
        """
        sizes: dict[str, int] = {}
        for name, definition in self.definitions.items():
            sizes[name] = _size(definition.body, dict.fromkeys((own.name for own in definition.parameters), 1), sizes)
        if _size(term, {}, sizes) > MOST_PARTS:
            raise FormulaError(f"with its names written out, a formula has over {MOST_PARTS} parts")
        found = self.sentence(term, {}, frozenset(self.names.values()))
        fol.check_depth(found)
        return found

    def sentence(self, term: smt.SmtTerm, names: Names, taken: frozenset[str]) -> fol.Sentence:
        match term:
            case smt.Literal(bool() as value):
                return fol.And(()) if value else fol.Or(())
            case smt.Local(name) if isinstance(found := names[name], fol.Sentence):
                return found
            case smt.Let(body=body):
                return self.sentence(body, self._bound(term, names, taken), taken)
            case smt.Call(function, operands) if function.name in self.definitions:
                definition = self.definitions[function.name]
                return self.sentence(definition.body, self._given(definition, operands, names, taken), taken)
            case smt.Call(function, operands):
                return fol.Holds(self.names[function.name], self._terms(operands, names, taken))
            case smt.Quantified():
                return self._quantified(term, names, taken)
            case smt.Operation(op, operands) if op == "is_int":
                (number,) = self._terms(operands, names, taken)
                return fol.Compare("=", fol.Operation("floor", (number,)), number)
            case smt.Operation(op, operands) if operands[-1].sort == smt.BOOL:
                return _connected(op, [self.sentence(own, names, taken) for own in operands])
            case smt.Operation(op, operands):
                return _compared(op, self._terms(operands, names, taken))
        raise FormulaError(f"{type(term).__name__.lower()} has no counterpart in sentences")

    def term(self, term: smt.SmtTerm, names: Names, taken: frozenset[str]) -> fol.Term:
        match term:
            case smt.Local(name) if isinstance(found := names[name], fol.Term):
                return found
            case smt.Literal(value, sort) if sort != smt.BOOL:
                return _number(Fraction(value))
            case smt.Let(body=body):
                return self.term(body, self._bound(term, names, taken), taken)
            case smt.Call(function, operands) if function.name in self.definitions:
                definition = self.definitions[function.name]
                return self.term(definition.body, self._given(definition, operands, names, taken), taken)
            case smt.Call(function) if function.name in self.things:
                return fol.Constant(self.names[function.name])
            case smt.Call(function, operands):
                return fol.Apply(self.names[function.name], self._terms(operands, names, taken))
            case smt.Operation("ite", (condition, then, otherwise)):
                chosen = self.term(then, names, taken), self.term(otherwise, names, taken)
                return fol.Choice(self.sentence(condition, names, taken), *chosen)
            case smt.Operation(op, operands) if term.sort in smt.NUMBERS:
                return _computed(op, self._terms(operands, names, taken))
        raise FormulaError("a truth value stands where a term has to, which sentences cannot say")

    def _terms(self, terms: Sequence[smt.SmtTerm], names: Names, taken: frozenset[str]) -> tuple[fol.Term, ...]:
        found: list[fol.Term] = []
        for term in terms:
            found.append(self.term(term, names, taken))  # noqa: PERF401 - a comprehension is one more frame a level
        return tuple(found)

    def _quantified(self, term: smt.Quantified, names: Names, taken: frozenset[str]) -> fol.Sentence:
        inner, bound = dict(names), []
        for own in term.variables:
            if own.sort.name not in self.sorts:
                raise FormulaError(f"only things can be quantified over, not {own.sort.name}")
            name = _fresh(name_of(own.name), taken)
            taken |= {name}
            inner[own.name] = fol.Bound(name)
            bound.append((name, self.sorts[own.sort.name]))
        found = self.sentence(term.body, inner, taken)
        for name, sort in reversed(bound):
            found = fol.Quantified("forall" if term.every else "exists", name, found, sort)
        return found

    def _bound(self, term: smt.Let, names: Names, taken: frozenset[str]) -> Names:
        return self._named([own for own, _ in term.bindings], [bound for _, bound in term.bindings], names, taken)

    def _given(
        self, definition: smt.Definition, operands: Sequence[smt.SmtTerm], names: Names, taken: frozenset[str]
    ) -> Names:
        return self._named(definition.parameters, operands, names, taken)

    def _named(
        self, places: Sequence[smt.Local], terms: Sequence[smt.SmtTerm], names: Names, taken: frozenset[str]
    ) -> Names:
        found = dict(names)
        for own, term in zip(places, terms, strict=True):
            boolean = own.sort == smt.BOOL
            found[own.name] = self.sentence(term, names, taken) if boolean else self.term(term, names, taken)
        return found


def _size(term: smt.SmtTerm, names: Mapping[str, int], bodies: Mapping[str, int]) -> int:
    """Return the number of parts of a term with all names written out, and operands of definitions repeated."""
    match term:
        case smt.Local(name):
            return names.get(name, 1)
        case smt.Operation(op, operands):
            return 1 + _times_written(op, operands) * sum([_size(own, names, bodies) for own in operands])
        case smt.Call(function, operands):
            # An upper bound: each part of the body may be an operand.
            return bodies.get(function.name, 1) * (1 + sum([_size(own, names, bodies) for own in operands]))
        case smt.Let(bindings, body):
            bound = {own.name: _size(each, names, bodies) for own, each in bindings}
            return _size(body, {**names, **bound}, bodies)
        case smt.Quantified(variables=variables, body=body):
            return len(variables) + _size(body, {**names, **dict.fromkeys((own.name for own in variables), 1)}, bodies)
    return 1


def _times_written(op: str, operands: Sequence[smt.SmtTerm]) -> int:
    """Return how often an operand is written at most: chains and choices are split."""
    if op == "distinct":
        return len(operands) - 1
    chained = op in _COMPARISONS and len(operands) > 2
    return 2 if chained or op == "is_int" or (op == "ite" and operands[-1].sort == smt.BOOL) else 1


def _fresh(name: str, taken: Collection[str]) -> str:
    """Return a variable name that is not taken and that any notation can write."""
    first = found = name if _WORD.fullmatch(name) else "x"
    number = 2
    while found in taken:
        found, number = f"{first}{number}", number + 1
    return found


# --- sentences -------------------------------------------------------------------------------------------------------


def _connected(op: str, operands: Sequence[fol.Sentence]) -> fol.Sentence:
    match op, operands:
        case "not", [operand]:
            return fol.Not(operand)
        case "and", _:
            return fol.And(tuple(operands))
        case "or", _:
            return fol.Or(tuple(operands))
        case "xor", _:
            return reduce(fol.Xor, operands)
        case "=>", [*conditions, last]:
            return reduce(lambda then, condition: fol.Implies(condition, then), reversed(conditions), last)
        case "=", _:
            return _all([fol.Iff(one, other) for one, other in pairwise(operands)])
        case "distinct", [one, other]:
            return fol.Xor(one, other)
        case "distinct", _:  # of three truth values two are equal
            return fol.Or(())
        case "ite", [condition, then, otherwise]:
            return fol.And((fol.Implies(condition, then), fol.Or((condition, otherwise))))
    raise FormulaError(f"{op} has no counterpart in sentences")


def _compared(op: str, terms: Sequence[fol.Term]) -> fol.Sentence:
    if op == "distinct":
        return _all([_comparison("!=", one, other) for one, other in combinations(terms, 2)])
    if op not in _COMPARISONS:
        raise FormulaError(f"{op} has no counterpart in sentences")
    return _all([_comparison(_COMPARISONS[op], one, other) for one, other in pairwise(terms)])


def _comparison(op: fol.Comparison, one: fol.Term, other: fol.Term) -> fol.Sentence:
    # Two bare numbers would be read as things with these names.
    bare = isinstance(one, fol.Number) and isinstance(other, fol.Number)
    return fol.Compare(op, fol.Plus(((1, one),)) if bare else one, other)


def _all(parts: Sequence[fol.Sentence]) -> fol.Sentence:
    return parts[0] if len(parts) == 1 else fol.And(tuple(parts))


# --- terms -----------------------------------------------------------------------------------------------------------


def _computed(op: str, terms: Sequence[fol.Term]) -> fol.Term:
    match op, terms:
        case "+", _:
            return _sum([(1, term) for term in terms])
        case "-", [only]:
            return _multiple(Fraction(-1), only)
        case "-", [first, *others]:
            return _sum([(1, first), *((-1, other) for other in others)])
        case "*", _:
            return reduce(_product, terms)
        case "/", [first, *divisors]:
            return reduce(_quotient, divisors, first)
        case "div" | "mod", [first, *divisors] if all(map(_is_divisor, divisors)):
            for divisor in divisors:
                first = fol.Operation("div" if op == "div" else "mod", (first, divisor))
            return first
        case "div" | "mod", _:
            raise FormulaError(f"{op} divides only by a written number other than 0")
        case "abs", [only]:
            return fol.Operation("abs", (only,))
        case "to_real", [only]:
            return only
        case "to_int", [only]:
            return fol.Operation("floor", (only,))
    raise FormulaError(f"{op} has no counterpart in sentences")


def _number(value: Fraction) -> fol.Number:
    return fol.Number(int(value) if value.denominator == 1 else value)


def _sum(parts: Sequence[tuple[int, fol.Term]]) -> fol.Term:
    """Return a sum, with written multiples as factors."""
    if all(isinstance(term, fol.Number) for _, term in parts):
        return _number(sum((factor * Fraction(own.value) for factor, own in parts), Fraction(0)))  # type: ignore[union-attr]
    found = []
    for factor, term in parts:
        match term:
            case fol.Plus(parts=((multiple, own),)):
                found.append((factor * multiple, own))
            case _:
                found.append((factor, term))
    return fol.Plus(tuple(found))


def _multiple(factor: Fraction, term: fol.Term) -> fol.Term:
    if isinstance(term, fol.Number):
        return _number(factor * term.value)
    return fol.Plus(((int(factor) if factor.denominator == 1 else factor, term),))


def _product(one: fol.Term, other: fol.Term) -> fol.Term:
    if isinstance(one, fol.Number):
        return _multiple(Fraction(one.value), other)
    if isinstance(other, fol.Number):
        return _multiple(Fraction(other.value), one)
    return fol.Times(one, other)


def _is_divisor(term: fol.Term) -> bool:
    return isinstance(term, fol.Number) and term.value != 0


def _quotient(one: fol.Term, by: fol.Term) -> fol.Term:
    if not isinstance(by, fol.Number) or not by.value:
        raise FormulaError("/ divides only by a written number other than 0")
    return _multiple(1 / Fraction(by.value), one)
