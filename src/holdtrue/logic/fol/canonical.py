"""Sentences that are the same tree, and sentences in other words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import fields
from typing import Any

from holdtrue.logic.fol.syntax import (
    Apply,
    Bound,
    Compare,
    Comparison,
    Constant,
    Holds,
    Implies,
    Not,
    Number,
    Plus,
    Quantified,
    Sentence,
    Term,
    check_depth,
    parts,
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


def _key(node: Sentence | Term, bound: tuple[str, ...]) -> Key:
    kind = type(node).__name__
    match node:
        case Constant(value) | Number(value):
            return (kind, value)
        case Bound(name):
            # How many quantifiers lie between it and its own: the same whatever the variables are called.
            return (kind, bound.index(name)) if name in bound else ("Free", name)
        case Holds(name, args) | Apply(name, args):
            return (kind, name, _keys(args, bound))
        case Plus(summed):
            return (kind, tuple(sorted((factor, _key(term, bound)) for factor, term in summed)))
        case Compare(op, left, right):
            sides = _keys((left, right), bound)
            if op in _TURNED:
                return (kind, _TURNED[op], sides[::-1])
            return (kind, op, tuple(sorted(sides)) if op in ("=", "!=") else sides)
        case Quantified(quantifier, variable, body, sort):
            return (quantifier, () if sort is None else (sort,), _key(body, (variable, *bound)))
        case Not() | Implies():
            return (kind, _keys(parts(node), bound))
    return (kind, tuple(sorted(_keys(parts(node), bound))))


def _keys(nodes: Iterable[Sentence | Term], bound: tuple[str, ...]) -> tuple[Key, ...]:
    return tuple(_key(node, bound) for node in nodes)


def renamed(sentence: Sentence, names: Mapping[str, str]) -> Sentence:
    """The same sentence with predicates, functions and things called otherwise (old name -> new name).

    A name that is not among `names` stays, and so do variables. Raises `FormulaError` for what is nested too deep.
    """
    check_depth(sentence)
    found: Sentence = _renamed(sentence, names)
    return found


def _renamed(value: Any, names: Mapping[str, str]) -> Any:
    """A sentence or term, or what they are made of."""
    match value:
        case Constant(name):
            return Constant(names.get(name, name))
        case Holds(name, args) | Apply(name, args):
            return type(value)(names.get(name, name), _renamed(args, names))
        case tuple():
            return tuple(_renamed(item, names) for item in value)
        case str() | int() | None:
            return value
    return type(value)(*[_renamed(getattr(value, field.name), names) for field in fields(value)])
