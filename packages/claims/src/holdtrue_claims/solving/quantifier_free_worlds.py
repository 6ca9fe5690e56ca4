"""Sentences over named and unnamed things, as z3 expressions without quantifiers.

A `FiniteWorld` enumerates the unnamed things. A `CountedWorld` only counts them, with one whole number for each kind of
thing.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from fractions import Fraction
from typing import Any

import z3

from holdtrue.errors import FormulaError
from holdtrue.logic.value_sorts import Instant, Value
from holdtrue_claims.fol import syntax as fol
from holdtrue_claims.fol.evaluation import Fact
from holdtrue_claims.fol.fragment import KindOfThing, Mark, kinds_of, mark_of
from holdtrue_claims.fol.naming import unnamed_label
from holdtrue_claims.fol.structure import FactsRead
from holdtrue_claims.fol.vocabulary import ANY, Entity, Function, Vocabulary
from holdtrue_claims.solving.z3_sentences import Body, Environment, Z3Sentences


class FiniteWorld(Z3Sentences):
    """A `FiniteWorld` has the named things and a limited number of unnamed ones. Quantifiers are written out.

    The existence and the sorts of unnamed things are open.
    """

    def __init__(
        self,
        vocabulary: Vocabulary,
        context: Any,
        state: Callable[[Any], None],
        at_each: Callable[[], object],
        unnamed: int,
    ) -> None:
        self._unnamed = unnamed
        # The expressions are kept, because z3 reuses the ids of deleted ones.
        self._stated: dict[int, Any] = {}
        super().__init__(vocabulary, context, state, at_each)

    def add_laws(self) -> None:
        self.unnamed = [z3.Const(f"thing ?{place}", self.thing) for place in range(1, self._unnamed + 1)]
        self.existing = [z3.Bool(f"exists ?{place}", self.context) for place in range(1, self._unnamed + 1)]
        everything = [*self.named.values(), *self.unnamed]
        if len(everything) > 1:
            self.state(z3.Distinct(*everything))
        for one, other in zip(self.existing, self.existing[1:], strict=False):
            self.state(z3.Implies(other, one))
        if not self.named and self.existing:
            self.state(self.existing[0])
        for sort in self.vocabulary.closed:
            for thing, exists in zip(self.unnamed, self.existing, strict=True):
                self.state(z3.Not(exists if sort == ANY else self.member(sort, thing)))
        for own in self.vocabulary.functions:
            result = self.sorts.result(own.name)
            if isinstance(result, str):
                self._state_value(own, result)

    @property
    def known_things(self) -> Mapping[str, Any]:
        return {**self.named, **{unnamed_label(place): own for place, own in enumerate(self.unnamed, 1)}}

    def _state_value(self, function: Function, result: str) -> None:
        """State that a thing of the result sort exists if things of all argument sorts exist, even for an unused
        function.
        """
        true = z3.BoolVal(True, self.context)
        sorts = [sort for sort in self.sorts.arguments[function.name] if isinstance(sort, str)]
        given = z3.And(*[self.some(sort, lambda thing: true) for sort in sorts], true)
        self.state(z3.Implies(given, self.some(result, lambda thing: true)))

    def _range(self, sort: str | None) -> list[tuple[Any, Any]]:
        """Return each thing that can have `sort`, with the condition for that, or None if the thing certainly has the
        sort.
        """
        found: list[tuple[Any, Any]] = []
        for own in self.vocabulary.entities:
            if sort in (None, ANY) or own.sort == sort:
                found.append((self.named[own.name], None))
            elif own.sort == ANY and sort not in self.vocabulary.closed:
                found.append((self.named[own.name], self.member(sort, self.named[own.name])))
        if sort not in self.vocabulary.closed:
            for thing, exists in zip(self.unnamed, self.existing, strict=True):
                found.append((thing, exists if sort in (None, ANY) else z3.And(exists, self.member(sort, thing))))
        return found

    def _tried(self, sort: str | None, body: Body) -> Iterator[tuple[Any, Any, Any]]:
        """Yield each thing that can have `sort`, with the condition for that, and the body for the thing."""
        for thing, here in self._range(sort):
            self.at_each()
            yield thing, here, body(thing)

    def every(self, sort: str | None, body: Body) -> Any:
        found = [held if here is None else z3.Implies(here, held) for _, here, held in self._tried(sort, body)]
        return z3.And(*found, z3.BoolVal(True, self.context))

    def some(self, sort: str | None, body: Body) -> Any:
        found = [held if here is None else z3.And(here, held) for _, here, held in self._tried(sort, body)]
        return z3.Or(*found, z3.BoolVal(False, self.context))

    def at_least(self, number: int, count: fol.Count, environment: Environment) -> Any:
        body = self.body(count, environment)
        found = [held if here is None else z3.And(here, held) for _, here, held in self._tried(count.sort, body)]
        if number <= 0 or number > len(found):
            return z3.BoolVal(number <= 0, self.context)
        return z3.PbGe([(one, 1) for one in found], number)

    def total(self, node: fol.Count | fol.Total, environment: Environment) -> Any:
        body, term = self.body(node, environment), self.summand(node, environment)
        zero = z3.IntVal(0, self.context)
        found = [
            z3.If(held if here is None else z3.And(here, held), term(thing), zero)
            for thing, here, held in self._tried(node.sort, body)
        ]
        return z3.Sum(*found, zero)

    def applied(self, function: str, application: Any) -> Any:
        if application.get_id() not in self._stated:
            result = self.sorts.result(function)
            of_sorts = self.are_of_sorts(function, application.children())
            self.state(self._is_one(application, None))
            if isinstance(result, str) and result != ANY:
                self.state(z3.Implies(of_sorts, self._is_one(application, result)))
            self._stated[application.get_id()] = application
        return application

    def _is_one(self, application: Any, sort: str | None) -> Any:
        pairs = self._range(sort)
        equal = [application == thing if here is None else z3.And(here, application == thing) for thing, here in pairs]
        return z3.Or(*equal, z3.BoolVal(False, self.context))


class CountedWorld(Z3Sentences):
    """A `CountedWorld` has the named things, and an unknown number of unnamed things of each kind."""

    def __init__(
        self,
        vocabulary: Vocabulary,
        context: Any,
        state: Callable[[Any], None],
        at_each: Callable[[], object],
        marks: tuple[Mark, ...],
    ) -> None:
        self.kinds = kinds_of(marks)
        super().__init__(vocabulary, context, state, at_each)

    def add_laws(self) -> None:
        # No kind has a closed sort, because there is no mark for one.
        nobody = ANY in self.vocabulary.closed
        self.numbers = {kind.number: z3.Int(f"how many {kind.number}", self.context) for kind in self.kinds}
        for number in self.numbers.values():
            self.state(number == 0 if nobody else number >= 0)
        if not self.named:
            self.state(z3.Sum(*self.numbers.values()) >= 1)

    def member(self, sort: str | None, thing: Any) -> Any:
        if not isinstance(thing, KindOfThing):
            return super().member(sort, thing)
        held = sort in (None, ANY) or thing.has.get(Mark(None, (sort,)), False)
        return z3.BoolVal(held, self.context)

    def sentence(self, node: fol.Sentence, environment: Environment) -> Any:
        if isinstance(node, fol.Holds):
            marked = mark_of(node)
            if marked is None:
                raise FormulaError("a sentence relates two unnamed things")
            thing = environment.get(marked[0]) if marked[0] is not None else None
            if isinstance(thing, KindOfThing):
                self.at_each()
                return z3.BoolVal(thing.has[marked[1]], self.context)
        return super().sentence(node, environment)

    def compared(self, node: fol.Compare, environment: Environment) -> Any:
        things = [environment.get(side.name) for side in (node.left, node.right) if isinstance(side, fol.Bound)]
        if any(isinstance(thing, KindOfThing) for thing in things):
            # An unnamed thing differs from all named ones and equals itself.
            return z3.BoolVal((node.left == node.right) is (node.op == "="), self.context)
        return super().compared(node, environment)

    def _tried(self, sort: str | None, body: Body) -> Iterator[tuple[Any, Any]]:
        """Yield each named thing or kind that can have `sort`, as the number of its things and the body for it."""
        one, none = z3.IntVal(1, self.context), z3.IntVal(0, self.context)
        for own in self.vocabulary.entities:
            self.at_each()
            here = z3.simplify(self._is_of(sort, own))
            if not z3.is_false(here):
                yield z3.If(here, one, none), body(self.named[own.name])
        if sort in self.vocabulary.closed:
            return
        for kind in self.kinds:
            if z3.is_true(self.member(sort, kind)):
                self.at_each()
                yield self.numbers[kind.number], z3.simplify(body(kind))

    def _is_of(self, sort: str | None, own: Entity) -> Any:
        if sort in (None, ANY) or own.sort == sort:
            return z3.BoolVal(True, self.context)
        return self.member(sort, self.named[own.name]) if own.sort == ANY else z3.BoolVal(False, self.context)

    def every(self, sort: str | None, body: Body) -> Any:
        found = [z3.Implies(number > 0, held) for number, held in self._tried(sort, body) if not z3.is_true(held)]
        return z3.And(*found, z3.BoolVal(True, self.context))

    def some(self, sort: str | None, body: Body) -> Any:
        found = [z3.And(number > 0, held) for number, held in self._tried(sort, body) if not z3.is_false(held)]
        return z3.Or(*found, z3.BoolVal(False, self.context))

    def at_least(self, number: int, count: fol.Count, environment: Environment) -> Any:
        return self.total(count, environment) >= number

    def total(self, node: fol.Count | fol.Total, environment: Environment) -> Any:
        if isinstance(node, fol.Total):
            raise FormulaError("a sum over unnamed things needs each of them")
        none = z3.IntVal(0, self.context)
        tried = self._tried(node.sort, self.body(node, environment))
        found = [
            number if z3.is_true(held) else z3.If(held, number, none) for number, held in tried if not z3.is_false(held)
        ]
        return z3.Sum(*found, none)

    def applied(self, function: str, application: Any) -> Any:
        raise FormulaError("a function to things relates things")

    def kinds_in(self, model: Any) -> dict[str, tuple[KindOfThing, int]]:
        """Return each kind that has things in a z3 model, with their number, under a label for one such thing."""
        found: dict[str, tuple[KindOfThing, int]] = {}
        for kind in self.kinds:
            count = model.eval(self.numbers[kind.number], model_completion=True).as_long()
            if count:
                found[unnamed_label(len(found) + 1)] = (kind, count)
        return found


class KindFacts(Mapping[Fact, "Value | str"]):
    """`KindFacts` has the facts of a counted model: those of named things, and which predicates hold of each kind."""

    def __init__(
        self,
        named: FactsRead,
        kinds: Mapping[str, tuple[KindOfThing, int]],
        predicates: Collection[str],
    ) -> None:
        self._named, self._kinds, self._predicates = named, kinds, predicates
        self.ends = named.ends
        marks = {mark for kind, _ in kinds.values() for mark in kind.has if mark.predicate is not None}
        self._marked: dict[Fact, Value | str] = {}
        for label, (kind, _) in kinds.items():
            for mark in marks:
                self._marked[_fact(mark, label)] = int(kind.has[mark])

    def __getitem__(self, fact: Fact) -> Value | str:
        if not any(arg in self._kinds for arg in fact[1]):
            return self._named[fact]
        # A predicate outside of all sentences may be false for all unnamed things.
        return self._marked.get(fact, 0) if fact[0] in self._predicates else self._named[fact]

    def __iter__(self) -> Iterator[Fact]:
        yield from self._named
        yield from self._marked

    def __len__(self) -> int:
        return len(self._named) + len(self._marked)


def _fact(mark: Mark, label: str) -> Fact:
    args: list[str | Fraction] = []
    for arg in mark.args:
        match arg:
            case fol.Constant(name):
                args.append(name)
            case fol.Number(value, unit):
                args.append(Fraction(value) * unit.factor)
            case Instant(value, sort):
                args.append(value * sort.unit.factor)
            case _:
                args.append(label)
    return str(mark.predicate), tuple(args)
