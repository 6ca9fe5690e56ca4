"""Structures: finitely many things with facts about them, under which sentences are true, false, or not known to be."""

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
    """Facts that are each read when they are first asked for, and kept.

    As a whole they are those about things, where a name has no more than `most`, and those about numbers that were
    asked for.
    """

    def __init__(self, sorts: TermSorts, things: Collection[str], most: int) -> None:
        self._sorts, self._labels, self._most = sorts, things, most
        self._known: dict[Fact, Value | str] = {}

    def ends(self, name: str, place: int) -> Sequence[Fraction] | None:
        """Return from which values of an argument on facts may be others, in order; None where nobody knows."""
        return None

    @abstractmethod
    def _read(self, name: str, args: tuple[Any, ...]) -> Value | str:
        """Read a fact; raises `KeyError` where there is none."""

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
    """A `Structure` has `things`, each with the sorts that it is of, and `facts` about them.

    A fact of a predicate is 1 or 0, that of a function a thing's label or a number in the function's own unit. As a
    mapping it has facts by name, such as `Likes(Ann, ?1)`. Facts that are missing are not known. A thing with `copies`
    stands for so many that are alike, which no sentence that is asked about relates to each other. `terms` say what is
    asked about in place of names that may stand for one thing (`conventions.loosened`). What `readings` are of has no
    facts here, but is what they say, in turn.
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
        """Return the facts by name for people and files: 0 or 1 for predicates, plain whole numbers, else words."""
        predicates = {own.name for own in self.vocabulary.predicates}
        return {
            self.name(fact): int(value) if fact[0] in predicates else _worded(value, self.sorts.result(fact[0]))
            for fact, value in self._own.items()
        }

    @cached_property
    def sorts(self) -> TermSorts:
        return TermSorts(self.vocabulary)

    def truth(self, sentence: fol.Sentence, at_each: Callable[[], object] = lambda: None) -> bool | None:
        """Return whether a sentence holds; None where that depends on missing facts, or on values without an end.

        `at_each` is called for each thing that is tried, and may raise to make an end: with many things and nested
        quantifiers there is much to try. Raises `FormulaError` for what has no meaning here: a free variable, an
        unknown thing, a division by zero.
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
        """Return what evaluates sentences without names that readings are of."""
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
