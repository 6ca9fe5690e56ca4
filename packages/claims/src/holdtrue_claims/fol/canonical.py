"""Compare first-order sentences as trees, and rename their predicates, functions and things."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any

from holdtrue.logic.value_sorts import Instant
from holdtrue_claims.fol import syntax as fol

Key = tuple[Any, ...]
"""Nested tuples that begin with the kind of node. Keys of one kind are comparable."""


def same_tree(one: fol.Sentence, other: fol.Sentence) -> bool:
    """Return whether the sentences differ only in the names of bound variables and the order of operands.

    The operands of ∧, ∨, ⊕, ↔, = and ≠ and of sums have no order; `a > b` is `b < a`. Raises like `tree_key`.
    """
    return tree_key(one) == tree_key(other)


def tree_key(sentence: fol.Sentence) -> Key:
    """Return a value that is equal for exactly the sentences with the same tree. Raises `FormulaError` for deep
    nesting.
    """
    fol.check_depth(sentence)
    return _key(sentence, ())


def term_key(term: fol.Term) -> Key:
    """Return a value that is equal for exactly the terms with the same tree. Free variables are compared by name."""
    return _key(term, ())


def _key(node: fol.Sentence | fol.Term, bound: tuple[str, ...]) -> Key:
    kind = type(node).__name__
    match node:
        case fol.Constant(name):
            return (kind, name)
        case fol.Number(value, unit):
            # In base units, so that kilos and grams are comparable.
            return (kind, unit.dimension, Fraction(value) * unit.factor)
        case Instant(value, sort):
            return (kind, str(sort), value)
        case fol.Bound(name):
            # The number of quantifiers between the variable and its binder, independent of names.
            return (kind, bound.index(name)) if name in bound else ("Free", name)
        case fol.Holds(name, args) | fol.Apply(name, args):
            return (kind, name, _keys(args, bound))
        case fol.Plus(summed):
            return (kind, tuple(sorted((factor, _key(term, bound)) for factor, term in summed)))
        case fol.Operation(op, args):
            keys = _keys(args, bound)
            return (kind, op, tuple(sorted(keys)) if op in ("min", "max") else keys)
        case fol.Quantified() | fol.Count() | fol.Total():
            kind = node.quantifier if isinstance(node, fol.Quantified) else kind
            return (kind, () if node.sort is None else (node.sort,), *_keys(fol.parts(node), (node.variable, *bound)))
        case fol.Compare(op, left, right):
            sides = _keys((left, right), bound)
            if op in (">", ">="):
                return (kind, fol.TURNED[op], sides[::-1])
            return (kind, op, tuple(sorted(sides)) if op in ("=", "!=") else sides)
        case fol.Not() | fol.Implies() | fol.Choice():
            return (kind, _keys(fol.parts(node), bound))
    return (kind, tuple(sorted(_keys(fol.parts(node), bound))))


def _keys(nodes: Iterable[fol.Sentence | fol.Term], bound: tuple[str, ...]) -> tuple[Key, ...]:
    return tuple(_key(node, bound) for node in nodes)


def renamed(sentence: fol.Sentence, names: Mapping[str, str]) -> fol.Sentence:
    """Return the sentence with other names for predicates, functions and things (old name -> new name).

    A name that is not in `names` stays, and so do variables. Raises `FormulaError` for deep nesting.
    """
    fol.check_depth(sentence)
    found: fol.Sentence = _renamed(sentence, names)
    return found


def _renamed(node: Any, names: Mapping[str, str]) -> Any:
    match node:
        case fol.Constant(name):
            return fol.Constant(names.get(name, name))
        case fol.Holds(name, args) | fol.Apply(name, args):
            return type(node)(names.get(name, name), tuple(_renamed(arg, names) for arg in args))
    return fol.rebuilt(node, lambda part: _renamed(part, names))
