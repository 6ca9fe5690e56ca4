"""Sentences over the named things and a number of unnamed ones, as formulas for the engines of finite problems.

What is Boolean, or compares whole numbers that have stated bounds, is decided by SAT many times as fast as by z3.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product

from holdtrue.budget import NEVER, OUT_OF_TIME, Budget
from holdtrue.errors import FormulaError
from holdtrue.logic import formula as f
from holdtrue.logic.fol import syntax as fol
from holdtrue.logic.fol.laws import bounds
from holdtrue.logic.fol.structure import Structure
from holdtrue.logic.fol.term_sorts import TermSorts
from holdtrue.logic.fol.vocabulary import ANY, Function, Vocabulary
from holdtrue.logic.sorts import IntSort
from holdtrue.logic.value_sorts import WHOLE, Value
from holdtrue.solving.engine import Engine
from holdtrue.solving.open_things import OpenThings, all_of_their_sorts
from holdtrue.solving.read_facts import FactsRead
from holdtrue.solving.result import Core, Id, Satisfiable, Unknown, Witness
from holdtrue.solving.sat_engine import SatEngine
from holdtrue.solving.sentence_grounding import TRUTH, fact_name, ground
from holdtrue.solving.sentence_memo import SentenceMemo

MOST_FACTS = 4_000
"""With more facts than this a world is not grounded: each of them is a variable from the start."""


class GroundedWorld:
    """A `GroundedWorld` has the named things and at most so many unnamed ones, as `finite_world.FiniteWorld` has.

    It takes only some sentences (`takes`).
    """

    def __init__(self, vocabulary: Vocabulary, background: Iterable[fol.Sentence], unnamed: int) -> None:
        self.vocabulary = vocabulary
        self.things = OpenThings(vocabulary, unnamed)
        self._sorts = TermSorts(vocabulary)
        background = tuple(background)
        self._bounded = _bounded(vocabulary, background)
        always = {law for own in self._bounded.values() for law in bounds(own, WHOLE)}
        self._background = tuple(sentence for sentence in background if sentence not in always)
        self._ranges = {name: (own.low or 0, own.high or 0) for name, own in self._bounded.items()}
        self._at_each: Callable[[], object] = NEVER.check
        self._formulas = SentenceMemo(self._formula)
        self._said: list[f.Formula] | None = None
        self._refused = self._many()
        self._engine: Engine | None = None

    def takes(self, sentences: Iterable[fol.Sentence], at_each: Callable[[], object]) -> bool:
        """Return whether all sentences, and the world's own, can be grounded, after doing so.

        Raises `TimeoutError` where `at_each` does.
        """
        if self._refused:
            return False
        self._at_each = at_each
        if self._said is None:
            said = [self._formulas[sentence] for sentence in self._background]
            self._said = [formula for formula in said if formula is not None]
            self._refused = len(self._said) < len(said)
        return not self._refused and all(self._formulas[sentence] is not None for sentence in sentences)

    def check(self, asked: Mapping[Id, fol.Sentence], budget: Budget) -> Structure | Core | Unknown:
        """Return a structure in which all that is asked holds, not yet confirmed; a core; or why there is neither.

        Raises `FormulaError` for sentences that the world does not take, and `NotEncodable` for what has more clauses
        than are worth making.
        """
        deadline = budget.start()
        try:
            if not self.takes(asked.values(), deadline.check):
                raise FormulaError("a sentence is asked about that cannot be grounded")
        except TimeoutError:
            return Unknown(OUT_OF_TIME)
        found = {id: self._formulas[sentence] for id, sentence in asked.items()}
        soft = {id: formula for id, formula in found.items() if formula is not None}
        if self._engine is None:
            self._engine = SatEngine(tuple(self._variables()), (*self.things.laws, *(self._said or ())))
        answer = self._engine.check(soft, budget.until(deadline))
        return self._structure(answer.witness) if isinstance(answer, Satisfiable) else answer

    def _formula(self, sentence: fol.Sentence) -> f.Formula | None:
        """Return what a sentence says here; None for one that is not Boolean, too large, or has no meaning."""
        if not self._is_plain(sentence) or not all_of_their_sorts(sentence, self._bounded, self.vocabulary):
            return None
        try:
            return ground(sentence, self.things, self._ranges, at_each=self._at_each)
        except FormulaError:
            return None  # z3 is asked instead, and says so in words where the sentence has no meaning

    def _is_plain(self, sentence: fol.Sentence) -> bool:
        """Return whether a sentence is about things and bounded numbers alone, in names and sorts that there are."""
        for node in fol.walk(sentence):
            match node:
                case fol.Holds(predicate, args):
                    if self._places(predicate) != len(args):
                        return False
                case fol.Apply(function, args):
                    if function not in self._bounded or self._places(function) != len(args):
                        return False
                case fol.Quantified(sort=sort) | fol.Count(sort=sort):
                    if sort is not None and sort not in self.vocabulary.thing_sorts:
                        return False
                case fol.Compare(op, left, right) if op in ("=", "!="):
                    # Two numbers are compared as numbers, and not as things that digits name.
                    if isinstance(left, fol.Number) and isinstance(right, fol.Number):
                        return False
        return True

    def _places(self, name: str) -> int | None:
        """Return how many things a name takes; None for one that takes values too, or is not there."""
        sorts = self._sorts.arguments.get(name)
        return len(sorts) if sorts is not None and all(isinstance(sort, str) for sort in sorts) else None

    def _grounded(self) -> list[tuple[str, int, IntSort]]:
        """Every name of which the facts are variables, with its number of places and the range of its values."""
        plain = [own for own in self.vocabulary.predicates if self._places(own.name) is not None]
        found = [(own.name, len(own.sorts), TRUTH) for own in plain]
        return found + [(name, len(own.sorts), IntSort(*self._ranges[name])) for name, own in self._bounded.items()]

    def _many(self) -> bool:
        size = len(self.things.labels)
        facts: int = sum(size**places for _, places, _ in self._grounded())
        return facts > MOST_FACTS

    def _variables(self) -> Iterator[f.Variable]:
        yield from self.things.variables
        for name, places, sort in self._grounded():
            for labels in product(self.things.labels.values(), repeat=places):
                yield f.Variable(fact_name(name, labels), sort)

    def _structure(self, witness: Witness) -> Structure:
        things: dict[str, frozenset[str]] = {}
        own_sorts = {own.name: own.sort for own in self.vocabulary.entities}
        for name, label in self.things.labels.items():
            own = own_sorts.get(name, ANY)
            if name not in own_sorts and not witness[self.things.exists(label).name]:
                continue
            open_ = self.things.open_sorts if own == ANY else ()
            sorts = {sort for sort in open_ if witness[self.things.is_of(sort, label).name]}
            things[name] = frozenset(sorts if own == ANY else {own})
        return Structure(self.vocabulary, things, _GroundFacts(self, witness, things))


class _GroundFacts(FactsRead):
    """The facts of a witness. What no sentence here can be about is anything: 0, or any thing of the right sort."""

    def __init__(self, world: GroundedWorld, witness: Witness, things: Mapping[str, frozenset[str]]) -> None:
        super().__init__(world._sorts, things, MOST_FACTS)
        self._world, self._witness, self._things = world, witness, things
        self._results = {own.name: world._sorts.result(own.name) for own in world.vocabulary.functions}
        self._predicates = {own.name for own in world.vocabulary.predicates}
        self._grounded = {name for name, _, _ in world._grounded()}

    def ends(self, name: str, place: int) -> Sequence[Fraction]:
        return ()

    def _read(self, name: str, args: tuple[object, ...]) -> Value | str:
        if name in self._grounded:
            labels = self._world.things.labels
            return self._witness[fact_name(name, [labels[str(arg)] for arg in args])]
        if name in self._predicates:
            return 0
        result = self._results[name]
        if not isinstance(result, str):
            return 0
        fitting = (label for label, sorts in self._things.items() if result == ANY or result in sorts)
        return next(fitting, next(iter(self._things)))


def _bounded(vocabulary: Vocabulary, background: Iterable[fol.Sentence]) -> dict[str, Function]:
    """The functions of things to plain whole numbers whose bounds, both of them, are stated in the background."""
    stated = set(background)
    sorts = TermSorts(vocabulary)
    return {
        own.name: own
        for own in vocabulary.functions
        if own.low is not None
        and own.high is not None
        and own.low <= own.high
        and sorts.result(own.name) == WHOLE
        and all(isinstance(sort, str) for sort in sorts.arguments[own.name])
        and stated.issuperset(bounds(own, WHOLE))
    }
