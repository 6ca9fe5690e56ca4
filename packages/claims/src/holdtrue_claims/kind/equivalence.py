"""Compare formulas under the laws of a vocabulary: equivalence, entailment, and agreement of several samples.

Agreement is counted separately for samples with the same tree, equivalent samples, and samples that are equivalent
after similar names are identified. Agreement shows only that a model repeats itself, not that it is right.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import combinations

from holdtrue.budget import Budget
from holdtrue.errors import FormulaError
from holdtrue.logic.formula import Formula
from holdtrue.solving.explain.classification import equivalent
from holdtrue.solving.result import Different, Equivalent, Inconsistent, Unknown
from holdtrue_claims.claim_record import ClaimVerdict
from holdtrue_claims.fol.canonical import renamed, same_tree
from holdtrue_claims.fol.meaning import state
from holdtrue_claims.fol.naming import stem
from holdtrue_claims.fol.signature import signature
from holdtrue_claims.fol.syntax import Sentence
from holdtrue_claims.fol.vocabulary import Vocabulary
from holdtrue_claims.kind.context import Context, with_aliases
from holdtrue_claims.kind.entailment import verify_claim
from holdtrue_claims.solving.sentence_route import counted_sentences

_Use = tuple[str, int, str]
"""The kind of a name, its number of arguments, and its stem."""


def align(one: Sentence, other: Sentence) -> dict[str, str]:
    """Map names of `other` that `one` lacks to names of `one` with the same stem.

    Names must have the same kind and number of arguments, and no third name may have that stem.
    """
    left, right = _uses(one), _uses(other)
    ours: dict[_Use, list[str]] = defaultdict(list)
    theirs: dict[_Use, list[str]] = defaultdict(list)
    for uses, known, found in ((left, right, ours), (right, left, theirs)):
        for name, use in uses.items():
            if name not in known and use is not None:
                found[use].append(name)
    return {names[0]: ours[use][0] for use, names in theirs.items() if len(names) == 1 == len(ours[use])}


def _uses(sentence: Sentence) -> dict[str, _Use | None]:
    """Return how each name of a sentence is used, or None for a name with two uses."""
    found = signature([sentence])
    uses: dict[str, _Use | None] = {}
    for kind, names in (
        ("predicate", found.predicates),
        ("function", found.functions),
        ("thing", dict.fromkeys(found.constants, 0)),
    ):
        for name, arity in names.items():
            uses[name] = None if name in uses else (kind, arity, stem(name))
    return uses


PAIR = Budget(timeout_s=2.0)
"""The limit for two formulas (VERGE, section 3.3)."""


def same_meaning(
    one: Formula, other: Formula, vocabulary: Vocabulary, budget: Budget = PAIR
) -> Equivalent | Different | Inconsistent | Unknown:
    """Decide whether two formulas hold in the same situations, among those that the vocabulary's laws allow.

    Names that one of them equates may mean the same thing, as in a context.
    """
    own = vocabulary if vocabulary.aliases else with_aliases(vocabulary, (one, other))
    return equivalent(counted_sentences(own), one, other, budget)


def strengthens(new: Formula, old: Formula, vocabulary: Vocabulary, budget: Budget = PAIR) -> bool | None:
    """Return whether `new` entails `old`, or None if the budget ended first.

    An unsatisfiable formula counts as entailing nothing, because it would entail every `old`.
    """
    finding = verify_claim(Context({"new": new}, vocabulary, budget), old)
    undecided = finding.verdict in (ClaimVerdict.UNKNOWN, ClaimVerdict.ASSUMED)
    return None if undecided else finding.verdict is ClaimVerdict.ENTAILED


Linked = Mapping[int, set[int]]


def maximal_cliques(linked: Linked) -> list[tuple[int, ...]]:
    """Return all maximal cliques of a graph, the largest first; among equals, those with smaller vertices first.

    `linked` maps every vertex, an index from 0, to its neighbours without itself.
    """
    found = _grow(linked, frozenset(), frozenset(linked), frozenset()) if linked else ()
    return sorted(found, key=lambda clique: (-len(clique), clique))


def _grow(
    linked: Linked, clique: frozenset[int], candidates: frozenset[int], done: frozenset[int]
) -> Iterator[tuple[int, ...]]:
    """Enumerate cliques by Bron and Kerbosch, "Algorithm 457" (CACM 1973), with a pivot."""
    if not candidates and not done:
        yield tuple(sorted(clique))
        return
    pivot = max(candidates | done, key=lambda place: len(linked[place] & candidates))
    for place in candidates - linked[pivot]:
        near = linked[place]
        yield from _grow(linked, clique | {place}, candidates & near, done & near)
        candidates, done = candidates - {place}, done | {place}


class Agreement(StrEnum):
    """An `Agreement` says how two samples agree; the first value that applies counts. `UNKNOWN`: a sample is unusable,
    or time ran out.
    """

    SAME_TREE = "same_tree"
    EQUIVALENT = "equivalent"
    ALIGNED = "aligned"
    DIFFERENT = "different"
    UNKNOWN = "unknown"


SAME_MEANING = frozenset({Agreement.SAME_TREE, Agreement.EQUIVALENT, Agreement.ALIGNED})


@dataclass(frozen=True, slots=True)
class Consensus:
    """A `Consensus` is the agreement among `samples` samples; `pairs` has the agreement of each pair of indices, from
    0.

    `clique` has the indices of the largest set of agreeing samples, the first one of several. The clique is `accepted`
    if no other agreeing set is as large, and it has more than half of the samples.
    """

    samples: int
    pairs: Mapping[tuple[int, int], Agreement]
    clique: tuple[int, ...]
    accepted: bool

    def rate(self, agreement: Agreement) -> float | None:
        """Return the share of pairs with exactly this agreement, or None if there is no pair."""
        return [*self.pairs.values()].count(agreement) / len(self.pairs) if self.pairs else None


def consensus(samples: Sequence[Sentence | None], vocabulary: Vocabulary, *, budget: Budget = PAIR) -> Consensus:
    """Return which samples of one sentence say the same in a vocabulary; `budget` limits each pair.

    None stands for a sample that could not be read. It counts as a sample and agrees with none. So does a sample
    without a meaning, for instance with a free variable or an unknown thing.
    """
    read = [_read(sample, vocabulary) for sample in samples]
    vocabulary = with_aliases(vocabulary, [own[1] for own in read if own is not None])  # One law for all pairs.
    places = combinations(range(len(samples)), 2)
    pairs = {(one, other): _agreement(read[one], read[other], vocabulary, budget) for one, other in places}
    linked: dict[int, set[int]] = {place: set() for place, one in enumerate(read) if one is not None}
    for (first, second), agreement in pairs.items():
        if agreement in SAME_MEANING:
            linked[first].add(second)
            linked[second].add(first)
    cliques = maximal_cliques(linked)
    most = cliques[0] if cliques else ()
    # Chains of similar names or unknown pairs can leave two majorities.
    alone = len(cliques) < 2 or len(most) > len(cliques[1])
    return Consensus(len(samples), pairs, most, alone and 2 * len(most) > len(samples))


def is_settled(found: Consensus, planned: int) -> bool:
    """Return whether no further sample can change the choice of this consensus, out of `planned` samples.

    All samples must have the same tree, form a majority of the planned ones, and at most one may be missing. Two
    missing samples could each agree with these and not with each other, which leaves no single largest set.
    """
    missing = planned - found.samples
    return (
        missing <= 1
        and 2 * found.samples > planned
        and len(found.clique) == found.samples
        and all(agreement is Agreement.SAME_TREE for agreement in found.pairs.values())
    )


_Reading = tuple[Sentence, Formula]
"""A sample and its formula."""


def _read(sample: Sentence | None, vocabulary: Vocabulary) -> _Reading | None:
    """Return a sample with its formula, or None if it has no meaning here."""
    try:
        return None if sample is None else (sample, state(sample, vocabulary))
    except FormulaError:
        return None


def _agreement(left: _Reading | None, right: _Reading | None, vocabulary: Vocabulary, budget: Budget) -> Agreement:
    if left is None or right is None:
        return Agreement.UNKNOWN
    (sentence, formula), (other, other_formula) = left, right
    if same_tree(sentence, other):
        return Agreement.SAME_TREE
    deadline = budget.start()
    try:
        found = same_meaning(formula, other_formula, vocabulary, budget)
        if isinstance(found, Equivalent):
            return Agreement.EQUIVALENT
        names = align(sentence, other)
        if names and not isinstance(found, Unknown):
            alike = state(renamed(other, names), vocabulary)
            found = same_meaning(formula, alike, vocabulary, budget.until(deadline))
            if isinstance(found, Equivalent):
                return Agreement.ALIGNED
    except FormulaError:  # one name is a predicate here and a function there
        return Agreement.UNKNOWN
    return Agreement.UNKNOWN if isinstance(found, Unknown) else Agreement.DIFFERENT
