"""Find out which of several formulas for one sentence agree, and in what sense.

Agreement is counted apart for formulas that are the same tree, that are proved equivalent, and that are equivalent once
similar names are taken for one. It is no sign of correctness: it only says that a model repeats itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import combinations
from typing import NamedTuple

from holdtrue.budget import Budget
from holdtrue.errors import FormulaError
from holdtrue.kinds.claims.equivalence import PAIR, align, same_meaning
from holdtrue.logic.fol.canonical import renamed, same_tree
from holdtrue.logic.fol.meaning import state
from holdtrue.logic.fol.syntax import Sentence
from holdtrue.logic.fol.vocabulary import Vocabulary
from holdtrue.logic.formula import Formula
from holdtrue.solving.result import Equivalent, Unknown

Linked = Mapping[int, set[int]]


def maximal_cliques(linked: Linked) -> list[tuple[int, ...]]:
    """Return all maximal cliques of a graph, the largest first, and those with smaller vertices first among equals.

    `linked` has for every vertex, which is an index from 0, its neighbours without itself.
    """
    found = _grow(linked, frozenset(), frozenset(linked), frozenset()) if linked else ()
    return sorted(found, key=lambda clique: (-len(clique), clique))


def _grow(
    linked: Linked, clique: frozenset[int], candidates: frozenset[int], done: frozenset[int]
) -> Iterator[tuple[int, ...]]:
    """Bron and Kerbosch, "Algorithm 457: finding all cliques of an undirected graph" (CACM 1973), with a pivot."""
    if not candidates and not done:
        yield tuple(sorted(clique))
        return
    pivot = max(candidates | done, key=lambda place: len(linked[place] & candidates))
    for place in candidates - linked[pivot]:
        near = linked[place]
        yield from _grow(linked, clique | {place}, candidates & near, done & near)
        candidates, done = candidates - {place}, done | {place}


class Agreement(StrEnum):
    """An `Agreement` is the first value that applies to two samples; `UNKNOWN`: one is unusable, or time ran out."""

    SAME_TREE = "same_tree"
    EQUIVALENT = "equivalent"
    ALIGNED = "aligned"
    DIFFERENT = "different"
    UNKNOWN = "unknown"


SAME_MEANING = frozenset({Agreement.SAME_TREE, Agreement.EQUIVALENT, Agreement.ALIGNED})


@dataclass(frozen=True, slots=True)
class Pair:
    """Two samples, by their places from 0, and how they agree."""

    one: int
    other: int
    agreement: Agreement


@dataclass(frozen=True, slots=True)
class Consensus:
    """The agreement of a number of `samples`.

    `clique` has the indices, from 0, of the largest set of samples that agree with each other, the first one of
    several. It is `accepted` if no other set is as large, and it has more than half of the samples.
    """

    samples: int
    pairs: tuple[Pair, ...]
    clique: tuple[int, ...]
    accepted: bool

    def rate(self, agreement: Agreement) -> float | None:
        """Return the share of pairs that agree in just this way, or None if there is no pair."""
        return sum(pair.agreement is agreement for pair in self.pairs) / len(self.pairs) if self.pairs else None


def consensus(samples: Sequence[Sentence | None], vocabulary: Vocabulary, *, budget: Budget = PAIR) -> Consensus:
    """Find out which samples of one sentence say the same in a vocabulary; `budget` limits each pair.

    None stands for a sample that could not be read. It counts as a sample and agrees with none, and so does a sample
    without a meaning here, such as one with a free variable or an unknown thing.
    """

    read = [_read(sample, vocabulary) for sample in samples]
    places = combinations(range(len(samples)), 2)
    pairs = tuple(Pair(one, other, _agreement(read[one], read[other], vocabulary, budget)) for one, other in places)
    linked: dict[int, set[int]] = {place: set() for place, one in enumerate(read) if one is not None}
    for pair in pairs:
        if pair.agreement in SAME_MEANING:
            linked[pair.one].add(pair.other)
            linked[pair.other].add(pair.one)
    cliques = maximal_cliques(linked)
    most = cliques[0] if cliques else ()
    # What is near in a chain, or not known of some pairs, can leave two that have more than half of the samples.
    alone = len(cliques) < 2 or len(most) > len(cliques[1])
    return Consensus(len(samples), pairs, most, alone and 2 * len(most) > len(samples))


def is_settled(found: Consensus, planned: int) -> bool:
    """Return whether no further sample can change what this consensus chooses, of so many that are planned.

    That is so if all samples are the same tree, more than half of all that are planned, and at most one is missing: it
    agrees with all of them or with none. Two that are missing could each agree with these and not with each other,
    which leaves no single largest set.
    """
    missing = planned - found.samples
    return (
        missing <= 1
        and 2 * found.samples > planned
        and len(found.clique) == found.samples
        and all(pair.agreement is Agreement.SAME_TREE for pair in found.pairs)
    )


class _Reading(NamedTuple):
    """A sample and what it says."""

    sentence: Sentence
    formula: Formula


def _read(sample: Sentence | None, vocabulary: Vocabulary) -> _Reading | None:
    """Return a sample with what it says, or None where that is nothing here."""
    try:
        return None if sample is None else _Reading(sample, state(sample, vocabulary))
    except FormulaError:
        return None


def _agreement(left: _Reading | None, right: _Reading | None, vocabulary: Vocabulary, budget: Budget) -> Agreement:
    if left is None or right is None:
        return Agreement.UNKNOWN
    if same_tree(left.sentence, right.sentence):
        return Agreement.SAME_TREE
    deadline = budget.start()
    try:
        found = same_meaning(left.formula, right.formula, vocabulary, budget)
        if isinstance(found, Equivalent):
            return Agreement.EQUIVALENT
        names = align(left.sentence, right.sentence)
        if names and not isinstance(found, Unknown):
            alike = state(renamed(right.sentence, names), vocabulary)
            found = same_meaning(left.formula, alike, vocabulary, budget.until(deadline))
            if isinstance(found, Equivalent):
                return Agreement.ALIGNED
    except FormulaError:  # a name that is a predicate here and a function there
        return Agreement.UNKNOWN
    return Agreement.UNKNOWN if isinstance(found, Unknown) else Agreement.DIFFERENT
