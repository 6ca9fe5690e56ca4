"""A structure has finitely many things with facts about them. Sentences are true, false or unknown in it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from itertools import product
from typing import Any

from holdtrue.logic.formula import Formula
from holdtrue.logic.partial_witness import PartialWitness
from holdtrue.logic.value_sorts import Amount, Value
from holdtrue_claims.fol import syntax as fol
from holdtrue_claims.fol.evaluation import Evaluation, Fact
from holdtrue_claims.fol.meaning import sentence_of
from holdtrue_claims.fol.syntax import replaced
from holdtrue_claims.fol.term_sorts import Sort, TermSorts
from holdtrue_claims.fol.value_readings import NotTold, Reading
from holdtrue_claims.fol.vocabulary import Vocabulary


class FactsRead(Mapping[Fact, "Value | str"], ABC):
    """`FactsRead` reads each fact at its first use and keeps it.

    Iteration lists the facts about things, for names with at most `most` of them, and the facts about numbers that were
    read.
    """

    def __init__(self, sorts: TermSorts, things: Collection[str], most: int) -> None:
        self._sorts, self._labels, self._most = sorts, things, most
        self._known: dict[Fact, Value | str] = {}

    def ends(self, name: str, place: int) -> Sequence[Fraction] | None:
        """Return the argument values at which facts may change, in order; None if that is unknown."""
        return None

    @abstractmethod
    def _read(self, name: str, args: tuple[Any, ...]) -> Value | str:
        """Read a fact. Raises `KeyError` if there is none."""

    def __getitem__(self, fact: Fact) -> Value | str:
        if fact not in self._known:
            self._known[fact] = self._read(*fact)
        return self._known[fact]

    def __iter__(self) -> Iterator[Fact]:
        return iter(self._complete())

    def __len__(self) -> int:
        return len(self._complete())

    def _complete(self) -> Mapping[Fact, Value | str]:
        for name, sorts in self._sorts.arguments.items():
            if all(isinstance(sort, str) for sort in sorts) and len(self._labels) ** len(sorts) <= self._most:
                for args in product(self._labels, repeat=len(sorts)):
                    self.get((name, args))
        return self._known


@dataclass(frozen=True)
class Structure(PartialWitness):
    """A `Structure` has `things` with their sorts, and `facts` about them.

    The value of a predicate is 1 or 0. The value of a function is a thing's label or a number in the function's unit.
    As a mapping a structure has facts by name, such as `Likes(Ann, ?1)`. Missing facts are unknown. A thing with
    `copies` stands for that many equal things, which no sentence relates to each other. `terms` replace names that may
    mean the same thing (`conventions.loosened`). Names with `readings` have no facts; the readings define them, one
    after the other.
    """

    vocabulary: Vocabulary
    things: Mapping[str, frozenset[str]]
    facts: Mapping[Fact, Value | str]
    copies: Mapping[str, int] = field(default_factory=dict)
    terms: Mapping[fol.Term, fol.Term] = field(default_factory=dict)
    readings: tuple[Reading, ...] = ()

    def __getitem__(self, name: str) -> Value | str:
        return self._by_name[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._by_name)

    def __len__(self) -> int:
        return len(self._by_name)

    @cached_property
    def _by_name(self) -> Mapping[str, Value | str]:
        return {self.name(fact): value for fact, value in self._own.items()}

    @property
    def _own(self) -> Mapping[Fact, Value | str]:
        read = {reading.name for reading in self.readings}
        return {fact: value for fact, value in self.facts.items() if fact[0] not in read}

    def name(self, fact: Fact) -> str:
        """Return a fact's name in words: `weight(Ann)`."""
        function, args = fact
        wanted = self.sorts.arguments.get(function, ())
        shown = [arg if isinstance(arg, str) else _show(arg, wanted[at]) for at, arg in enumerate(args)]
        return f"{function}({', '.join(shown)})" if shown else function

    def shown(self) -> dict[str, int | str]:
        """Return the facts by name for people and files: 0 or 1 for predicates, whole numbers, and words."""
        predicates = {own.name for own in self.vocabulary.predicates}
        return {
            self.name(fact): int(value) if fact[0] in predicates else _worded(value, self.sorts.result(fact[0]))
            for fact, value in self._own.items()
        }

    @cached_property
    def sorts(self) -> TermSorts:
        return TermSorts(self.vocabulary)

    def truth(self, sentence: fol.Sentence, at_each: Callable[[], object] = lambda: None) -> bool | None:
        """Return whether a sentence holds; None if that depends on missing facts or on an infinite range of values.

        `at_each` is called for each thing that is tried, and may raise to stop: nested quantifiers over many things
        take long. Raises `FormulaError` for a sentence without a meaning here: a free variable, an unknown thing, a
        division by zero.
        """
        fol.check_depth(sentence)
        sentence = replaced(sentence, self.terms) if self.terms else sentence
        try:
            for reading in self.readings:
                sentence = reading.of(sentence, {})
        except NotTold:
            return None
        return self.evaluation(at_each).truth(sentence)

    def tells(self, formula: Formula, at_each: Callable[[], object] = lambda: None) -> bool | None:
        return self.truth(sentence_of(formula), at_each)

    def evaluation(self, at_each: Callable[[], object]) -> Evaluation:
        """Return an evaluation for sentences without names that have readings."""
        ends = getattr(self.facts, "ends", lambda name, place: None)
        return Evaluation(self.things, self.facts, self.sorts, at_each, self.copies, ends)


def _worded(value: Value | str, sort: Sort) -> int | str:
    if isinstance(value, str) or isinstance(sort, str):
        return str(value)
    if isinstance(value, int) and isinstance(sort, Amount) and not sort.unit.name:
        return value
    return sort.show(value)


def _show(value: Fraction, sort: Sort) -> str:
    return str(value) if isinstance(sort, str) else sort.show(value / sort.unit.factor)
