"""First-order sentences as z3 expressions: over things of any number, or over named things and some unnamed ones.

Numbers are in base units and dates in seconds, as in `logic.fol.structure`: integers where only whole ones are possible,
else reals. Nothing has a bound that no sentence states.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

import z3

from holdtrue.errors import FormulaError
from holdtrue.logic.fol import syntax as fol
from holdtrue.logic.fol.signature import thing_name
from holdtrue.logic.fol.structure import base_factor
from holdtrue.logic.fol.term_sorts import Sort, SortError, TermSorts
from holdtrue.logic.fol.vocabulary import ANY, Vocabulary
from holdtrue.logic.value_sorts import Amount, Calendar, Instant

Environment = Mapping[str, Any]
"""What each bound variable stands for, with its sort."""
Body = Callable[[Any], Any]
_COMPARED: Mapping[str, Callable[[Any, Any], Any]] = {
    "=": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
}


class Z3Sentences(ABC):
    """Translates sentences over a vocabulary; `state` takes what has to hold beside them."""

    def __init__(self, vocabulary: Vocabulary, context: Any, state: Callable[[Any], None]) -> None:
        self.vocabulary = vocabulary
        self.context = context
        self.state = state
        self.sorts = TermSorts(vocabulary)
        self.thing = z3.DeclareSort("Thing", context)
        self.named = {own.name: z3.Const(f"thing {own.name}", self.thing) for own in vocabulary.entities}
        self._members = {
            sort: z3.Function(f"is a {sort}", self.thing, self._bool) for sort in vocabulary.thing_sorts if sort != ANY
        }
        self.predicates = {
            own.name: z3.Function(f"p {own.name}", *self._argument_sorts(own.name), self._bool)
            for own in vocabulary.predicates
        }
        self.functions = {
            own.name: z3.Function(
                f"f {own.name}", *self._argument_sorts(own.name), self._sort(self.sorts.result(own.name))
            )
            for own in vocabulary.functions
        }
        if len(self.named) > 1:
            state(z3.Distinct(*self.named.values()))
        for own in vocabulary.entities:
            for sort, member in self._members.items():
                if own.sort != ANY:
                    state(member(self.named[own.name]) if own.sort == sort else z3.Not(member(self.named[own.name])))
        self.add_laws()

    @property
    def _bool(self) -> Any:
        return z3.BoolSort(self.context)

    @abstractmethod
    def add_laws(self) -> None:
        """State what holds of sorts: which are closed, and what sort functions to things give."""

    @abstractmethod
    def every(self, sort: str | None, body: Body) -> Any:
        """Return that the body holds of every thing of a sort."""

    @abstractmethod
    def some(self, sort: str | None, body: Body) -> Any:
        """Return that the body holds of some thing of a sort."""

    @abstractmethod
    def at_least(self, number: int, sort: str | None, body: Body, environment: Environment) -> Any:
        """Return that the body holds of at least so many things of a sort."""

    @abstractmethod
    def total(self, sort: str | None, body: Body, term: Body, environment: Environment) -> Any:
        """Return the sum of a term over the things of a sort of which the body holds."""

    @abstractmethod
    def applied(self, function: str, application: Any) -> Any:
        """Return a function's value that is a thing, after stating what follows from the function's sort."""

    def _argument_sorts(self, name: str) -> list[Any]:
        return [self._argument_sort(sort) for sort in self.sorts.arguments[name]]

    def _argument_sort(self, sort: Sort) -> Any:
        if isinstance(sort, str):
            return self.thing
        return z3.IntSort(self.context) if _integral(sort) else z3.RealSort(self.context)

    def _sort(self, sort: Sort) -> Any:
        """A function's value: a thing, or a number of steps of its own unit."""
        if isinstance(sort, str):
            return self.thing
        real = isinstance(sort, Amount) and sort.step is None
        return z3.RealSort(self.context) if real else z3.IntSort(self.context)

    def member(self, sort: str | None, thing: Any) -> Any:
        """Return that a thing is of a sort."""
        if sort is None or sort == ANY:
            return z3.BoolVal(True, self.context)
        if sort not in self._members:
            raise FormulaError(f"{sort} is no sort of the vocabulary")
        return self._members[sort](thing)

    def sentence(self, node: fol.Sentence, environment: Environment) -> Any:
        """Return the expression of a sentence; raises `FormulaError` for what has no meaning in the vocabulary."""
        match node:
            case fol.Holds(predicate, args):
                if predicate not in self.predicates:
                    raise FormulaError(f"{predicate} is no predicate of the vocabulary")
                return self.predicates[predicate](*self._arguments(predicate, args, environment))
            case fol.Compare():
                return self._compared(node, environment)
            case fol.Not(operand):
                return z3.Not(self.sentence(operand, environment))
            case fol.And(operands):
                return z3.And(*[self.sentence(o, environment) for o in operands], z3.BoolVal(True, self.context))
            case fol.Or(operands):
                return z3.Or(*[self.sentence(o, environment) for o in operands], z3.BoolVal(False, self.context))
            case fol.Xor(left, right):
                return z3.Xor(self.sentence(left, environment), self.sentence(right, environment))
            case fol.Implies(left, right):
                return z3.Implies(self.sentence(left, environment), self.sentence(right, environment))
            case fol.Iff(left, right):
                return self.sentence(left, environment) == self.sentence(right, environment)
            case fol.Quantified(quantifier, variable, body, sort):
                over = self.every if quantifier == "forall" else self.some
                return over(sort, lambda thing: self.sentence(body, {**environment, variable: thing}))

    def _compared(self, node: fol.Compare, environment: Environment) -> Any:
        op, left, right = node.op, node.left, node.right
        if isinstance(left, fol.Number) and isinstance(right, fol.Count):
            op, left, right = _TURNED[op], right, left
        if isinstance(left, fol.Count) and isinstance(right, fol.Number) and right.value == int(right.value):
            return self._counted(op, left, int(right.value), environment)
        sides = [self.term(left, environment), self.term(right, environment)]
        things = [z3.is_expr(side) and side.sort() == self.thing for side in sides]
        if any(things):
            sides = [self._as_thing(term, environment) for term in (left, right)]
            if op not in ("=", "!="):
                raise FormulaError("a thing stands where a number has to")
        return _COMPARED[op](*sides)

    def _counted(self, op: fol.Comparison, count: fol.Count, number: int, environment: Environment) -> Any:
        def body(thing: Any) -> Any:
            return self.sentence(count.body, {**environment, count.variable: thing})

        def least(least: int) -> Any:
            return self.at_least(least, count.sort, body, environment)

        match op:
            case ">=":
                return least(number)
            case ">":
                return least(number + 1)
            case "<":
                return z3.Not(least(number))
            case "<=":
                return z3.Not(least(number + 1))
        exactly = z3.And(least(number), z3.Not(least(number + 1)))
        return exactly if op == "=" else z3.Not(exactly)

    def _arguments(self, name: str, args: Sequence[fol.Term], environment: Environment) -> list[Any]:
        wanted = self.sorts.arguments[name]
        if len(wanted) != len(args):
            raise FormulaError(f"{name} takes {len(wanted)} arguments, got {len(args)}")
        found = []
        for term, sort in zip(args, wanted, strict=True):
            if isinstance(sort, str):
                found.append(self._as_thing(term, environment))
            else:
                value = self._number(term, environment)
                found.append(value if _integral(sort) else _real(value))
        return found

    def _as_thing(self, term: fol.Term, environment: Environment) -> Any:
        name = thing_name(term)
        if name is not None:
            if name not in self.named:
                raise FormulaError(f"{name} is not one of the things that there are")
            return self.named[name]
        found = self.term(term, environment)
        if not z3.is_expr(found) or found.sort() != self.thing:
            raise FormulaError("a number stands where a thing has to")
        return found

    def _number(self, term: fol.Term, environment: Environment) -> Any:
        found = self.term(term, environment)
        if found.sort() == self.thing:
            raise FormulaError("a thing stands where a number has to")
        return found

    def term(self, term: fol.Term, environment: Environment) -> Any:
        """Return the expression of a term, numbers in base units; raises `FormulaError` like `sentence`."""
        match term:
            case fol.Bound(name):
                if name not in environment:
                    raise FormulaError(f"no quantifier binds the variable {name}")
                return environment[name]
            case fol.Constant(name):
                return self._as_thing(term, environment)
            case fol.Number(value, unit):
                return self.exact(Fraction(value) * unit.factor)
            case Instant(value, sort):
                return self.exact(Fraction(value) * base_factor(sort))
            case fol.Apply(function, args):
                return self._applied(function, args, environment)
            case fol.Plus(summed):
                parts = [self.scaled(self._number(part, environment), Fraction(factor)) for factor, part in summed]
                return z3.Sum(*parts) if len(parts) > 1 else parts[0] if parts else self.exact(Fraction(0))
            case fol.Times(left, right):
                return self._number(left, environment) * self._number(right, environment)
            case fol.Operation(op, args):
                return self._operation(op, args, environment)
            case fol.Choice(condition, then, otherwise):
                chosen, other = self.term(then, environment), self.term(otherwise, environment)
                return z3.If(self.sentence(condition, environment), chosen, other)
            case fol.Count(variable, body, sort):
                one = self.exact(Fraction(1))
                return self.total(
                    sort,
                    lambda thing: self.sentence(body, {**environment, variable: thing}),
                    lambda thing: one,
                    environment,
                )
            case fol.Total(variable, summed_term, body, sort):
                return self.total(
                    sort,
                    lambda thing: self.sentence(body, {**environment, variable: thing}),
                    lambda thing: self._number(summed_term, {**environment, variable: thing}),
                    environment,
                )
        raise FormulaError(f"no term: {term!r:.80}")

    def _applied(self, function: str, args: Sequence[fol.Term], environment: Environment) -> Any:
        if function not in self.functions:
            raise FormulaError(f"{function} is no function of the vocabulary")
        application = self.functions[function](*self._arguments(function, args, environment))
        sort = self.sorts.result(function)
        if isinstance(sort, str):
            return self.applied(function, application)
        return self.scaled(application, unit_factor(sort))

    def _operation(self, op: fol.Operator, args: Sequence[fol.Term], environment: Environment) -> Any:
        values = [self._number(arg, environment) for arg in args]
        if op in ("min", "max"):
            found = values[0]
            for value in values[1:]:
                found = z3.If(value < found if op == "min" else value > found, value, found)
            return found
        if op == "abs":
            return z3.If(values[0] >= 0, values[0], -values[0])
        divisor = args[1]
        if not isinstance(divisor, fol.Number) or not divisor.value:
            raise FormulaError(f"{op} needs a written number other than 0 as its divisor")
        # The quotient and the remainder as unknowns that the division's own equation fixes.
        quotient = (
            z3.ToInt(_real(values[0]) / _real(values[1]))
            if divisor.value > 0
            else -z3.ToInt(_real(values[0]) / -_real(values[1]))
        )
        return quotient if op == "div" else values[0] - values[1] * quotient

    def exact(self, value: Fraction) -> Any:
        if value.denominator == 1:
            return z3.IntVal(value.numerator, self.context)
        return z3.RealVal(f"{value.numerator}/{value.denominator}", self.context)

    def scaled(self, expression: Any, factor: Fraction) -> Any:
        """Return a multiple, which stays an integer where it can."""
        if factor == 1:
            return expression
        if factor.denominator == 1:
            return expression * factor.numerator
        return _real(expression) * self.exact(factor)


