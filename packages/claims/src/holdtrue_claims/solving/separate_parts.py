"""Find a situation for sentences that fall into parts without common names.

Each part is solved alone over the named things. If a part needs more things of a sort, two unnamed ones are added. The
parts share no predicates and functions, so their situations together satisfy all sentences.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace

from holdtrue.budget import Budget
from holdtrue.errors import FormulaError
from holdtrue.logic.value_sorts import Value
from holdtrue.solving.result import Core, Id, Unknown
from holdtrue_claims.fol import syntax as fol
from holdtrue_claims.fol.evaluation import Fact
from holdtrue_claims.fol.naming import unnamed_label
from holdtrue_claims.fol.signature import names_in
from holdtrue_claims.fol.structure import Structure
from holdtrue_claims.fol.vocabulary import ANY, Entity, Vocabulary

Sentences = Mapping[Id, fol.Sentence]
Facts = Mapping[Fact, Value | str]
Parts = Sequence[tuple[frozenset[str], Sentences]]
"""Parts of the sentences, each with its predicates and functions."""
_MORE = 2
"""The number of added unnamed things of each sort with too few named ones."""
_MOST_KEPT = 200
"""The largest number of cached situations of parts, which recur with each claim."""


class SeparateParts:
    """`SeparateParts` searches for situations of the named things, part by part."""

    def __init__(self, vocabulary: Vocabulary, background: Iterable[fol.Sentence]) -> None:
        self._vocabulary, self._background = vocabulary, tuple(background)
        self._things = {own.name for own in vocabulary.entities}
        self._kept: dict[tuple[tuple[Entity, ...], frozenset[fol.Sentence]], Structure] = {}

    def situation(self, asked: Sentences, budget: Budget) -> Structure | None:
        """Return a situation found by z3, not yet confirmed; None if none is found in time."""
        deadline, parts = budget.start(), self._parts(asked)
        found = self._over(self._vocabulary, parts, budget.until(deadline))
        if isinstance(found, frozenset):
            found = self._over(self._with_more(found), parts, budget.until(deadline))
        return found if isinstance(found, Structure) else None

    def _with_more(self, sorts: frozenset[str]) -> Vocabulary:
        """Return the vocabulary with unnamed things of these sorts added as if they were named."""
        places = enumerate((sort for sort in sorted(sorts) for _ in range(_MORE)), 1)
        more = (Entity(unnamed_label(place), sort) for place, sort in places)
        return replace(self._vocabulary, entities=(*self._vocabulary.entities, *more))

    def _over(self, vocabulary: Vocabulary, parts: Parts, budget: Budget) -> Structure | frozenset[str] | None:
        """Return a situation over these things, or the sorts that may have too few things."""
        deadline = budget.start()
        owners: dict[str, Facts] = {}
        found: Structure | Core | Unknown | None = None
        for place, (names, part) in enumerate(parts):
            found = self._of_part(vocabulary, part, budget.until(deadline, len(parts) - place))
            if isinstance(found, Core):
                nodes = (node for id in found.ids for node in fol.walk(part[id]) if isinstance(node, fol.Binder))
                open_ = self._vocabulary.thing_sorts - {ANY, *self._vocabulary.closed}
                return frozenset(node.sort for node in nodes if node.sort in open_ and node.sort is not None)
            if not isinstance(found, Structure):
                return None
            owners |= dict.fromkeys(names, found.facts)
        if not isinstance(found, Structure):
            return None
        return Structure(self._vocabulary, found.things, _JoinedFacts(found.facts, owners))

    def _of_part(self, vocabulary: Vocabulary, part: Sentences, budget: Budget) -> Structure | Core | Unknown:
        from holdtrue_claims.solving.sentence_world import SentenceWorld  # z3 is loaded only when it is needed

        key = (vocabulary.entities, frozenset(part.values()))
        if key in self._kept:
            return self._kept[key]
        deadline = budget.start()
        if not any(names_in(sentence) - self._things for sentence in part.values()):
            things = {own.name: frozenset({own.sort} - {ANY}) for own in vocabulary.entities}
            plain = Structure(vocabulary, things, {})
            with suppress(FormulaError, TimeoutError):
                if all(plain.truth(sentence, deadline.check) for sentence in part.values()):
                    return plain
        found = SentenceWorld(vocabulary, self._background, 0).check(part, deadline)
        if isinstance(found, Structure):
            if len(self._kept) >= _MOST_KEPT:
                self._kept.clear()
            self._kept[key] = found
        return found

    def _parts(self, asked: Sentences) -> Parts:
        """Return the sentences in parts, smallest first, each with its predicates and functions.

        Names that only the background uses form a part without sentences.
        """
        parts: list[tuple[frozenset[str], dict[Id, fol.Sentence]]] = []
        for id, sentence in (*asked.items(), *((None, own) for own in self._background)):
            # A named thing is the same in every part.
            names = names_in(sentence) - self._things
            joined = [part for part in parts if part[0] & names]
            parts = [part for part in parts if not part[0] & names]
            held = {key: own for _, part in joined for key, own in part.items()}
            parts.append((names.union(*(own for own, _ in joined)), held if id is None else {**held, id: sentence}))
        return sorted(parts, key=lambda own: len(own[1]))


class _JoinedFacts(Mapping[Fact, "Value | str"]):
    """`_JoinedFacts` takes the facts of each name in `owners` from its own mapping, and those of all other names from
    `rest`.
    """

    def __init__(self, rest: Facts, owners: Mapping[str, Facts]) -> None:
        self._rest, self._owners = rest, owners

    def _of(self, name: str) -> Facts:
        return self._owners.get(name, self._rest)

    def __getitem__(self, fact: Fact) -> Value | str:
        return self._of(fact[0])[fact]

    def __iter__(self) -> Iterator[Fact]:
        for own in {id(each): each for each in (*self._owners.values(), self._rest)}.values():
            yield from (fact for fact in own if self._of(fact[0]) is own)

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def ends(self, name: str, place: int) -> object:
        """Return the argument values at which the facts of a name may change (`FactsRead.ends`)."""
        ends = getattr(self._of(name), "ends", None)
        return None if ends is None else ends(name, place)
