"""Show one situation for sentences that fall into parts, none of which speaks of a name that another speaks of.

Each part is solved alone, over the named things. Since no part says anything of another's predicates and functions,
their situations together are one of all sentences, where what nobody named is not there.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from holdtrue.budget import Budget
from holdtrue.logic.fol import syntax as fol
from holdtrue.logic.fol.evaluation import Fact
from holdtrue.logic.fol.signature import names_in
from holdtrue.logic.fol.structure import Structure
from holdtrue.logic.fol.vocabulary import Vocabulary
from holdtrue.logic.value_sorts import Value
from holdtrue.solving.result import Id

Sentences = Mapping[Id, fol.Sentence]
Facts = Mapping[Fact, Value | str]
_MOST_KEPT = 200
"""So many situations of parts are kept: those of premises are asked for again with each claim."""


class SeparateParts:
    """`SeparateParts` look for situations of named things alone, part by part."""

    def __init__(self, vocabulary: Vocabulary, background: Iterable[fol.Sentence]) -> None:
        self._vocabulary, self._background = vocabulary, tuple(background)
        self._things = {own.name for own in vocabulary.entities}
        self._kept: dict[frozenset[fol.Sentence], Structure] = {}

    def situation(self, asked: Sentences, budget: Budget) -> Structure | None:
        """Return a situation in which all hold as z3 has it, not yet confirmed; None where none is found in time."""
        deadline, parts = budget.start(), self._parts(asked)
        owners: dict[str, Facts] = {}
        found: Structure | None = None
        for place, (names, part) in enumerate(parts):
            found = self._of_part(part, budget.until(deadline, len(parts) - place))
            if found is None:
                return None
            owners |= dict.fromkeys(names, found.facts)
        return None if found is None else Structure(self._vocabulary, found.things, _JoinedFacts(found.facts, owners))

    def _of_part(self, part: Sentences, budget: Budget) -> Structure | None:
        from holdtrue.solving.sentence_world import SentenceWorld  # z3 is loaded where it is needed

        key = frozenset(part.values())
        if key not in self._kept:
            found = SentenceWorld(self._vocabulary, self._background, 0).check(part, budget.start())
            if not isinstance(found, Structure):
                return None
            if len(self._kept) >= _MOST_KEPT:
                self._kept.clear()
            self._kept[key] = found
        return self._kept[key]

    def _parts(self, asked: Sentences) -> list[tuple[frozenset[str], Sentences]]:
        """Return the sentences in parts, smallest first, each with the predicates and functions that it speaks of."""
        parts: list[tuple[frozenset[str], dict[Id, fol.Sentence]]] = []
        for id, sentence in (*asked.items(), *((None, own) for own in self._background)):
            # What is named stands for the same in every part.
            names = names_in(sentence) - self._things
            joined = [part for part in parts if part[0] & names]
            parts = [part for part in parts if not part[0] & names]
            held = {key: own for _, part in joined for key, own in part.items()}
            parts.append((names.union(*(own for own, _ in joined)), held if id is None else {**held, id: sentence}))
        return sorted(((names, part) for names, part in parts if part), key=lambda own: len(own[1]))


class _JoinedFacts(Mapping[Fact, "Value | str"]):
    """The facts of each name as its owner has them; those of all others as the `rest` has them."""

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
        """Return from which values of an argument on facts of a name may be others (`FactsRead.ends`)."""
        ends = getattr(self._of(name), "ends", None)
        return None if ends is None else ends(name, place)
