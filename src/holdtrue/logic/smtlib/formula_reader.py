"""Read formulas from SMT-LIB text over integers, such as the terms that `theory_text.formula_term` writes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import reduce
from itertools import pairwise
from typing import TypeVar

from holdtrue.errors import FormulaError
from holdtrue.logic import formula as f
from holdtrue.logic.smtlib import typed_terms as smt
from holdtrue.logic.smtlib.script import term_text
from holdtrue.logic.smtlib.sexpr import ReadLimits, Source, excerpt, read_sexprs
from holdtrue.logic.smtlib.symbols import name_of
from holdtrue.logic.smtlib.term_reader import TermReader

LIMITS = ReadLimits(max_bytes=100_000, max_nodes=10_000)
Part = f.Formula | f.Term
Kind = TypeVar("Kind", f.Formula, f.Term)
_SORTS = {"Bool": smt.BOOL, "Int": smt.INT}
_COMPARISONS: Mapping[str, f.Comparison] = {"<=": "<=", "<": "<", ">=": ">=", ">": ">", "=": "=="}


def read_formula(text: str, resolve: Callable[[str], f.Term | int], limits: ReadLimits | None = None) -> f.Formula:
    """Return the formula of a text that is one term of sort Bool, over integers and without quantifiers.

    `resolve` returns the term or the integer of a name, and raises `KeyError` or `FormulaError` for an unknown name. In
    the text, names are symbols (`symbols.symbol_of`). Names of `let` are replaced by their terms.

    Raises:
        SmtLibError: A part of the text is not accepted, or `resolve` does not know a name; the error has the place.
        FormulaError: A divisor may be zero, or the formula without `let` is too large or nested too deep.
    """
    limits, source = limits or LIMITS, Source(text)
    expressions = read_sexprs(source, limits)
    if len(expressions) != 1:
        place = expressions[1].at if expressions else 0
        raise source.fault(place, f"a formula is one term, such as (< a b), not {len(expressions)}")
    meanings: dict[str, f.Term] = {}

    def find(symbol: str) -> smt.Function:
        if symbol not in meanings:
            meanings[symbol] = _meaning(name_of(symbol), resolve)
        return smt.Function(symbol, (), smt.INT)

    term = TermReader(source, _SORTS.get, find).term(expressions[0], smt.BOOL)
    parts = _size(term, {})
    if parts > limits.max_nodes:
        raise FormulaError(f"{excerpt(text)} has {parts} parts without let, over {limits.max_nodes}")
    read = _Reader(meanings).formula(term, {})
    read.check_depth()
    return read


def _meaning(name: str, resolve: Callable[[str], f.Term | int]) -> f.Term:
    try:
        return f.term(resolve(name))
    except KeyError:
        raise FormulaError(f"unknown variable {excerpt(name)}") from None


def _size(term: smt.SmtTerm, names: Mapping[str, int]) -> int:
    """Return the number of parts of a term with the names of `let` replaced by their terms."""
    match term:
        case smt.Local():
            return names[term.name]
        case smt.Operation():
            return 1 + sum([_size(operand, names) for operand in term.operands])
        case smt.Let():
            return _size(term.body, {**names, **{own.name: _size(bound, names) for own, bound in term.bindings}})
    return 1


class _Reader:
    """A `_Reader` turns typed terms into formulas and terms; `meanings` has the term of each symbol."""

    def __init__(self, meanings: Mapping[str, f.Term]) -> None:
        self._meanings = meanings

    def formula(self, term: smt.SmtTerm, names: Mapping[str, Part]) -> f.Formula:
        match term:
            case smt.Literal():
                return f.Truth(bool(term.value))
            case smt.Local():
                return _expected(f.Formula, names[term.name])
            case smt.Let():
                return self.formula(term.body, self._bound(term, names))
            case smt.Operation():
                return self._stated(term, names)
        raise FormulaError(f"a formula has no quantifiers: {excerpt(term_text(term))}")

    def term(self, term: smt.SmtTerm, names: Mapping[str, Part]) -> f.Term:
        match term:
            case smt.Literal() if term.sort == smt.INT:
                return f.Constant(int(term.value))
            case smt.Local():
                return _expected(f.Term, names[term.name])
            case smt.Call():
                return self._meanings[term.function.name]
            case smt.Let():
                return self.term(term.body, self._bound(term, names))
            case smt.Operation() if term.sort == smt.INT:
                return self._computed(term, names)
        raise FormulaError(f"a formula is about integers only, not {excerpt(term_text(term))}")

    def _bound(self, term: smt.Let, names: Mapping[str, Part]) -> Mapping[str, Part]:
        inner = dict(names)
        for own, bound in term.bindings:
            inner[own.name] = self.formula(bound, names) if own.sort == smt.BOOL else self.term(bound, names)
        return inner

    def _stated(self, term: smt.Operation, names: Mapping[str, Part]) -> f.Formula:
        if term.operands[-1].sort != smt.BOOL:
            return _compared(term.op, [self.term(operand, names) for operand in term.operands])
        operands = tuple([self.formula(operand, names) for operand in term.operands])
        match term.op:
            case "not":
                return f.Not(*operands)
            case "and":
                return f.And(operands)
            case "or":
                return f.Or(operands)
            case "xor":
                return reduce(f.Xor, operands)
            case "=>":
                *premises, last = operands
                return reduce(lambda then, premise: premise.implies(then), reversed(premises), last)
            case "ite":
                return f.IfThenElse(*operands)
            case "=":
                return _all([f.Iff(left, right) for left, right in pairwise(operands)])
            case "distinct":  # Three truth values are never all different.
                return f.Xor(*operands) if len(operands) == 2 else f.Truth(False)
        raise FormulaError(f"a formula is about integers only, not {excerpt(term_text(term))}")

    def _computed(self, term: smt.Operation, names: Mapping[str, Part]) -> f.Term:
        if term.op == "ite":
            condition = self.formula(term.operands[0], names)
            then, otherwise = (self.term(operand, names) for operand in term.operands[1:])
            return _chosen(condition, then, otherwise)
        operands = [self.term(operand, names) for operand in term.operands]
        match term.op:
            case "+":
                return f.Sum(tuple(map(_multiple, operands)))
            case "-" if len(operands) == 1:
                (only,) = operands
                return f.Constant(-only.value) if isinstance(only, f.Constant) else -only
            case "-":
                return f.Sum(((1, operands[0]), *((-1, operand) for operand in operands[1:])))
            case "*":
                return reduce(f.product, operands)
            case "div":
                return reduce(f.Quotient, operands)
            case "mod":
                return f.Remainder(*operands)
            case "abs":
                return f.Abs(*operands)
        raise FormulaError(f"a formula is about integers only, not {excerpt(term_text(term))}")


def _expected(kind: type[Kind], found: Part) -> Kind:
    if not isinstance(found, kind):
        raise FormulaError(f"{found!s:.60} stands in the wrong place")
    return found


def _compared(op: str, terms: Sequence[f.Term]) -> f.Formula:
    if op == "distinct":
        return f.Compare("!=", *terms) if len(terms) == 2 else f.AllDifferent(tuple(terms))
    return _all([f.Compare(_COMPARISONS[op], left, right) for left, right in pairwise(terms)])


def _all(formulas: Sequence[f.Formula]) -> f.Formula:
    return formulas[0] if len(formulas) == 1 else f.And(tuple(formulas))


def _multiple(term: f.Term) -> tuple[int, f.Term]:
    """Return a summand as a factor and a term."""
    match term:
        case f.Sum(parts=((factor, own),)):
            return factor, own
    return 1, term


def _chosen(condition: f.Formula, then: f.Term, otherwise: f.Term) -> f.Term:
    """Return the term of an `ite`; it is a `Least` or `Greatest` if it selects one of two compared terms."""
    match condition:
        case f.Compare(op="<=" | ">=" as op, left=left, right=right):
            if (left, right) == (otherwise, then):
                op = ">=" if op == "<=" else "<="
            elif (left, right) != (then, otherwise):
                return f.Ite(condition, then, otherwise)
            kind = f.Least if op == "<=" else f.Greatest
            one, other = ((own.terms if isinstance(own, kind) else (own,)) for own in (left, right))
            return kind((*one, *other))
    return f.Ite(condition, then, otherwise)
