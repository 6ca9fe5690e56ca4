"""Quantifiers, counts and sums over values in z3, instantiated only for the values that matter.

Each quantifier is a Boolean constant and each count a number. At first, only a witness of each quantifier is stated. If
a situation has a wrong value, the fact for that value is stated and z3 is asked again, as in `z3_calendar`. All
statements are true, so conclusions from them are valid.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor
from typing import TYPE_CHECKING, Any

import z3

from holdtrue.errors import FormulaError
from holdtrue.logic.value_sorts import TIME, ValueSort
from holdtrue_claims.fol import syntax as fol
from holdtrue_claims.fol.evaluation import Choices, Evaluation
from holdtrue_claims.fol.value_windows import Literal, guards, literal, step_of

if TYPE_CHECKING:
    from holdtrue_claims.solving.z3_sentences import Environment, Z3Sentences

MOST_SUMMED = 400
"""The largest number of values of a count or a sum that are written out."""


@dataclass(frozen=True, slots=True)
class Ranged:
    """A `Ranged` is the value of a variable that ranges over values, in base units."""

    value: Any
    sort: ValueSort


@dataclass(frozen=True, slots=True)
class _Stands:
    """A `_Stands` links a binder, with the values of its outer variables, to the expression that stands for it."""

    node: Any
    sort: ValueSort
    environment: Environment
    expression: Any


class ValueBinders:
    """`ValueBinders` holds the binders over values of one world; `terms` translates their parts."""

    def __init__(self, terms: Z3Sentences) -> None:
        self._terms = terms
        self._known: dict[tuple[Any, ...], _Stands] = {}
        self._witnesses: list[tuple[ValueSort, Any]] = []
        self._stated: set[tuple[Any, ...]] = set()

    def quantified(self, node: fol.Quantified, sort: ValueSort, environment: Environment) -> Any:
        """Return the expression of a quantifier over values."""
        terms, (key, found) = self._terms, self._stands(node, sort, environment)
        if found is None:
            # The constant says that the body holds for all values, or, for "some", that it fails for all.
            all_ = z3.FreshBool("all", terms.context)
            found = self._known[key] = _Stands(node, sort, dict(environment), all_)
            number, own = terms.fresh(sort)
            self._witnesses.append((sort, own.value))
            held = self._body(found, own)
            # An unneeded witness is fixed to one value, so that it requires nothing.
            terms.state(z3.If(all_, number == 0, z3.And(z3.Not(held), terms.inside(number, sort))))
        return found.expression if node.quantifier == "forall" else z3.Not(found.expression)

    def total(self, node: fol.Count | fol.Total, sort: ValueSort, environment: Environment) -> Any:
        """Return the number of values, or their sum."""
        key, found = self._stands(node, sort, environment)
        if found is None:
            number = z3.FreshReal("total", self._terms.context)
            if isinstance(node, fol.Count):
                number = z3.FreshInt("total", self._terms.context)
                self._terms.state(number >= 0)
            found = self._known[key] = _Stands(node, sort, dict(environment), number)
        return found.expression

    def _stands(self, node: Any, sort: ValueSort, environment: Environment) -> tuple[tuple[Any, ...], _Stands | None]:
        places = [environment[name] for name in sorted(fol.free_in(node) & environment.keys())]
        expressions = [own.value if isinstance(own, Ranged) else own for own in places]
        key = (node, *(own.get_id() if isinstance(own, z3.ExprRef) else id(own) for own in expressions))
        return key, self._known.get(key)

    def _body(self, own: _Stands, value: Any) -> Any:
        held = self._terms.sentence(own.node.body, {**own.environment, own.node.variable: value})
        exists = isinstance(own.node, fol.Quantified) and own.node.quantifier == "exists"
        return z3.Not(held) if exists else held

    def corrections(self, model: Any, evaluation: Evaluation, labels: Mapping[int, str]) -> list[Any]:
        """Return true statements about the values for which a situation contradicts a binder."""
        found: list[Any] = []
        for key, own in list(self._known.items()):
            try:
                if isinstance(own.node, fol.Quantified):
                    found += self._instances(key, own, model, evaluation, self._bound(own, model, labels))
                else:
                    found += self._summed(key, own, model)
            except (FormulaError, KeyError):
                continue  # undecidable here, so the situation does not count
        return found

    def _bound(self, own: _Stands, model: Any, labels: Mapping[int, str]) -> Choices:
        bound: dict[str, str | Literal] = {}
        for name in fol.free_in(own.node) & own.environment.keys():
            place = own.environment[name]
            if isinstance(place, Ranged):
                bound[name] = literal(value_in(model, place.value), place.sort)
            elif isinstance(place, z3.ExprRef):
                bound[name] = labels[place.get_id()]
            else:
                raise KeyError("things that are only counted are not looked at one by one")
        return bound

    def _instances(
        self, key: tuple[Any, ...], own: _Stands, model: Any, evaluation: Evaluation, bound: Choices
    ) -> Iterator[Any]:
        if not z3.is_true(model.eval(own.expression, model_completion=True)):
            return
        value = evaluation.settling(own.node, bound)
        if value is None:
            return
        alike = [term for term in self._values(own.sort) if value_in(model, term) == value][:3]
        for term in alike or [self._terms.exact(value)]:
            if (key, term.get_id()) not in self._stated:
                self._stated.add((key, term.get_id()))
                held = self._body(own, Ranged(term, own.sort))
                inside = self._terms.inside(term, own.sort)
                yield z3.Implies(z3.And(own.expression, inside), held)

    def _values(self, sort: ValueSort) -> Iterator[Any]:
        yield from (own for of, own in self._witnesses if of == sort)
        yield from self._terms.values_of(sort)

    def _summed(self, key: tuple[Any, ...], own: _Stands, model: Any) -> Iterator[Any]:
        lower, upper = self._edges(own.node, own.sort, own.environment)
        low = max((value_in(model, edge) for edge in lower), default=Fraction(0))
        high = min((value_in(model, edge) for edge in upper), default=Fraction(86_399))
        if (key, low, high) not in self._stated:
            self._stated.add((key, low, high))
            yield from self.laws(own.node, own.sort, own.environment, own.expression, low, high)

    def laws(
        self, node: Any, sort: ValueSort, environment: Environment, total: Any, low: Fraction, high: Fraction
    ) -> Iterator[Any]:
        """Yield facts about a count or a sum from the values in an interval. They determine it if no other values
        count.
        """
        terms, step = self._terms, step_of(sort)
        if step is None:
            return
        # An empty interval is reduced to its beginning, and a large one is cut.
        high = min(max(low, high), low + MOST_SUMMED * step)
        if sort == TIME:
            low, high = max(low, Fraction(0)), min(high, Fraction(86_399))
        zero, summed = terms.exact(Fraction(0)), []
        for place in range(ceil(low / step), floor(high / step) + 1):
            terms.at_each()
            inner = {**environment, node.variable: Ranged(terms.exact(place * step), sort)}
            term = terms.exact(Fraction(1)) if isinstance(node, fol.Count) else terms.term(node.term, inner)
            summed.append(z3.If(terms.sentence(node.body, inner), term, zero))
        listed = z3.Sum(*summed, zero)
        if isinstance(node, fol.Count):
            yield total >= listed
        lower, upper = self._edges(node, sort, environment)
        after = [edge >= terms.exact(low) for edge in lower] + [z3.BoolVal(sort == TIME and low == 0, terms.context)]
        before = [edge <= terms.exact(high) for edge in upper] + [
            z3.BoolVal(sort == TIME and high == 86_399, terms.context)
        ]
        yield z3.Implies(z3.And(z3.Or(*after), z3.Or(*before)), total == listed)

    def _edges(self, node: Any, sort: ValueSort, environment: Environment) -> tuple[list[Any], list[Any]]:
        """Return the expressions below which, and above which, nothing is counted or summed."""
        terms = self._terms
        inner = {**environment, node.variable: Ranged(terms.exact(Fraction(0)), sort)}
        lower, upper = [], []
        for op, left, right, slope in guards(node, sort):
            edge = terms.scaled(terms.term(right, inner) - terms.term(left, inner), 1 / slope)
            lower += [edge] if op in (">", ">=", "=") else []
            upper += [edge] if op in ("<", "<=", "=") else []
        return lower, upper


def value_in(model: Any, expression: Any) -> Fraction:
    """Return the value of a number in a model. Raises `KeyError` for an irrational root."""
    value = model.eval(expression, model_completion=True)
    if z3.is_int_value(value):
        return Fraction(value.as_long())
    if z3.is_rational_value(value):
        return Fraction(value.numerator_as_long(), value.denominator_as_long())
    raise KeyError("an irrational number")
