"""Sentences over the named things and some unnamed ones, as formulas for SAT.

SAT decides Boolean sentences and bounded whole numbers many times as fast as z3.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import pairwise, product

from holdtrue.budget import NEVER, OUT_OF_TIME, Budget
from holdtrue.errors import FormulaError
from holdtrue.logic import formula as f
from holdtrue.logic.sorts import IntSort
from holdtrue.logic.value_sorts import WHOLE, Value
from holdtrue.solving.engine import Engine
from holdtrue.solving.result import Core, Id, Satisfiable, Unknown, Witness
from holdtrue.solving.sat_engine import SatEngine
from holdtrue_claims.fol import syntax as fol
from holdtrue_claims.fol.laws import bounds
from holdtrue_claims.fol.naming import unnamed_label
from holdtrue_claims.fol.structure import FactsRead, Structure
from holdtrue_claims.fol.term_sorts import TermSorts
from holdtrue_claims.fol.vocabulary import ANY, Function, Vocabulary
from holdtrue_claims.solving.sentence_grounding import TRUTH, Member, fact_name, ground, thing_label
from holdtrue_claims.solving.sentence_memo import SentenceMemo


@dataclass(frozen=True)
class OpenThings:
    """`OpenThings` are the named things, each of its sort only, and at most `unnamed` others of any sorts.

    0/1 variables say whether an unnamed thing exists and which sorts it has. A named thing without a sort may have any
    sort. A closed sort has only the things named with it. There is at least one thing.
    """

    vocabulary: Vocabulary
    unnamed: int

    @cached_property
    def names(self) -> tuple[str, ...]:
        return tuple(own.name for own in self.vocabulary.entities)

    @cached_property
    def labels(self) -> Mapping[str, str]:
        """Return the label of each named thing, and of each unnamed one: ?1, ?2."""
        return {**{name: thing_label(name) for name in self.names}, **{label: label for label in self._unnamed}}

    @cached_property
    def _unnamed(self) -> tuple[str, ...]:
        return tuple(map(unnamed_label, range(1, self.unnamed + 1)))

    def exists(self, label: str) -> f.Variable:
        """Return the variable for the existence of an unnamed thing."""
        return f.Variable(f"exists {label}", TRUTH)

    def is_of(self, sort: str, label: str) -> f.Variable:
        """Return the variable that says whether the thing with this label has a sort, if that is open."""
        return f.Variable(f"is a {sort}: {label}", TRUTH)

    @cached_property
    def open_sorts(self) -> tuple[str, ...]:
        """Return the sorts that unnamed things can have."""
        closed = self.vocabulary.closed
        return tuple(sort for sort in sorted(self.vocabulary.thing_sorts) if sort != ANY and sort not in closed)

    def members(self, sort: str | None) -> Sequence[Member]:
        return self._members[sort or ANY]

    @cached_property
    def _members(self) -> Mapping[str, Sequence[Member]]:
        return {sort: self._of(sort) for sort in self.vocabulary.thing_sorts}

    def _of(self, sort: str) -> list[Member]:
        found: list[Member] = []
        for own in self.vocabulary.entities:
            label = self.labels[own.name]
            if sort in (ANY, own.sort):
                found.append((label, None))
            elif own.sort == ANY and sort in self.open_sorts:
                found.append((label, self.is_of(sort, label).eq(1)))
        if sort in self.vocabulary.closed or ANY in self.vocabulary.closed:
            return found
        for label in self._unnamed:
            here = self.exists(label).eq(1)
            is_one = here if sort == ANY else f.And((here, self.is_of(sort, label).eq(1)))
            found.append((label, is_one))
        return found

    @cached_property
    def variables(self) -> tuple[f.Variable, ...]:
        """Return the variables for the existence of things and for their sorts."""
        unsorted = [self.labels[own.name] for own in self.vocabulary.entities if own.sort == ANY]
        sorts = [self.is_of(sort, label) for sort in self.open_sorts for label in (*unsorted, *self._unnamed)]
        return (*map(self.exists, self._unnamed), *sorts)

    @cached_property
    def laws(self) -> tuple[f.Formula, ...]:
        """Return the general laws: something exists, unnamed things come in order, and a function has a value."""
        exist = list(map(self.exists, self._unnamed))
        found: list[f.Formula] = [other.eq(1).implies(one.eq(1)) for one, other in pairwise(exist)]
        if ANY in self.vocabulary.closed:
            found += [one.eq(0) for one in exist]
        elif exist and not self.names:
            found.append(exist[0].eq(1))
        to_things = (own for own in self.vocabulary.functions if self.vocabulary.value_sort(own.result) is None)
        found += map(self._valued, to_things)
        return tuple(found)

    def _valued(self, function: Function) -> f.Formula:
        """Return the formula that things of the result's sort exist if things of the arguments' sorts exist."""
        sorts = [sort for sort in function.sorts if sort in self.vocabulary.thing_sorts]
        return f.And(tuple(map(self._some, sorts))).implies(self._some(function.result))

    def _some(self, sort: str) -> f.Formula:
        return f.Or(tuple(f.Truth(True) if here is None else here for _, here in self._members.get(sort, ())))


def all_of_their_sorts(sentence: fol.Sentence, functions: Mapping[str, Function], vocabulary: Vocabulary) -> bool:
    """Return whether the arguments of these functions always have the sort that the function takes.

    The bounds of a function hold only for such arguments.
    """
    sorts = {own.name: own.sort for own in vocabulary.entities}

    def fits(node: fol.Sentence | fol.Term, bound: Mapping[str, str]) -> bool:
        if isinstance(node, fol.Binder):
            bound = {**bound, node.variable: node.sort or ANY}
        if isinstance(node, fol.Apply) and node.function in functions:
            for arg, wanted in zip(node.args, functions[node.function].sorts, strict=False):
                named = sorts.get(arg.name) if isinstance(arg, fol.Constant) else None
                is_of = bound.get(arg.name) if isinstance(arg, fol.Bound) else named
                if wanted not in (ANY, is_of):
                    return False
        return all(fits(part, bound) for part in fol.parts(node))

    return fits(sentence, {})


MOST_FACTS = 4_000
"""The largest number of facts of a grounded world, each of which is a variable from the start."""


class GroundedWorld:
    """A `GroundedWorld` has the named things and a limited number of unnamed ones, like `FiniteWorld`.

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
        """Ground all sentences and the background, and return whether that was possible.

        Raises `TimeoutError` if `at_each` does.
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
        """Return a structure that satisfies the sentences, not yet confirmed, a core, or the reason why there is
        neither.

        Raises `FormulaError` for sentences that the world does not take, and `NotEncodable` for too many clauses.
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
        """Return the formula of a sentence; None if it is not Boolean, too large, or without a meaning."""
        if not self._is_plain(sentence) or not all_of_their_sorts(sentence, self._bounded, self.vocabulary):
            return None
        try:
            return ground(sentence, self.things, self._ranges, at_each=self._at_each)
        except FormulaError:
            return None  # z3 is asked instead, and reports a missing meaning

    def _is_plain(self, sentence: fol.Sentence) -> bool:
        """Return whether a sentence has only declared names and sorts, and only things and bounded numbers."""
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
                    # Two numbers are compared as numbers, not as things named by digits.
                    if isinstance(left, fol.Number) and isinstance(right, fol.Number):
                        return False
        return True

    def _places(self, name: str) -> int | None:
        """Return the arity of a name; None for an unknown name, and for one with arguments that are values."""
        sorts = self._sorts.arguments.get(name)
        return len(sorts) if sorts is not None and all(isinstance(sort, str) for sort in sorts) else None

    def _grounded(self) -> list[tuple[str, int, IntSort]]:
        """Return every name with fact variables, with its arity and the range of its values."""
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
    """`_GroundFacts` reads the facts of a witness. A fact outside of all sentences is 0, or any thing of the right
    sort.
    """

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
    """Return the functions of things to whole numbers with both bounds stated in the background."""
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
