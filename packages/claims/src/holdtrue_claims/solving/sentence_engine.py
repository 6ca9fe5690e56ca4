"""The engine of first-order sentences: any number of things, unbounded and real numbers, units, and dates.

There are two routes. A finite world has the named things and some unnamed ones, and quantifiers are written out. A
situation in it is always valid. A refutation is valid if the sentences have the small-model property (`fol.fragment`).
SAT decides a finite world of Booleans and bounded whole numbers, z3 any other one. In the open world z3 proves with
quantifiers, and each of its situations must be confirmed by evaluation. If neither route decides, the answer is
`Unknown`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from holdtrue.budget import OUT_OF_TIME, Budget, Deadline
from holdtrue.errors import FormulaError
from holdtrue.logic.formula import Formula, Variable
from holdtrue.solving.encoding import NotEncodable
from holdtrue.solving.engine import Soft
from holdtrue.solving.result import Core, Id, Satisfiable, Unknown, Unsatisfiable
from holdtrue_claims.fol import syntax as fol
from holdtrue_claims.fol.conventions import loosened
from holdtrue_claims.fol.fragment import Closure, Mark, closures, marks_in, needed_beside, needed_by
from holdtrue_claims.fol.meaning import sentence_of
from holdtrue_claims.fol.signature import names_in
from holdtrue_claims.fol.structure import Structure
from holdtrue_claims.fol.syntax import replaced
from holdtrue_claims.fol.term_sorts import TermSorts
from holdtrue_claims.fol.value_premises import reduced
from holdtrue_claims.fol.vocabulary import ANY, Vocabulary
from holdtrue_claims.fol.written_out import goes_through_values, written_out
from holdtrue_claims.solving.grounded_world import GroundedWorld
from holdtrue_claims.solving.sentence_memo import MOST_PARTS, SentenceMemo, Unnamed
from holdtrue_claims.solving.separate_parts import SeparateParts

if TYPE_CHECKING:
    from holdtrue_claims.solving.sentence_world import SentenceWorld

MOST_UNNAMED = 40
"""The largest number of unnamed things in a finite world."""
FEW_ALIKE, FEW_MARKS = 6, 6
"""With more unnamed things than the first number, and at most the second number of marks, kinds of things are counted.
"""
SLACK = 3
"""A kept world with at most this many unneeded things is reused."""
TRIED = (1, 2, 4)
"""The numbers of unnamed things in worlds that are searched for a situation if no number is known to suffice."""
LARGEST_TRIED = 50
"""The largest number of unnamed things in a searched world for sentences with counts."""
_REFUTING_S = 3.0
"""The time limit in seconds for a proof by instances, which mostly succeeds soon or never."""
LARGEST_SEARCH = 200_000
"""The largest number of parts of sentences that are written out for a search in a small world."""
_MOST_CLOSED = 100
"""The largest number of sets of closures that are cached."""
_GLANCE, _LOOK = 20, 4
"""The first look takes a twentieth of the remaining time, the second a quarter."""
_SLICE_S = 2.0
"""The time of the first look in seconds if there is no time limit; the second look takes five times as long."""


class SentenceEngine:
    """A `SentenceEngine` decides whether first-order sentences, given as `Stated` formulas, can all hold.

    `closed` assumes that only the named things exist, so that more is decided. If `small` is false, a refutation in a
    small world does not count.
    """

    name = "first-order"
    reason = "first-order: sentences about things of any number"

    def __init__(
        self,
        vocabulary: Vocabulary,
        background: Iterable[fol.Sentence] = (),
        *,
        closed: bool = False,
        small: bool = True,
    ) -> None:
        vocabulary.refuse_ambiguous()
        self.vocabulary, laws, self._terms = loosened(vocabulary)
        self.sentences = (*laws, *map(self._loose, background))
        self.closed, self.small = closed, small
        self.variables: tuple[Variable, ...] = ()
        self.background: tuple[Formula, ...] = ()
        self.worlds: dict[Unnamed, SentenceWorld] = {}
        self.grounded: dict[int, GroundedWorld] = {}
        # Cached for each sentence: its closures, its need of unnamed things, and its size.
        self._closures = SentenceMemo(_closures)
        self._needs: dict[tuple[Closure, ...], tuple[int, SentenceMemo[int | None]]] = {}
        self._sorts = TermSorts(self.vocabulary)
        self._ranging = SentenceMemo(lambda sentence: goes_through_values(sentence, self._sorts))
        self._written = SentenceMemo(lambda sentence: written_out(sentence, self._sorts))
        self._kept = frozenset(name for sentence in self.sentences for name in names_in(sentence))
        self._sizes_in: dict[int, SentenceMemo[int]] = {}
        self._separate = SeparateParts(self.vocabulary, self.sentences)

    def hold(self, soft: Soft) -> None:
        pass

    def decide(
        self, soft: Soft, budget: Budget, *, fixed: Mapping[str, int] | None = None
    ) -> Satisfiable | Unsatisfiable | Unknown:
        return self.check(soft, budget, fixed=fixed)

    def check(
        self, soft: Soft, budget: Budget, *, fixed: Mapping[str, int] | None = None
    ) -> Satisfiable | Core | Unknown:
        if fixed:
            raise FormulaError("first-order sentences have no variables to fix")
        deadline = budget.start()
        asked = {id: self._loose(sentence_of(formula)) for id, formula in soft.items()}
        if not any(self._ranging[sentence] for sentence in asked.values()):
            return self._decided(asked, budget, deadline)
        from holdtrue_claims.solving.ground_world import refuted  # z3 is loaded only for sentences about values

        # A question (its id begins with '=') is refuted more often than premises alone, so it gets more time.
        part = 2 if any(id.startswith("=") for id in asked) else 3
        soon = _slice(budget, deadline, part)
        soon = replace(soon, timeout_s=min(soon.timeout_s or _REFUTING_S, _REFUTING_S))
        core = refuted(self.vocabulary, self.sentences, asked, soon)
        if core is not None:
            return core
        late = budget.until(deadline, 4).start()
        left = reduced(asked, self._kept, self._sorts, self._written.__getitem__, lambda: late.passed)
        try:
            found = self._decided(left.sentences, budget.until(deadline), deadline)
        except FormulaError as error:
            return Unknown(str(error))
        match found:
            case Core(ids):
                needed = frozenset(ids).union(*(left.needs[id] for id in ids))
                return Core(tuple(id for id in asked if id in needed))
            case Satisfiable(Structure() as structure):
                return Satisfiable(replace(structure, readings=left.readings))
        return found

    def _decided(
        self, asked: Mapping[str, fol.Sentence], budget: Budget, deadline: Deadline
    ) -> Satisfiable | Core | Unknown:
        everything = (*self.sentences, *asked.values())
        known = tuple(found for sentence in everything for found in self._closures[sentence])
        # There is at least one thing.
        least = 0 if self.vocabulary.entities else 1
        if self.closed:
            return self._finite(least, asked, budget, deadline)
        if not self.small:
            return self._open(everything, asked, budget, deadline)
        needed = self._needed(everything, known)
        marks = marks_in(everything, self.vocabulary)
        alike = needed is None or needed > FEW_ALIKE
        if marks is not None and alike and len(marks) <= FEW_MARKS:
            # In a finite world, twelve equal guests would give a situation for each of their many orders.
            found = self._counted(marks, asked, budget.until(deadline, 2))
            if not isinstance(found, Unknown):
                return found
        if needed is not None and needed <= MOST_UNNAMED:
            size = self._size(max(needed, least))
            if self._parts(everything, size) <= MOST_PARTS:
                return self._whole(self._finite(size, asked, budget, deadline), asked, size)
        if marks is not None:
            return self._counted(marks, asked, budget.until(deadline))
        if self.vocabulary.entities and any(self._ranging[sentence] for sentence in everything):
            found = self._shown(self._separate.situation(asked, _slice(budget, deadline, 3)), asked, deadline)
            if isinstance(found, Satisfiable):
                return found
        return self._open(everything, asked, budget, deadline)

    def _loose(self, sentence: fol.Sentence) -> fol.Sentence:
        """Return the sentence with a function in place of each name that may mean the same thing as another."""
        found: fol.Sentence = replaced(sentence, self._terms) if self._terms else sentence
        return found

    def _whole(
        self, found: Satisfiable | Core | Unknown, asked: Mapping[Id, fol.Sentence], size: int
    ) -> Satisfiable | Core | Unknown:
        """Return the result. If the world is too small for the sentences of a core, add those that list all things to
        the core.
        """
        if not isinstance(found, Core):
            return found
        core = (*self.sentences, *(asked[id] for id in found.ids))
        needed = self._needed(core, tuple(closure for sentence in core for closure in self._closures[sentence]))
        if needed is not None and needed <= size:
            return found
        return Core(tuple(id for id, sentence in asked.items() if id in found.ids or closures(sentence)))

    def _needed(self, sentences: Iterable[fol.Sentence], known: tuple[Closure, ...]) -> int | None:
        """Return how many unnamed things decide sentences if these closures are stated (`fragment.needed_by`)."""
        if known not in self._needs:
            memo = SentenceMemo(lambda sentence: needed_by(sentence, known, self.vocabulary))
            if len(self._needs) >= _MOST_CLOSED:
                self._needs.clear()
            self._needs[known] = (needed_beside(known, self.vocabulary), memo)
        total, memo = self._needs[known]
        for sentence in sentences:
            needed = memo[sentence]
            if needed is None:
                return None
            total += needed
        return total

    def _size(self, needed: int) -> int:
        """Return the size of a kept world that is a little larger than needed, or otherwise of a new one."""
        kept = [
            size
            for size in (*self.worlds, *self.grounded)
            if isinstance(size, int) and needed <= size <= needed + SLACK
        ]
        return min(kept, default=needed + 1)

    def _open(
        self,
        everything: tuple[fol.Sentence, ...],
        asked: Mapping[str, fol.Sentence],
        budget: Budget,
        deadline: Deadline,
    ) -> Satisfiable | Core | Unknown:
        """Try for a proof and for situations in small worlds in turn, briefly at first and then at length.

        It is unknown which of them will succeed, and most successes are quick.
        """
        proof: Satisfiable | Core | Unknown = Unknown(OUT_OF_TIME)
        for part in (_GLANCE, _LOOK):
            for unnamed in (None, *self._sizes(everything)):
                slice_ = _slice(budget, deadline, 2 if part == _LOOK and unnamed is None else part)
                if isinstance(unnamed, int) and self._parts(everything, unnamed) > MOST_PARTS:
                    continue  # too large to be written out
                found = self._finite(unnamed, asked, slice_, slice_.start())
                if isinstance(found, Satisfiable) or (unnamed is None and isinstance(found, Core)):
                    return found
                if unnamed is None:
                    proof = found
        if isinstance(proof, Unknown):
            return proof
        return Unknown("neither a proof nor a situation was found: it depends on things that nobody listed")

    def _sizes(self, sentences: Iterable[fol.Sentence]) -> list[int]:
        """Return numbers of unnamed things that are worth a try: a few, and the numbers that sentences count."""
        counted = {
            int(side.value * side.unit.factor) + more
            for sentence in sentences
            for node in fol.walk(sentence)
            if isinstance(node, fol.Compare) and any(isinstance(side, fol.Count) for side in (node.left, node.right))
            for side in (node.left, node.right)
            if isinstance(side, fol.Number) and 0 < side.value * side.unit.factor <= LARGEST_TRIED
            for more in (0, 1)
        }
        sizes = {*TRIED, *sorted(counted)[-2:], min(sum(counted), LARGEST_TRIED)} - {0}
        return sorted(size for size in sizes if self._parts(sentences, size) <= LARGEST_SEARCH)

    def _finite(
        self, unnamed: Unnamed, asked: Mapping[str, fol.Sentence], budget: Budget, deadline: Deadline
    ) -> Satisfiable | Core | Unknown:
        try:
            grounded = self._grounded(unnamed, asked, deadline)
        except TimeoutError:
            return Unknown(OUT_OF_TIME)
        found: Structure | Core | Unknown | None = None
        if grounded is not None:
            with suppress(NotEncodable):
                found = grounded.check(asked, budget.until(deadline))
        if found is None:
            found = self._world(unnamed).check(asked, deadline)
        return found if isinstance(found, Core | Unknown) else self._shown(found, asked, deadline)

    def _shown(
        self, found: Structure | None, asked: Mapping[str, fol.Sentence], deadline: Deadline
    ) -> Satisfiable | Unknown:
        """Return a structure as a witness if evaluation confirms it."""
        if found is not None and self._confirmed(found, asked, deadline):
            # As a mapping the witness has facts by name, some of which are labels of things.
            return Satisfiable(replace(found, terms=self._terms))
        if deadline.passed:
            return Unknown(OUT_OF_TIME)
        return Unknown("the solver shows a situation that cannot be confirmed")

    def _confirmed(self, structure: Structure, asked: Mapping[str, fol.Sentence], deadline: Deadline) -> bool:
        """Return whether evaluation finds all sentences true in a structure; False if it cannot decide in time."""
        try:
            return all(structure.truth(sentence, deadline.check) for sentence in (*self.sentences, *asked.values()))
        except (FormulaError, TimeoutError):
            return False

    def _counted(
        self, marks: tuple[Mark, ...], asked: Mapping[str, fol.Sentence], budget: Budget
    ) -> Satisfiable | Core | Unknown:
        """Decide by the number of unnamed things of each kind."""
        kept = [known for known in self.worlds if isinstance(known, tuple) and set(marks) <= set(known)]
        return self._finite(min(kept, key=len, default=marks), asked, budget, budget.start())

    def _grounded(
        self, unnamed: Unnamed, asked: Mapping[str, fol.Sentence], deadline: Deadline
    ) -> GroundedWorld | None:
        """Return the world of this size for SAT; None if it does not take the sentences."""
        if not isinstance(unnamed, int):
            return None
        if unnamed not in self.grounded:
            self.grounded[unnamed] = GroundedWorld(self.vocabulary, self.sentences, unnamed)
        world = self.grounded[unnamed]
        return world if world.takes(asked.values(), deadline.check) else None

    def _world(self, unnamed: Unnamed) -> SentenceWorld:
        if unnamed not in self.worlds:
            from holdtrue_claims.solving.sentence_world import SentenceWorld  # z3 is loaded only if SAT does not decide

            self.worlds[unnamed] = SentenceWorld(self.vocabulary, self.sentences, unnamed)
        return self.worlds[unnamed]

    def _parts(self, sentences: Iterable[fol.Sentence], unnamed: int) -> int:
        """Return how many parts the sentences have when written out over the named things and more unnamed ones."""
        if unnamed not in self._sizes_in:
            self._sizes_in[unnamed] = SentenceMemo(lambda sentence: self._parts_in(sentence, unnamed))
        return sum(self._sizes_in[unnamed][sentence] for sentence in sentences)

    def _parts_in(self, sentence: fol.Sentence, unnamed: int) -> int:
        total = len(self.vocabulary.entities) + unnamed
        closed = {sort: len(self.vocabulary.named(sort)) for sort in self.vocabulary.closed}

        def parts(node: fol.Sentence | fol.Term) -> int:
            inside = sum(map(parts, fol.parts(node)))
            if isinstance(node, fol.Binder) and self._sorts.ranged(node.sort) is None:
                return 1 + inside * closed.get(node.sort or ANY, total)
            return 1 + inside

        return parts(sentence)


def _closures(sentence: fol.Sentence) -> tuple[Closure, ...]:
    fol.check_depth(sentence)
    return closures(sentence)


def _slice(budget: Budget, deadline: Deadline, part: int) -> Budget:
    """Return a part of the remaining time, or a fixed time if there is no limit, because z3 may never end."""
    left = budget.until(deadline, part)
    if left.timeout_s is not None:
        return left
    return Budget(_SLICE_S * _GLANCE / (part * _LOOK), left.conflicts)
