"""This module says in sentences of first-order logic where things are, with a function from things to places."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations

from holdtrue_claims.fol.syntax import And, Apply, Compare, Constant, Number, Or, Plus, Sentence, Term


def place_of(function: str, thing: str) -> Apply:
    """Return the term for the place of a thing."""
    return Apply(function, (Constant(thing),))


def all_apart(places: Iterable[Term]) -> Sentence:
    """Return the sentence that no two of the places are the same."""
    pairs = tuple(Compare("!=", one, other) for one, other in combinations(places, 2))
    return pairs[0] if len(pairs) == 1 else And(pairs)


def all_within(places: Iterable[Term], last: int) -> Sentence:
    """Return the sentence that the places go from 1 to the last one."""
    ends = ((Compare(">=", place, Number(1)), Compare("<=", place, Number(last))) for place in places)
    return And(tuple(end for both in ends for end in both))


def is_more(one: Term, other: Term, by: int) -> Sentence:
    """The first number is the other one and so much more."""
    return Compare("=", one, Plus(((1, other), (1, Number(by)))))


def is_further(one: Term, other: Term, by: int, sign: int = 1) -> Sentence:
    """The first place is greater by so much than the other one, or less, where the sign is -1."""
    return Compare("=", Plus(((sign, one), (-sign, other))), Number(by))


def is_distant(one: Term, other: Term, by: int) -> Sentence:
    """The two places differ by so much: sentences have no absolute value, so it is one or the other way round."""
    return Or((is_further(one, other, by), is_further(one, other, by, sign=-1)))
