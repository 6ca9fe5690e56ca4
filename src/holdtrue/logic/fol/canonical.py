"""Compare first-order sentences as trees, and rename what they mention."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from holdtrue.logic.fol.syntax import (
    And,
    Apply,
    Bound,
    Compare,
    Comparison,
    Constant,
    Holds,
    Iff,
    Implies,
    Not,
    Number,
    Or,
    Plus,
    Quantified,
    Sentence,
    Term,
    Xor,
    check_depth,
)

Key = tuple[Any, ...]
"""Nested tuples that begin with the kind of node; of one kind, all compare with each other."""

_TURNED: Mapping[Comparison, Comparison] = {">": "<", ">=": "<="}


def same_tree(one: Sentence, other: Sentence) -> bool:
    """Whether the sentences differ in nothing but the names of bound variables and the order of operands.

    Operands of ∧, ∨, ⊕, ↔, = and ≠ have no order, nor has a sum; `a > b` is `b < a`. Raises like `tree_key`.
    """
    return tree_key(one) == tree_key(other)


def tree_key(sentence: Sentence) -> Key:
    """A value that exactly the sentences of the same tree share. Raises `FormulaError` for what is nested too deep."""
    check_depth(sentence)
    return _key(sentence, ())


def _key(sentence: Sentence, bound: tuple[str, ...]) -> Key:
    match sentence:
        case Holds(predicate, args):
            return ("holds", predicate, _terms(args, bound))
        case Compare(op, left, right):
            sides = _term(left, bound), _term(right, bound)
            if op in _TURNED:
                return ("compare", _TURNED[op], sides[::-1])
            return ("compare", op, tuple(sorted(sides)) if op in ("=", "!=") else sides)
        case Not(operand):
            return ("not", _key(operand, bound))
        case And(operands):
            return ("and", _unordered(operands, bound))
        case Or(operands):
            return ("or", _unordered(operands, bound))
        case Xor(left, right):
            return ("xor", _unordered((left, right), bound))
        case Implies(left, right):
            return ("implies", _key(left, bound), _key(right, bound))
        case Iff(left, right):
            return ("iff", _unordered((left, right), bound))
        case Quantified(quantifier, variable, body, sort):
            return (quantifier, () if sort is None else (sort,), _key(body, (variable, *bound)))


def _unordered(operands: tuple[Sentence, ...], bound: tuple[str, ...]) -> tuple[Key, ...]:
    return tuple(sorted(_key(operand, bound) for operand in operands))


def _terms(terms: tuple[Term, ...], bound: tuple[str, ...]) -> tuple[Key, ...]:
    return tuple(_term(term, bound) for term in terms)


def _term(term: Term, bound: tuple[str, ...]) -> Key:
    match term:
        case Constant(name):
            return ("constant", name)
        case Bound(name):
            # How many quantifiers lie between it and its own: the same whatever the variables are called.
            return ("bound", bound.index(name)) if name in bound else ("free", name)
        case Number(value):
            return ("number", value)
        case Apply(function, args):
            return ("apply", function, _terms(args, bound))
        case Plus(parts):
            return ("plus", tuple(sorted((factor, _term(part, bound)) for factor, part in parts)))


def renamed(sentence: Sentence, names: Mapping[str, str]) -> Sentence:
    """The same sentence with predicates, functions and things called otherwise (old name -> new name).

    A name that is not among `names` stays, and so do variables. Raises `FormulaError` for what is nested too deep.
    """
    check_depth(sentence)
    return _renamed(sentence, names)


def _renamed(sentence: Sentence, names: Mapping[str, str]) -> Sentence:
    match sentence:
        case Holds(predicate, args):
            return Holds(names.get(predicate, predicate), tuple(_renamed_term(arg, names) for arg in args))
        case Compare(op, left, right):
            return Compare(op, _renamed_term(left, names), _renamed_term(right, names))
        case Not(operand):
            return Not(_renamed(operand, names))
        case And(operands):
            return And(tuple(_renamed(operand, names) for operand in operands))
        case Or(operands):
            return Or(tuple(_renamed(operand, names) for operand in operands))
        case Xor(left, right):
            return Xor(_renamed(left, names), _renamed(right, names))
        case Implies(left, right):
            return Implies(_renamed(left, names), _renamed(right, names))
        case Iff(left, right):
            return Iff(_renamed(left, names), _renamed(right, names))
        case Quantified(quantifier, variable, body, sort):
            return Quantified(quantifier, variable, _renamed(body, names), sort)


def _renamed_term(term: Term, names: Mapping[str, str]) -> Term:
    match term:
        case Constant(name):
            return Constant(names.get(name, name))
        case Apply(function, args):
            return Apply(names.get(function, function), tuple(_renamed_term(arg, names) for arg in args))
        case Plus(parts):
            return Plus(tuple((factor, _renamed_term(part, names)) for factor, part in parts))
        case Bound() | Number():
            return term
