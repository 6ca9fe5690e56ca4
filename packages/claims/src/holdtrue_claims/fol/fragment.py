"""Decide how many unnamed things suffice to decide sentences, or whether it suffices to count kinds of things.

First "there is" is moved to the front. If no "there is" is then below "all", one unnamed thing for each "there is"
suffices (Bernays and Schönfinkel 1928). Functions to numbers do not matter. "At least n" counts as n times "there is",
and each value of a function to things counts as one. The things of a closed sort are enumerated instead. If every thing
needs another one, as in "everybody has a manager", no number suffices in general, and the result is None.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from holdtrue.logic.three_valued import opposite
from holdtrue.logic.value_sorts import Instant, Value
from holdtrue_claims.fol import syntax as fol
from holdtrue_claims.fol.term_sorts import Bindings, TermSorts
from holdtrue_claims.fol.vocabulary import ANY, Function, Vocabulary


@dataclass(frozen=True, slots=True)
class Closure:
    """A `Closure` states that a sort has at most `size` things, of which `unnamed` may have no name."""

    sort: str
    size: int
    unnamed: int


def closures(sentence: fol.Sentence) -> tuple[Closure, ...]:
    """Return the closures that a sentence states: a list of all things of a sort, or an upper bound of their number."""
    match sentence:
        case fol.And(operands):
            return tuple(found for operand in operands for found in closures(operand))
        case fol.Quantified("forall", variable, body, sort):
            listed = _listed_things(body, variable)
            return () if listed is None else (Closure(sort or ANY, listed, 0),)
        case fol.Compare(op, fol.Count(variable, body, sort), fol.Number(value, unit)) if op in ("=", "<=", "<"):
            if body in (fol.And(()), fol.Compare("=", fol.Bound(variable), fol.Bound(variable))):
                most = max(0, int(value * unit.factor))
                return (Closure(sort or ANY, most, most),)
    return ()


def _listed_things(body: fol.Sentence, variable: str) -> int | None:
    """Return the number of things that a statement allows for a variable by a list, or None for any other statement."""
    operands = body.operands if isinstance(body, fol.Or) else (body,)
    bound = fol.Bound(variable)
    for operand in operands:
        if not isinstance(operand, fol.Compare) or operand.op != "=":
            return None
        other = operand.right if operand.left == bound else operand.left
        if bound not in (operand.left, operand.right) or not isinstance(other, fol.Constant):
            return None
    return len(operands)


def needed_beside(known: tuple[Closure, ...], vocabulary: Vocabulary) -> int:
    """Return the number of unnamed things needed in any case, if these closures are stated."""
    return sum({own.sort: own.unnamed for own in known}.values()) + _Counting(vocabulary, known).values


def needed_by(sentence: fol.Sentence, known: tuple[Closure, ...], vocabulary: Vocabulary) -> int | None:
    """Return how many more unnamed things a sentence needs, if these closures are stated; None if unbounded."""
    try:
        return _Counting(vocabulary, known).needed(sentence, {}, True, False)
    except _Unbounded:
        return None


class _Unbounded(Exception):
    """A sentence is not in the fragment. The exception never leaves this file."""


class _Counting:
    """A `_Counting` counts the things that sentences need.

    For each part, `positive` says whether it occurs as it is (True), negated (False) or both ways (None). `every` says
    whether it is below "all".
    """

    def __init__(self, vocabulary: Vocabulary, known: Iterable[Closure]) -> None:
        self._sizes = {sort: len(vocabulary.named(sort)) for sort in vocabulary.closed}
        for own in known:
            self._sizes[own.sort] = max(own.size, self._sizes.get(own.sort, 0))
        self._sorts = {own.name: own.sort for own in vocabulary.entities}
        functions = [own for own in vocabulary.functions if vocabulary.value_sort(own.result) is None]
        self._functions: dict[str, Function] = {own.name: own for own in functions}
        self._ranged = TermSorts(vocabulary).ranged
        # Unused functions have values too.
        self.values = sum(1 for own in functions if own.result != ANY and not vocabulary.named(own.result))

    def size(self, sort: str | None) -> int | None:
        """Return the largest number of things of a sort, or None if there can be any number."""
        return self._sizes.get(sort or ANY, self._sizes.get(ANY))

    def needed(self, node: fol.Sentence | fol.Term, bound: Bindings, positive: bool | None, every: bool) -> int:
        match node:
            case fol.Quantified(sort=sort) | fol.Count(sort=sort) | fol.Total(sort=sort) if (
                self._ranged(sort) is not None
            ):
                raise _Unbounded
            case fol.Not(operand):
                return self.needed(operand, bound, opposite(positive), every)
            case fol.Implies(left, right):
                before = self.needed(left, bound, opposite(positive), every)
                return before + self.needed(right, bound, positive, every)
            case fol.Quantified():
                return self._quantified(node, bound, positive, every)
            case fol.Compare(op, left, right):
                return self._compared(op, left, right, bound, positive, every)
            case fol.Apply(function) if function in self._functions:
                return self._valued(node, bound, every)
            case fol.Count(variable, body, sort):
                return self._listed((body,), {**bound, variable: sort or ANY}, sort, every)
            case fol.Total(variable, term, body, sort):
                return self._listed((term, body), {**bound, variable: sort or ANY}, sort, every)
            case fol.Choice() | fol.Iff() | fol.Xor():
                positive = None
        return sum(self.needed(part, bound, positive, every) for part in fol.parts(node))

    def _quantified(self, node: fol.Quantified, bound: Bindings, positive: bool | None, every: bool) -> int:
        inside = {**bound, node.variable: node.sort or ANY}
        size = self.size(node.sort)
        if size is not None:
            return size * self.needed(node.body, inside, positive, every)
        # A quantifier that occurs both ways also acts as the other one.
        some = positive is None or (node.quantifier == "exists") is positive
        if some and every:
            raise _Unbounded
        return int(some) + self.needed(node.body, inside, positive, every or not some or positive is None)

    def _compared(
        self, op: fol.Comparison, left: fol.Term, right: fol.Term, bound: Bindings, positive: bool | None, every: bool
    ) -> int:
        if isinstance(left, fol.Number) and isinstance(right, fol.Count):
            left, right, op = right, left, fol.TURNED[op]
        if not isinstance(left, fol.Count) or not isinstance(right, fol.Number) or self.size(left.sort) is not None:
            return sum(self.needed(part, bound, None, every) for part in (left, right))
        number = right.value * right.unit.factor
        least = _least(fol.DENIED[op] if positive is False else op, number)
        if positive is None:
            least = max(least, _least(fol.DENIED[op], number))
        if least and every:
            raise _Unbounded
        # Each part of a count acts as if it were below "all".
        return least + self.needed(left.body, {**bound, left.variable: left.sort or ANY}, None, True)

    def _listed(self, parts: Iterable[fol.Sentence | fol.Term], bound: Bindings, sort: str | None, every: bool) -> int:
        """Return how many things a count or a sum needs, if all things of its sort are enumerated."""
        size = self.size(sort)
        if size is None:
            raise _Unbounded
        return size * sum(self.needed(part, bound, None, every) for part in parts)

    def _valued(self, node: fol.Apply, bound: Bindings, every: bool) -> int:
        """Return how many things a function term needs: its value, unless its sort is limited, and the needs of its
        arguments.
        """
        function = self._functions[node.function]
        inside = sum(self.needed(arg, bound, None, every) for arg in node.args)
        pairs = zip(node.args, function.sorts, strict=True)
        if not all(sort == ANY or self._sort(arg, bound) == sort for arg, sort in pairs):
            raise _Unbounded  # for other arguments the value may be anything of any sort
        if self.size(function.result) is not None:
            return inside
        if every and fol.free_in(node):
            raise _Unbounded
        return inside + 1

    def _sort(self, term: fol.Term, bound: Bindings) -> str | None:
        match term:
            case fol.Constant(name):
                return self._sorts.get(name)
            case fol.Bound(name):
                return bound.get(name)
            case fol.Apply(function) if function in self._functions:
                return self._functions[function].result
        return None


def _least(op: fol.Comparison, value: Value) -> int:
    """Return the least number of things for which a count can compare this way with a number."""
    if op in ("<", "<="):
        return 0
    # For != a count above the number suffices, even if 0 is no such count.
    return max(0, math.ceil(value) if op in (">=", "=") else math.floor(value) + 1)


# --- counting kinds of things ------------------------------------------------------------------------------------
#
# "At most 300 of the 1,200 seats are free" relates no seat to another one. Then only the number of unnamed things of
# each kind matters. A kind is a combination of marks: the sorts of a thing and the predicates that hold of it. This is
# the monadic fragment with counting (Kuncak, Nguyen and Rinard, "Deciding Boolean Algebra with Presburger Arithmetic",
# JAR 2006).

MOST_MARKS = 9
"""With more marks there are too many kinds."""


@dataclass(frozen=True, slots=True)
class Mark:
    """A `Mark` is a property of an unnamed thing: its sort, or a predicate that holds of it.

    If `predicate` is None, `args` names the sort. Otherwise `args` are the predicate's arguments, with None in the
    place of the thing.
    """

    predicate: str | None
    args: tuple[fol.Term | str | None, ...]


def mark_of(holds: fol.Holds) -> tuple[str | None, Mark] | None:
    """Return the variable of an atom and the mark that the atom states; None for an atom with several variables.

    The variable is None for an atom about named things alone.
    """
    names = {arg.name for arg in holds.args if isinstance(arg, fol.Bound)}
    plain = all(isinstance(arg, fol.Bound | fol.Constant | fol.Number | Instant) for arg in holds.args)
    if len(names) > 1 or (names and not plain):
        return None
    marked = tuple(None if isinstance(arg, fol.Bound) else arg for arg in holds.args)
    return (names.pop() if names else None), Mark(holds.predicate, marked)


def marks_in(sentences: Iterable[fol.Sentence], vocabulary: Vocabulary) -> tuple[Mark, ...] | None:
    """Return the marks that sentences state of unnamed things; None if they relate things or leave the fragment."""
    if any(vocabulary.value_sort(own.result) is None for own in vocabulary.functions):
        return None
    found: dict[Mark, None] = {}
    sorts = TermSorts(vocabulary)
    for sentence in sentences:
        if not _collect(sentence, found, sorts):
            return None
    return tuple(found) if len(found) <= MOST_MARKS else None


def _collect(node: fol.Sentence | fol.Term, found: dict[Mark, None], sorts: TermSorts) -> bool:
    match node:
        case fol.Holds():
            marked = mark_of(node)
            if marked is None:
                return False
            if marked[0] is not None:
                found.setdefault(marked[1])
                return True
        case fol.Apply() if any(isinstance(arg, fol.Bound) for arg in node.args):
            return False
        case fol.Compare(_, left, right) if isinstance(left, fol.Bound) or isinstance(right, fol.Bound):
            return left == right or isinstance(left, fol.Constant) or isinstance(right, fol.Constant)
        case fol.Choice(_, then, otherwise) if isinstance(then, fol.Bound) or isinstance(otherwise, fol.Bound):
            return False
        case fol.Total():
            return False
        case fol.Quantified(sort=sort) | fol.Count(sort=sort):
            if sorts.ranged(sort) is not None:
                return False
            if sort not in (None, ANY, *sorts.vocabulary.closed):
                found.setdefault(Mark(None, (sort,)))
    return all(_collect(part, found, sorts) for part in fol.parts(node))


@dataclass(frozen=True, slots=True)
class KindOfThing:
    """A `KindOfThing` is a combination of marks: each is present or absent."""

    number: int
    has: Mapping[Mark, bool]

    @property
    def sorts(self) -> frozenset[str]:
        """Return the sorts of such a thing."""
        return frozenset(str(mark.args[0]) for mark, held in self.has.items() if held and mark.predicate is None)


def kinds_of(marks: tuple[Mark, ...]) -> tuple[KindOfThing, ...]:
    """Return all kinds of unnamed things: the combinations of the marks."""
    return tuple(
        KindOfThing(number, {mark: bool(number >> place & 1) for place, mark in enumerate(marks)})
        for number in range(2 ** len(marks))
    )
