"""Sentences over the named things and a number of unnamed ones, as z3 expressions without quantifiers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import z3

from holdtrue.logic.fol import syntax as fol
from holdtrue.logic.fol.naming import unnamed_label
from holdtrue.logic.fol.vocabulary import ANY, Function, Vocabulary
from holdtrue.solving.z3_sentences import Body, Environment, Z3Sentences


class FiniteWorld(Z3Sentences):
    """There are the named things and at most some unnamed ones: quantifiers are written out.

    Whether an unnamed thing exists, and of which sorts it is, is open.
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
        # Kept with their ids, which z3 gives to others when nobody has the expression any more.
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
        """State that there is a value where there are arguments, whether or not a sentence asks for it."""
        true = z3.BoolVal(True, self.context)
        sorts = [sort for sort in self.sorts.arguments[function.name] if isinstance(sort, str)]
        given = z3.And(*[self.some(sort, lambda thing: true) for sort in sorts], true)
        self.state(z3.Implies(given, self.some(result, lambda thing: true)))

    def _range(self, sort: str | None) -> list[tuple[Any, Any]]:
        """Every thing, with what makes it one of the sort; None where it is one for sure."""
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
        """Every thing, with what makes it one of the sort, and the body for it."""
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
