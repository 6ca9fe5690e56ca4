"""The engine for first-order sentences: things of any number, unbounded and real numbers, units, dates.

Two routes. In a finite world, of the named things and some unnamed ones, quantifiers are written out; whatever holds
there is a situation in any case, and where a fragment has the small-model property (`logic.fol.fragment`) what is
impossible there is impossible. In the open world z3 proves with quantifiers, and every situation that it shows is
confirmed by evaluation before it counts. Where neither decides, the answer is `Unknown`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from holdtrue.budget import OUT_OF_TIME, Budget, Deadline
from holdtrue.errors import FormulaError
from holdtrue.logic.fol import syntax as fol
from holdtrue.logic.fol.fragment import unnamed_needed
from holdtrue.logic.fol.stated import sentence_of
from holdtrue.logic.fol.structure import Structure
from holdtrue.logic.fol.vocabulary import ANY, Vocabulary
from holdtrue.logic.formula import Formula, Variable
from holdtrue.solving.engine import Near, Soft
from holdtrue.solving.result import Core, Satisfiable, Unknown, Unsatisfiable
from holdtrue.solving.sentence_world import MOST_PARTS, SentenceWorld

MOST_UNNAMED = 12
"""With more unnamed things than this the open world is asked."""
SLACK = 3
"""A world with so many more unnamed things than needed decides the same, and is not made anew."""
TRIED = (1, 3)
"""Numbers of unnamed things in the worlds that are searched for a situation where no number is known to be enough."""


class SentenceEngine:
    """A `SentenceEngine` decides whether first-order sentences, given as `Stated` formulas, can all hold.

    `closed` has it take the named things for all that there is, which is an assumption, so that it decides more.
    """

    name = "first-order"

    def __init__(
        self, vocabulary: Vocabulary, background: Iterable[fol.Sentence] = (), *, closed: bool = False
    ) -> None:
        self.vocabulary = vocabulary
        self.sentences = tuple(background)
        self.closed = closed
        self.variables: tuple[Variable, ...] = ()
        self.background: tuple[Formula, ...] = ()
        self._worlds: dict[int | None, SentenceWorld] = {}

    def hold(self, soft: Soft) -> None:
        pass

    def decide(
        self, soft: Soft, budget: Budget, *, fixed: Mapping[str, int] | None = None, near: Near | None = None
    ) -> Satisfiable | Unsatisfiable | Unknown:
        return self.check(soft, budget, fixed=fixed, near=near)

    def check(
        self, soft: Soft, budget: Budget, *, fixed: Mapping[str, int] | None = None, near: Near | None = None
    ) -> Satisfiable | Core | Unknown:
        if fixed or near is not None:
            raise FormulaError("first-order sentences have no variables to fix")
        deadline = budget.start()
        asked = {id: sentence_of(formula) for id, formula in soft.items()}
        everything = (*self.sentences, *asked.values())
        for sentence in everything:
            fol.check_depth(sentence)
        # There is something in any case.
        least = 0 if self.vocabulary.entities else 1
        if self.closed:
            return self._finite(least, asked, deadline)
        needed = unnamed_needed(everything, self.vocabulary)
        if needed is not None and needed <= MOST_UNNAMED:
            size = self._size(max(needed, least))
            if self._parts(everything, size) <= MOST_PARTS:
                return self._finite(size, asked, deadline)
        return self._open(everything, asked, budget, deadline)

    def _size(self, needed: int) -> int:
        """Return the size of a world that is kept and little larger than needed, or else what is needed."""
        kept = [size for size in self._worlds if size is not None and needed <= size <= needed + SLACK]
        return min(kept, default=needed)

    def _open(
        self,
        everything: tuple[fol.Sentence, ...],
        asked: Mapping[str, fol.Sentence],
        budget: Budget,
        deadline: Deadline,
    ) -> Satisfiable | Core | Unknown:
        """Look for a situation in a small world first, which is quick; then prove, or look further."""
        first, *others = TRIED
        found = self._search(first, everything, asked, budget.until(deadline, 4))
        if isinstance(found, Satisfiable):
            return found
        until = budget.until(deadline, 2).start()
        proof = self._world(None).check(asked, until)
        if isinstance(proof, Core):
            return proof
        if isinstance(proof, Structure) and self._confirmed(proof, asked, until):
            return _shown(proof)
        for unnamed in others:
            found = self._search(unnamed, everything, asked, budget.until(deadline))
            if isinstance(found, Satisfiable):
                return found
        if isinstance(proof, Unknown):
            return proof
        return Unknown("neither a proof nor a situation was found: it depends on things that nobody listed")

    def _search(
        self, unnamed: int, everything: tuple[fol.Sentence, ...], asked: Mapping[str, fol.Sentence], budget: Budget
    ) -> Satisfiable | Core | Unknown:
        if self._parts(everything, unnamed) > MOST_PARTS:
            return Unknown("too large to be written out")
        return self._finite(unnamed, asked, budget.start())

    def _finite(
        self, unnamed: int, asked: Mapping[str, fol.Sentence], deadline: Deadline
    ) -> Satisfiable | Core | Unknown:
        found = self._world(unnamed).check(asked, deadline)
        if not isinstance(found, Structure):
            return found
        if self._confirmed(found, asked, deadline):
            return _shown(found)
        if deadline.passed:
            return Unknown(OUT_OF_TIME)
        return Unknown("z3 shows a situation that cannot be confirmed")

    def _confirmed(self, structure: Structure, asked: Mapping[str, fol.Sentence], deadline: Deadline) -> bool:
        """Return whether evaluation finds all sentences true in a structure; False where it cannot tell in time."""
        try:
            return all(structure.truth(sentence, deadline.check) for sentence in (*self.sentences, *asked.values()))
        except (FormulaError, TimeoutError):
            return False

    def _world(self, unnamed: int | None) -> SentenceWorld:
        if unnamed not in self._worlds:
            self._worlds[unnamed] = SentenceWorld(self.vocabulary, self.sentences, unnamed)
        return self._worlds[unnamed]

    def _parts(self, sentences: Iterable[fol.Sentence], unnamed: int) -> int:
        """Return how many parts sentences have that are written out over the named things and so many more."""
        total = len(self.vocabulary.entities) + unnamed
        closed = {sort: len(self.vocabulary.named(sort)) for sort in self.vocabulary.closed}

        def parts(node: fol.Sentence | fol.Term) -> int:
            inside = sum(map(parts, fol.parts(node)))
            if isinstance(node, fol.Quantified | fol.Count | fol.Total):
                return 1 + inside * closed.get(node.sort or ANY, total)
            return 1 + inside

        return sum(parts(sentence) for sentence in sentences)


def _shown(structure: Structure) -> Satisfiable:
    # A witness of sentences: as a mapping it has facts by name, of which some are labels of things.
    return Satisfiable(structure)  # type: ignore[arg-type]
