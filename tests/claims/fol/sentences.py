"""Generate random sentences, and evaluate them directly over a finite domain: an oracle for grounding."""

from __future__ import annotations

import operator
from collections.abc import Mapping, Sequence
from fractions import Fraction

from hypothesis import strategies as st

from holdtrue_claims.fol.syntax import (
    And,
    Apply,
    Bound,
    Compare,
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
)

THINGS = ("Ann", "bob", "l-2021")
SORTS = {"Ann": "Person", "bob": "Person"}
RANGES = {"age": (0, 3), "gap": (-2, 2)}
VARIABLES = ("x", "y", "z1")
OPERATORS = {
    "=": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}

variables = st.sampled_from(VARIABLES)
quantifiers = st.sampled_from(["forall", "exists"])
orders = st.sampled_from(sorted(OPERATORS))
same_or_not = st.sampled_from(["=", "!="])
numbers = st.builds(Number, st.integers(-3, 12))


def sentences_of(
    things: st.SearchStrategy[Term], amounts: st.SearchStrategy[Term], predicates: st.SearchStrategy[str]
) -> st.SearchStrategy[Sentence]:
    """Generate sentences over these atoms. A connective has no operand or several: with one, it prints like its
    operand.
    """
    atoms = (
        st.builds(Holds, predicates, st.lists(things, max_size=2).map(tuple))
        | st.builds(Compare, same_or_not, things, things)
        | st.builds(Compare, orders, amounts, amounts)
    )

    def larger(inner: st.SearchStrategy[Sentence]) -> st.SearchStrategy[Sentence]:
        several = st.just(()) | st.lists(inner, min_size=2, max_size=3).map(tuple)
        return (
            st.builds(And, several)
            | st.builds(Or, several)
            | st.builds(Not, inner)
            | st.builds(Xor, inner, inner)
            | st.builds(Implies, inner, inner)
            | st.builds(Iff, inner, inner)
            | st.builds(Quantified, quantifiers, variables, inner, st.none() | st.just("Person"))
        )

    return st.recursive(atoms, larger, max_leaves=6)


def sums_of(inner: st.SearchStrategy[Term]) -> st.SearchStrategy[Term]:
    return st.lists(st.tuples(st.integers(-2, 3), inner), min_size=1, max_size=3).map(lambda parts: Plus(tuple(parts)))


things: st.SearchStrategy[Term] = st.builds(Constant, st.sampled_from(THINGS)) | st.builds(Bound, variables)
values = st.builds(Apply, st.sampled_from(sorted(RANGES)), things.map(lambda thing: (thing,)))
amounts = st.recursive(values | numbers, sums_of, max_leaves=4).filter(lambda term: not isinstance(term, Number))

open_sentences = sentences_of(things, amounts, st.sampled_from(["Tall", "Likes", "x"]))


def closed(sentence: Sentence) -> Sentence:
    """The sentence for all that its variables can stand for."""
    for name in VARIABLES:
        sentence = Quantified("forall", name, sentence)
    return sentence


def holds(sentence: Sentence, world: Sequence[str], facts: Mapping[str, int], choice: Mapping[str, str]) -> bool:
    """Whether the sentence holds among the things of `world`, where `facts` gives truths and values by their names."""
    match sentence:
        case Holds(predicate, args):
            return facts[_fact(predicate, args, choice)] == 1
        case Compare(op, left, right) if op in ("=", "!=") and not isinstance(left, Apply | Plus):
            return OPERATORS[op](_name(left, choice), _name(right, choice)) is True
        case Compare(op, left, right):
            return OPERATORS[op](_value(left, facts, choice), _value(right, facts, choice)) is True
        case Not(operand):
            return not holds(operand, world, facts, choice)
        case And(operands):
            return all([holds(operand, world, facts, choice) for operand in operands])
        case Or(operands):
            return any([holds(operand, world, facts, choice) for operand in operands])
        case Xor(left, right):
            return holds(left, world, facts, choice) != holds(right, world, facts, choice)
        case Implies(left, right):
            return holds(right, world, facts, choice) or not holds(left, world, facts, choice)
        case Iff(left, right):
            return holds(left, world, facts, choice) == holds(right, world, facts, choice)
        case Quantified(quantifier, variable, body, sort):
            inside = [thing for thing in world if sort is None or thing.startswith("?") or SORTS.get(thing) == sort]
            found = [holds(body, world, facts, {**choice, variable: thing}) for thing in inside]
            return all(found) if quantifier == "forall" else any(found)


def _name(term: Term, choice: Mapping[str, str]) -> str:
    return choice[term.name] if isinstance(term, Bound) else str(getattr(term, "name", term))


def _fact(name: str, args: Sequence[Term], choice: Mapping[str, str]) -> str:
    return f"{name}({', '.join(_name(arg, choice) for arg in args)})" if args else name


def _value(term: Term, facts: Mapping[str, int], choice: Mapping[str, str]) -> int | Fraction:
    match term:
        case Number(value):
            return value
        case Apply(function, args):
            return facts[_fact(function, args, choice)]
        case Plus(parts):
            return sum(factor * _value(part, facts, choice) for factor, part in parts)
    raise AssertionError(term)
