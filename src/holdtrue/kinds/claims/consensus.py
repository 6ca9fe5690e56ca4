"""Find out which of several formulas for one sentence agree, and in what sense.

Agreement is counted apart for formulas that are the same tree, that are proved equivalent, and that are equivalent once
similar names are taken for one. It is no sign of correctness: it only says that a model repeats itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import combinations
from typing import NamedTuple

from holdtrue.budget import Budget
from holdtrue.errors import FormulaError
from holdtrue.kinds.claims.equivalence import PAIR, align, same_meaning
from holdtrue.logic.fol.canonical import renamed, same_tree
from holdtrue.logic.fol.ground import Ranges, Things, ground
from holdtrue.logic.fol.syntax import Sentence
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
    """How two samples agree: the first value that applies. `UNKNOWN` says that one is unusable, or time ran out."""

    SAME_TREE = "same_tree"
    EQUIVALENT = "equivalent"
    ALIGNED = "aligned"
    DIFFERENT = "different"
    UNKNOWN = "unknown"


Say = Callable[[Sentence], Formula]
"""What a sentence says about the things there are; raises `FormulaError` where that is nothing."""

AGREEING = frozenset({Agreement.SAME_TREE, Agreement.EQUIVALENT, Agreement.ALIGNED})


@dataclass(frozen=True, slots=True)
class Pair:
    """How two samples agree; `one` and `other` are their indices from 0.

    `names` maps names of the other sample to those of the first that they were taken for. `reason` says why the
    agreement is unknown.
    """

    one: int
    other: int
    agreement: Agreement
    names: tuple[tuple[str, str], ...] = ()
    reason: str | None = None


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

    @property
    def share(self) -> float:
        """The share of samples that are in the clique."""
        return len(self.clique) / self.samples if self.samples else 0.0

    def rate(self, agreement: Agreement) -> float | None:
        """Return the share of pairs that agree in just this way, or None if there is no pair."""
        return sum(pair.agreement is agreement for pair in self.pairs) / len(self.pairs) if self.pairs else None


def consensus(
    samples: Sequence[Sentence | None], things: Things, ranges: Ranges | None = None, *, budget: Budget = PAIR
) -> Consensus:
    """Find out which samples of one sentence say the same about these things; `budget` limits each pair.

    None stands for a sample that could not be read. It counts as a sample and agrees with none, and so does a sample
    without a meaning here, such as one with a free variable or an unknown thing.
    """

    def say(sentence: Sentence) -> Formula:
        return ground(sentence, things, ranges)

    read = [_read(sample, say) for sample in samples]
    pairs = tuple(_pair(one, other, read, say, budget) for one, other in combinations(range(len(samples)), 2))
    linked: dict[int, set[int]] = {place: set() for place, one in enumerate(read) if isinstance(one, _Reading)}
    for pair in pairs:
        if pair.agreement in AGREEING:
            linked[pair.one].add(pair.other)
            linked[pair.other].add(pair.one)
    cliques = maximal_cliques(linked)
    most = cliques[0] if cliques else ()
    # What is near in a chain, or not known of some pairs, can leave two that have more than half of the samples.
    alone = len(cliques) < 2 or len(most) > len(cliques[1])
    return Consensus(len(samples), pairs, most, alone and 2 * len(most) > len(samples))


class _Reading(NamedTuple):
    """A sample and what it says."""

    sentence: Sentence
    formula: Formula


def _read(sample: Sentence | None, say: Say) -> _Reading | str:
    """Return a sample with its formula, or the reason why it has none."""
    if sample is None:
        return "it could not be read"
    try:
        return _Reading(sample, say(sample))
    except FormulaError as error:
        return str(error)


def _pair(one: int, other: int, read: Sequence[_Reading | str], say: Say, budget: Budget) -> Pair:
    left, right = read[one], read[other]
    if isinstance(left, str):
        return Pair(one, other, Agreement.UNKNOWN, reason=f"sample {one + 1}: {left}")
    if isinstance(right, str):
        return Pair(one, other, Agreement.UNKNOWN, reason=f"sample {other + 1}: {right}")
    try:
        agreement, names, reason = _compare(left, right, say, budget)
    except FormulaError as error:  # a name that is a predicate here and a function there
        return Pair(one, other, Agreement.UNKNOWN, reason=str(error))
    return Pair(one, other, agreement, tuple(names.items()), reason)


def _compare(
    left: _Reading, right: _Reading, say: Say, budget: Budget
) -> tuple[Agreement, Mapping[str, str], str | None]:
    """Return how two samples agree, which names were taken for others, and the reason if it is unknown."""
    if same_tree(left.sentence, right.sentence):
        return Agreement.SAME_TREE, {}, None
    deadline = budget.start()
    found = same_meaning(left.formula, right.formula, budget)
    if isinstance(found, Equivalent):
        return Agreement.EQUIVALENT, {}, None
    names = align(left.sentence, right.sentence)
    if names and not isinstance(found, Unknown):
        found = same_meaning(left.formula, say(renamed(right.sentence, names)), budget.until(deadline))
        if isinstance(found, Equivalent):
            return Agreement.ALIGNED, names, None
    if isinstance(found, Unknown):
        return Agreement.UNKNOWN, {}, found.reason
    return Agreement.DIFFERENT, {}, None
