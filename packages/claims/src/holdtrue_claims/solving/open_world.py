"""Sentences over any number of things, as z3 expressions with quantifiers.

A count or a sum is an unknown number with two laws. If only named things are counted, it is the total over them. If no
summand is negative, it is at least that total. A count is also positive exactly if something is counted. These laws are
true in every situation of finitely many things, so proofs from them are sound but incomplete.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import z3

from holdtrue.logic.value_sorts import ValueSort
from holdtrue_claims.fol import syntax as fol
from holdtrue_claims.fol.canonical import Key, term_key
from holdtrue_claims.fol.value_windows import values_in, worth_of
from holdtrue_claims.fol.vocabulary import ANY
from holdtrue_claims.solving.z3_sentences import Body, Environment, Z3Sentences, real
from holdtrue_claims.solving.z3_values import Ranged

MOST_DISTINCT = 8
"""Up to this n, "at least n" is expressed by n distinct things that exist; above it, by the number of things."""


class OpenWorld(Z3Sentences):
    """An `OpenWorld` has any number of things, and uses the quantifiers of z3."""

    def add_laws(self) -> None:
        self._totals: dict[Key, tuple[tuple[str, ...], Any]] = {}
        for sort in self.vocabulary.closed:
            self.state(self.every(sort, self._one_of([self.named[own.name] for own in self.vocabulary.named(sort)])))
        for own in self.vocabulary.functions:
            result = self.sorts.result(own.name)
            if isinstance(result, str) and result != ANY:
                self._state_result(own.name, result)

    def _one_of(self, things: list[Any]) -> Body:
        return lambda thing: z3.Or(*[thing == own for own in things], z3.BoolVal(False, self.context))

    def _state_result(self, function: str, result: str) -> None:
        """State that the value of a function has its sort if the arguments have theirs."""
        declared = self.functions[function]
        places = [z3.FreshConst(declared.domain(at)) for at in range(declared.arity())]
        law = z3.Implies(self.are_of_sorts(function, places), self.member(result, declared(*places)))
        self.state(z3.ForAll(places, law) if places else law)

    def every(self, sort: str | None, body: Body) -> Any:
        thing = z3.FreshConst(self.thing, "x")
        held = body(thing)
        return z3.ForAll([thing], held if sort in (None, ANY) else z3.Implies(self.member(sort, thing), held))

    def some(self, sort: str | None, body: Body) -> Any:
        thing = z3.FreshConst(self.thing, "x")
        held = body(thing)
        return z3.Exists([thing], held if sort in (None, ANY) else z3.And(self.member(sort, thing), held))

    def all_values(self, node: fol.Quantified, sort: ValueSort, environment: Environment) -> Any:
        number, own = self.fresh(sort)
        held, inside = self.sentence(node.body, {**environment, node.variable: own}), self.inside(number, sort)
        if node.quantifier == "forall":
            return z3.ForAll([number], z3.Implies(inside, held))
        return z3.Exists([number], z3.And(inside, held))

    def total_of_values(self, node: fol.Count | fol.Total, sort: ValueSort, environment: Environment) -> Any:
        return self.total(node, environment)

    def at_least(self, number: int, count: fol.Count, environment: Environment) -> Any:
        if number <= 0:
            return z3.BoolVal(True, self.context)
        if number > MOST_DISTINCT:
            return self.total(count, environment) >= number
        body = self.body(count, environment)
        things = [z3.FreshConst(self.thing, "x") for _ in range(number)]
        held = [z3.And(self.member(count.sort, thing), body(thing)) for thing in things]
        apart = [z3.Distinct(*things)] if number > 1 else []
        return z3.Exists(things, z3.And(*held, *apart))

    def total(self, node: fol.Count | fol.Total, environment: Environment) -> Any:
        """Return the unknown for a total, as a function of its free variables.

        Equal totals share one unknown, whatever the name of their variable.
        """
        key = term_key(node)
        if key not in self._totals:
            free = tuple(sorted(fol.free_in(node)))
            places = {name: self._place(environment[name]) for name in free if name in environment}
            inner = {name: own for name, (_, own) in places.items()}
            given = [self.term(fol.Bound(name), inner) for name in places]
            kind = self._kind(node, inner)  # declares the totals within, and so comes before the name
            symbol = z3.Function(f"total {len(self._totals)}", *(own.sort() for own in given), kind)
            self._totals[key] = (tuple(places), symbol)
            law = self._law(node, inner, symbol(*given))
            self.state(z3.ForAll([number for number, _ in places.values()], law) if places else law)
        names, symbol = self._totals[key]
        return symbol(*[self.term(fol.Bound(name), environment) for name in names])

    def _place(self, own: Any) -> tuple[Any, Any]:
        """Return a new z3 variable of the sort of `own`, and the term that stands for the variable in sentences."""
        if isinstance(own, Ranged):
            return self.fresh(own.sort)
        thing = z3.FreshConst(own.sort(), "x")
        return thing, thing

    def _kind(self, node: fol.Count | fol.Total, environment: Environment) -> Any:
        if self.sorts.ranged(node.sort) is not None:
            return z3.IntSort(self.context) if isinstance(node, fol.Count) else z3.RealSort(self.context)
        probe = self.summand(node, environment)(z3.FreshConst(self.thing, "x"))
        return z3.RealSort(self.context) if z3.is_real(probe) else z3.IntSort(self.context)

    def _law(self, node: fol.Count | fol.Total, environment: Environment, found: Any) -> Any:
        """Return laws of a total over finitely many things, whatever else exists."""
        if (values := self.sorts.ranged(node.sort)) is not None:
            written = [worth_of(own) for own in values_in(fol.walk(node.body), values)]
            ends = (min(written), max(written)) if written else (Fraction(0), Fraction(0))
            return z3.And(*self.binders.laws(node, values, environment, found, *ends), found == found)
        body, term = self.body(node, environment), self.summand(node, environment)
        as_found = real if z3.is_real(found) else lambda value: value
        zero = as_found(z3.IntVal(0, self.context))
        listed = zero
        for own in self.named.values():
            self.at_each()
            listed = listed + z3.If(z3.And(self.member(node.sort, own), body(own)), as_found(term(own)), zero)
        named = self._one_of([*self.named.values()])
        whole = self.every(node.sort, lambda thing: z3.Implies(body(thing), named(thing)))
        rising = self.every(node.sort, lambda thing: z3.Implies(body(thing), term(thing) >= 0))
        laws = [z3.Implies(whole, found == listed), z3.Implies(rising, found >= listed)]
        if isinstance(node, fol.Count):
            laws[1:] = [found >= listed, (found >= 1) == self.some(node.sort, body)]
        return z3.And(*laws)

    def applied(self, function: str, application: Any) -> Any:
        return application
