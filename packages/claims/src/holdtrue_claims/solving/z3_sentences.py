"""First-order sentences as z3 expressions, over any number of things or over named things and some unnamed ones.

Numbers are in base units and dates in seconds, as in `fol.evaluation`: integers if only whole numbers are possible,
otherwise reals. A number has only stated bounds.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from math import ceil, floor
from typing import Any

import z3

from holdtrue.errors import FormulaError
from holdtrue.logic.units import DAY
from holdtrue.logic.value_sorts import TIME, Amount, Calendar, Instant, ValueSort
from holdtrue_claims.fol import syntax as fol
from holdtrue_claims.fol.signature import thing_name
from holdtrue_claims.fol.term_sorts import Sort, TermSorts, split_months
from holdtrue_claims.fol.vocabulary import ANY, Vocabulary
from holdtrue_claims.solving.z3_calendar import CalendarFunctions
from holdtrue_claims.solving.z3_values import Ranged, ValueBinders

Environment = Mapping[str, Any]
"""The value of each bound variable."""


Body = Callable[[Any], Any]


class Z3Sentences(ABC):
    """A `Z3Sentences` translates sentences over a vocabulary; `state` receives additional facts.

    `at_each` is called for each translated part, and may raise to stop.
    """

    def __init__(
        self, vocabulary: Vocabulary, context: Any, state: Callable[[Any], None], at_each: Callable[[], object]
    ) -> None:
        self.vocabulary = vocabulary
        self.context = context
        self.state = state
        self.at_each = at_each
        # The arguments are kept, so that their ids stay valid.
        self._applied_to: dict[tuple[Any, ...], Any] = {}
        self.sorts = TermSorts(vocabulary)
        self.calendar = CalendarFunctions(context, state)
        self.binders = ValueBinders(self)
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
                held = member(self.named[own.name])
                if own.sort == sort:
                    state(held)
                elif own.sort != ANY or sort in vocabulary.closed:
                    state(z3.Not(held))
        self.add_laws()

    @property
    def _bool(self) -> Any:
        return z3.BoolSort(self.context)

    @abstractmethod
    def add_laws(self) -> None:
        """State the laws of sorts: the things of closed sorts, and the sorts of functions to things."""

    @abstractmethod
    def every(self, sort: str | None, body: Body) -> Any:
        """Return the expression that says that the body holds for every thing of a sort."""

    @abstractmethod
    def some(self, sort: str | None, body: Body) -> Any:
        """Return the expression that says that the body holds for some thing of a sort."""

    @abstractmethod
    def at_least(self, number: int, count: fol.Count, environment: Environment) -> Any:
        """Return the expression that says that the body of a count holds for at least `number` things."""

    @abstractmethod
    def total(self, node: fol.Count | fol.Total, environment: Environment) -> Any:
        """Return the value of a count or a sum."""

    @abstractmethod
    def applied(self, function: str, application: Any) -> Any:
        """Return the thing that a function gives, after stating the law of the function's sort."""

    @property
    def known_things(self) -> Mapping[str, Any]:
        """Return the things that a variable may stand for, by label."""
        return self.named

    def all_values(self, node: fol.Quantified, sort: ValueSort, environment: Environment) -> Any:
        """Return the expression of a quantifier over values."""
        return self.binders.quantified(node, sort, environment)

    def total_of_values(self, node: fol.Count | fol.Total, sort: ValueSort, environment: Environment) -> Any:
        """Return the number of values, or their sum."""
        return self.binders.total(node, sort, environment)

    def inside(self, number: Any, sort: ValueSort) -> Any:
        """Return the condition that a number of steps is a value of its sort."""
        return z3.And(number >= 0, number < _DAY) if sort == TIME else z3.BoolVal(True, self.context)

    def values_of(self, sort: ValueSort) -> list[Any]:
        """Return the used values of functions of a sort, in base units."""
        names = [name for name in self.functions if self.sorts.result(name) == sort]
        return [self.scaled(own, unit_factor(sort)) for name in names for own in self.applied_to(f"f {name}")]

    def applied_to(self, declared: str) -> list[Any]:
        """Return the used applications of a predicate or a function."""
        return [own for (name, *_), own in self._applied_to.items() if name == declared]

    def body(self, node: fol.Count | fol.Total, environment: Environment) -> Body:
        """Return a function that gives the condition for counting or summing a thing."""
        return lambda thing: self.sentence(node.body, {**environment, node.variable: thing})

    def summand(self, node: fol.Count | fol.Total, environment: Environment) -> Body:
        """Return a function that gives the contribution of a thing to a count or a sum."""
        if isinstance(node, fol.Count):
            return lambda thing: self.exact(Fraction(1))
        return lambda thing: self._number(node.term, {**environment, node.variable: thing})

    def are_of_sorts(self, name: str, args: Sequence[Any]) -> Any:
        """Return the condition that things have the sorts of a name's arguments."""
        pairs = zip(self.sorts.arguments[name], args, strict=True)
        given = [self.member(sort, arg) for sort, arg in pairs if isinstance(sort, str) and sort != ANY]
        return z3.And(*given, z3.BoolVal(True, self.context))

    def _argument_sorts(self, name: str) -> list[Any]:
        return [self._argument_sort(sort) for sort in self.sorts.arguments[name]]

    def _argument_sort(self, sort: Sort) -> Any:
        """Return the z3 sort of an argument. Numbers are real, because a sentence may ask about 2.5 days."""
        return self.thing if isinstance(sort, str) else z3.RealSort(self.context)

    def _sort(self, sort: Sort) -> Any:
        """Return the z3 sort of a function's value: a thing, or a number of steps."""
        if isinstance(sort, str):
            return self.thing
        real = isinstance(sort, Amount) and sort.step is None
        return z3.RealSort(self.context) if real else z3.IntSort(self.context)

    def fresh(self, sort: ValueSort) -> tuple[Any, Ranged]:
        """Return a new number of steps, and the value of the sort for it."""
        number = z3.FreshConst(self._sort(sort), "v")
        return number, Ranged(self.scaled(number, unit_factor(sort)), sort)

    def member(self, sort: str | None, thing: Any) -> Any:
        """Return the condition that a thing has a sort."""
        if sort is None or sort == ANY:
            return z3.BoolVal(True, self.context)
        if sort not in self._members:
            raise FormulaError(f"{sort} is no sort of the vocabulary")
        return self._members[sort](thing)

    def sentence(self, node: fol.Sentence, environment: Environment) -> Any:
        """Return the expression of a sentence. Raises `FormulaError` if it has no meaning in the vocabulary."""
        self.at_each()
        match node:
            case fol.Holds(predicate, args):
                if predicate not in self.predicates:
                    raise FormulaError(f"{predicate} is no predicate of the vocabulary")
                return self._of(self.predicates[predicate], self._arguments(predicate, args, environment))
            case fol.Compare():
                return self.compared(node, environment)
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
            case fol.Quantified(sort=sort) if (values := self.sorts.ranged(sort)) is not None:
                return self.all_values(node, values, environment)
            case fol.Quantified(quantifier, variable, body, sort):
                over = self.every if quantifier == "forall" else self.some
                return over(sort, lambda thing: self.sentence(body, {**environment, variable: thing}))

    def compared(self, node: fol.Compare, environment: Environment) -> Any:
        op, left, right = node.op, node.left, node.right
        if isinstance(left, fol.Number) and isinstance(right, fol.Count):
            op, left, right = fol.TURNED[op], right, left
        if isinstance(left, fol.Count) and isinstance(right, fol.Number) and self.sorts.ranged(left.sort) is None:
            number = right.value * right.unit.factor
            if number == int(number):
                return self._counted(op, left, int(number), environment)
        if isinstance(left, fol.Number) and isinstance(right, fol.Plus):
            op, left, right = fol.TURNED[op], right, left
        if (
            isinstance(left, fol.Plus)
            and isinstance(right, fol.Number)
            and right.value > 0
            and (cases := counted_cases(left)) is not None
        ):
            return self._cases(op, cases, right, environment)
        sides = [self.term(left, environment), self.term(right, environment)]
        if any(side.sort() == self.thing for side in sides):
            sides = [self._as_thing(term, environment) for term in (left, right)]
            if op not in ("=", "!="):
                raise FormulaError("a thing stands where a number has to")
            if sides[0].eq(sides[1]):
                return z3.BoolVal(op == "=", self.context)
        return fol.COMPARED[op](*sides)

    def _counted(self, op: fol.Comparison, count: fol.Count, number: int, environment: Environment) -> Any:
        def least(least: int) -> Any:
            return self.at_least(least, count, environment)

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

    def _cases(
        self, op: fol.Comparison, cases: Sequence[fol.Sentence], number: fol.Number, environment: Environment
    ) -> Any:
        held = [(self.sentence(case, environment), 1) for case in cases]
        worth = number.value * number.unit.factor
        least, more = ceil(worth), floor(worth) + 1
        if op in (">=", "<"):
            return z3.PbGe(held, least) if op == ">=" else z3.PbLe(held, least - 1)
        if op in (">", "<="):
            return z3.PbGe(held, more) if op == ">" else z3.PbLe(held, more - 1)
        exactly = z3.PbEq(held, least) if least < more else z3.BoolVal(False, self.context)
        return exactly if op == "=" else z3.Not(exactly)

    def _of(self, declared: Any, args: Sequence[Any]) -> Any:
        """Return the application to these arguments, made only once, because z3 is slow at that."""
        key = (declared.name(), *(arg.get_id() for arg in args))
        if key not in self._applied_to:
            self._applied_to[key] = declared(*args)
        return self._applied_to[key]

    def _arguments(self, name: str, args: Sequence[fol.Term], environment: Environment) -> list[Any]:
        wanted = self.sorts.arguments[name]
        if len(wanted) != len(args):
            raise FormulaError(f"{name} takes {len(wanted)} arguments, got {len(args)}")
        found = []
        for term, sort in zip(args, wanted, strict=True):
            if isinstance(sort, str):
                found.append(self._as_thing(term, environment))
            else:
                found.append(real(self._number(term, environment)))
        return found

    def _as_thing(self, term: fol.Term, environment: Environment) -> Any:
        name = thing_name(term)
        if name is not None:
            if name not in self.named:
                raise FormulaError(f"{name} is not one of the things that there are")
            return self.named[name]
        found = self.term(term, environment)
        if found.sort() != self.thing:
            raise FormulaError("a number stands where a thing has to")
        return found

    def _number(self, term: fol.Term, environment: Environment) -> Any:
        found = self.term(term, environment)
        if found.sort() == self.thing:
            raise FormulaError("a thing stands where a number has to")
        return found

    def term(self, term: fol.Term, environment: Environment) -> Any:
        """Return the expression of a term, with numbers in base units. Raises `FormulaError` like `sentence`."""
        match term:
            case fol.Bound(name):
                if name not in environment:
                    raise FormulaError(f"no quantifier binds the variable {name}")
                own = environment[name]
                return own.value if isinstance(own, Ranged) else own
            case fol.Constant(name):
                return self._as_thing(term, environment)
            case fol.Number(value, unit):
                return self.exact(Fraction(value) * unit.factor)
            case Instant(instant, sort):
                if sort.kind == "date":
                    self.calendar.name_day(instant)
                return self.exact(instant * sort.unit.factor)
            case fol.Apply(function, args):
                return self._applied(function, args, environment)
            case fol.Plus(summed):
                summed, months = split_months(summed, self.sorts, environment)
                parts = [self.scaled(self._number(part, environment), Fraction(factor)) for factor, part in summed]
                total = z3.Sum(*parts) if len(parts) > 1 else parts[0] if parts else self.exact(Fraction(0))
                return self.calendar.later(_day(total), months) * _DAY if months else total
            case fol.Times(left, right):
                return self._number(left, environment) * self._number(right, environment)
            case fol.Operation(op, args):
                return self._operation(op, args, environment)
            case fol.Choice(condition, then, otherwise):
                chosen, other = self.term(then, environment), self.term(otherwise, environment)
                if (chosen.sort() == self.thing) is not (other.sort() == self.thing):
                    raise FormulaError("one value of an if is a thing, and the other is a number")
                return z3.If(self.sentence(condition, environment), chosen, other)
            case fol.Count() | fol.Total():
                if (values := self.sorts.ranged(term.sort)) is not None:
                    return self.total_of_values(term, values, environment)
                return self.total(term, environment)
        raise FormulaError(f"no term: {term!r:.80}")

    def _applied(self, function: str, args: Sequence[fol.Term], environment: Environment) -> Any:
        if function not in self.functions:
            raise FormulaError(f"{function} is no function of the vocabulary")
        application = self._of(self.functions[function], self._arguments(function, args, environment))
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
        match op:
            case "abs":
                return z3.If(values[0] >= 0, values[0], -values[0])
            case "floor":
                return values[0] if z3.is_int(values[0]) else z3.ToInt(values[0])
            case "ceil":
                return values[0] if z3.is_int(values[0]) else -z3.ToInt(-values[0])
            case "date_of":
                return (_day(values[0]) + 1) * _DAY
            case "time_of":
                return values[0] - _day(values[0]) * _DAY
            case "year_of" | "month_of" | "day_of" | "weekday_of":
                return self.calendar.part(op, _day(values[0]))
        divisor = args[1]
        if not isinstance(divisor, fol.Number) or not divisor.value:
            raise FormulaError(f"{op} needs a written number other than 0 as its divisor")
        if all(map(z3.is_int, values)):
            return values[0] / values[1] if op == "div" else values[0] % values[1]
        # This is for whole numbers of a fraction of the base unit, such as grams; it rounds as SMT-LIB does.
        sign = 1 if divisor.value > 0 else -1
        quotient = sign * z3.ToInt(real(values[0]) / real(sign * values[1]))
        return quotient if op == "div" else values[0] - values[1] * quotient

    def exact(self, value: Fraction) -> Any:
        if value.denominator == 1:
            return z3.IntVal(value.numerator, self.context)
        return z3.RealVal(f"{value.numerator}/{value.denominator}", self.context)

    def scaled(self, expression: Any, factor: Fraction) -> Any:
        """Return a multiple, as an integer if possible."""
        if factor == 1:
            return expression
        if factor.denominator == 1:
            return expression * factor.numerator
        return real(expression) * self.exact(factor)


def counted_cases(summed: fol.Plus) -> list[fol.Sentence] | None:
    """Return the sentences that a written out count counts; None for any other sum."""
    found = []
    for factor, term in summed.parts:
        match term:
            case fol.Choice(condition, then, otherwise) if (factor, then, otherwise) == (1, _ONE, _NONE):
                found.append(condition)
            case _ if (factor, term) == (1, _ONE):
                found.append(fol.And(()))
            case _:
                return None
    return found or None


_ONE, _NONE = fol.Number(1), fol.Number(0)
_DAY = int(DAY.factor)


def _day(seconds: Any) -> Any:
    """Convert a number of seconds to whole days."""
    whole = seconds if z3.is_int(seconds) else z3.ToInt(seconds)
    return z3.simplify(whole / _DAY)


def unit_factor(sort: Amount | Calendar) -> Fraction:
    """Return the size of one step of a function's values, in base units."""
    step = sort.step if isinstance(sort, Amount) and sort.step is not None else Fraction(1)
    return sort.unit.factor * step


def real(expression: Any) -> Any:
    """Return a number as a real one."""
    return z3.ToReal(expression) if z3.is_int(expression) else expression