def unit_factor(sort: Amount | Calendar) -> Fraction:
    """Return how many base units a z3 number of a function counts: that of its unit, times its step where it has one."""
    step = sort.step if isinstance(sort, Amount) and sort.step is not None else Fraction(1)
    return base_factor(sort) * step


def _integral(sort: Amount | Calendar) -> bool:
    whole = isinstance(sort, Calendar) or sort.step is not None
    return whole and unit_factor(sort).denominator == 1


def _real(expression: Any) -> Any:
    return z3.ToReal(expression) if z3.is_int(expression) else expression


_TURNED: Mapping[fol.Comparison, fol.Comparison] = {
    "<": ">", "<=": ">=", ">": "<", ">=": "<=", "=": "=", "!=": "!="
}  # fmt: skip
_MOST_DISTINCT = 8
"""Up to so many things are told apart one by one; larger counts are numbers."""


class OpenWorld(Z3Sentences):
    """Things are of any number: quantifiers are z3's own.

    A number or a sum of things is an unknown of which is stated what holds of it in any case: what the named things
    contribute, and that this is all where nothing else is counted. That proves what follows from lists that were said to
    be complete, and nothing else.
    """

    def add_laws(self) -> None:
        self._numbered = 0
        for sort in self.vocabulary.closed:
            named = [self.named[own.name] for own in self.vocabulary.entities if own.sort == sort]
            self.state(
                self.every(
                    sort,
                    lambda thing, named=named: z3.Or(*[thing == own for own in named], z3.BoolVal(False, self.context)),
                )
            )
        for own in self.vocabulary.functions:
            result = self.sorts.result(own.name)
            if isinstance(result, str) and result != ANY:
                self._state_result(own.name, result)

    def _state_result(self, function: str, result: str) -> None:
        arguments = self.sorts.arguments[function]
        places = [z3.FreshConst(self._argument_sort(sort)) for sort in arguments]
        held = self.member(result, self.functions[function](*places))
        given = [self.member(s, p) for s, p in zip(arguments, places, strict=True) if isinstance(s, str)]
        self.state(
            z3.ForAll(places, z3.Implies(z3.And(*given, z3.BoolVal(True, self.context)), held)) if places else held
        )

    def every(self, sort: str | None, body: Body) -> Any:
        thing = z3.FreshConst(self.thing, "x")
        held = body(thing)
        return z3.ForAll([thing], held if sort in (None, ANY) else z3.Implies(self.member(sort, thing), held))

    def some(self, sort: str | None, body: Body) -> Any:
        thing = z3.FreshConst(self.thing, "x")
        held = body(thing)
        return z3.Exists([thing], held if sort in (None, ANY) else z3.And(self.member(sort, thing), held))

    def at_least(self, number: int, sort: str | None, body: Body, environment: Environment) -> Any:
        if number <= 0:
            return z3.BoolVal(True, self.context)
        if number > _MOST_DISTINCT:
            one = self.exact(Fraction(1))
            return self.total(sort, body, lambda thing: one, environment) >= number
        things = [z3.FreshConst(self.thing, "x") for _ in range(number)]
        held = [z3.And(self.member(sort, thing), body(thing)) for thing in things]
        apart = [z3.Distinct(*things)] if number > 1 else []
        return z3.Exists(things, z3.And(*held, *apart))

    def total(self, sort: str | None, body: Body, term: Body, environment: Environment) -> Any:
        free = [
            value
            for value in environment.values()
            if z3.is_const(value)
            and value.decl().kind() == z3.Z3_OP_UNINTERPRETED
            and not any(value.eq(own) for own in self.named.values())
        ]
        parts = []
        for own in self.named.values():
            held = z3.And(self.member(sort, own), body(own))
            parts.append((held, term(own)))
        real = any(z3.is_real(value) for _, value in parts) or not parts
        probe = term(z3.FreshConst(self.thing, "x"))
        real = (real and z3.is_real(probe)) or z3.is_real(probe)
        range_sort = z3.RealSort(self.context) if real else z3.IntSort(self.context)
        self._numbered += 1
        symbol = z3.Function(f"sum {self._numbered}", *[value.sort() for value in free], range_sort)
        found = symbol(*free)
        zero = z3.RealVal(0, self.context) if real else z3.IntVal(0, self.context)
        listed = z3.Sum(*[z3.If(held, _real(value) if real else value, zero) for held, value in parts], zero)
        names = list(self.named.values())
        nothing_else = self.every(
            sort,
            lambda thing: z3.Implies(
                body(thing), z3.Or(*[thing == own for own in names], z3.BoolVal(False, self.context))
            ),
        )
        no_negative = self.every(sort, lambda thing: z3.Implies(body(thing), term(thing) >= 0))
        law = z3.And(z3.Implies(nothing_else, found == listed), z3.Implies(no_negative, found >= listed))
        self.state(z3.ForAll(free, law) if free else law)
        return found

    def applied(self, function: str, application: Any) -> Any:
        return application


class FiniteWorld(Z3Sentences):
    """There are the named things and at most some unnamed ones: quantifiers are written out.

    Whether an unnamed thing exists, and of which sorts it is, is open.
    """

    def __init__(self, vocabulary: Vocabulary, context: Any, state: Callable[[Any], None], unnamed: int) -> None:
        self._unnamed = unnamed
        super().__init__(vocabulary, context, state)

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
            for thing in self.unnamed:
                self.state(z3.Not(self.member(sort, thing)))
        # Kept with their ids, which z3 gives to others when nobody has the expression any more.
        self._stated: dict[int, Any] = {}

    def _range(self, sort: str | None) -> list[tuple[Any, Any]]:
        """Every thing, with what makes it one of the sort; None where it is one for sure."""
        found: list[tuple[Any, Any]] = []
        for own in self.vocabulary.entities:
            if sort in (None, ANY) or own.sort == sort:
                found.append((self.named[own.name], None))
            elif own.sort == ANY:
                found.append((self.named[own.name], self.member(sort, self.named[own.name])))
        if sort not in self.vocabulary.closed:
            for thing, exists in zip(self.unnamed, self.existing, strict=True):
                found.append((thing, exists if sort in (None, ANY) else z3.And(exists, self.member(sort, thing))))
        return found

    def every(self, sort: str | None, body: Body) -> Any:
        found = [body(thing) if here is None else z3.Implies(here, body(thing)) for thing, here in self._range(sort)]
        return z3.And(*found, z3.BoolVal(True, self.context))

    def some(self, sort: str | None, body: Body) -> Any:
        found = [body(thing) if here is None else z3.And(here, body(thing)) for thing, here in self._range(sort)]
        return z3.Or(*found, z3.BoolVal(False, self.context))

    def at_least(self, number: int, sort: str | None, body: Body, environment: Environment) -> Any:
        held = [body(thing) if here is None else z3.And(here, body(thing)) for thing, here in self._range(sort)]
        if number <= 0 or number > len(held):
            return z3.BoolVal(number <= 0, self.context)
        return z3.PbGe([(one, 1) for one in held], number)

    def total(self, sort: str | None, body: Body, term: Body, environment: Environment) -> Any:
        zero = z3.IntVal(0, self.context)
        found = []
        for thing, here in self._range(sort):
            held = body(thing) if here is None else z3.And(here, body(thing))
            found.append(z3.If(held, term(thing), zero))
        return z3.Sum(*found, zero)

    def applied(self, function: str, application: Any) -> Any:
        if application.get_id() not in self._stated:
            self._stated[application.get_id()] = application
            sort = self.sorts.result(function)
            choices = self._range(sort if isinstance(sort, str) else None)
            equal = [application == t if here is None else z3.And(here, application == t) for t, here in choices]
            self.state(z3.Or(*equal, z3.BoolVal(False, self.context)))
        return application


__all__ = ["FiniteWorld", "OpenWorld", "SortError", "Z3Sentences", "unit_factor"]
