"""Compute the sort of a term in a vocabulary: a thing, an amount with its dimension, or a date, time or moment.

Units are part of the sort, so that adding euros to dollars, or comparing days with kilos, is an error.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from holdtrue.errors import FormulaError
from holdtrue.logic.units import DAY, MONTH, ONE, Unit
from holdtrue.logic.value_sorts import DATE, TIME, WHOLE, Amount, Calendar, Instant, Value, ValueSort, read_sort
from holdtrue_claims.fol import syntax as fol
from holdtrue_claims.fol.alert import AlertKind
from holdtrue_claims.fol.vocabulary import ANY, Vocabulary

Sort = str | ValueSort
"""The sort of a term; a sort of things is a string."""
Bindings = Mapping[str, str]
"""The sort of each bound variable."""
Parts = tuple[tuple[Value, fol.Term], ...]
"""The terms of a sum with their factors."""


class SortError(Exception):
    """A term or a comparison has no sort; `kind`, `name` and `message` say why. The package catches this exception."""

    def __init__(self, kind: AlertKind, name: str, message: str) -> None:
        super().__init__(f"{name} {message}")
        self.kind, self.name, self.message = kind, name, message


@dataclass(frozen=True)
class TermSorts:
    """`TermSorts` compute the sorts of terms over one vocabulary."""

    vocabulary: Vocabulary

    @cached_property
    def _things(self) -> Mapping[str, str]:
        return {own.name: own.sort for own in self.vocabulary.entities}

    @cached_property
    def _results(self) -> Mapping[str, Sort]:
        sort = self.vocabulary.value_sort
        return {own.name: sort(own.result) or own.result for own in self.vocabulary.functions}

    @cached_property
    def arguments(self) -> Mapping[str, tuple[Sort, ...]]:
        """Return the sorts of the arguments of every predicate and function."""
        sort = self.vocabulary.value_sort
        return {own.name: tuple(sort(s) or s for s in own.sorts) for own in self.vocabulary.applied}

    @cached_property
    def _ranged(self) -> dict[str, ValueSort | None]:
        return {}

    def ranged(self, sort: str | None) -> ValueSort | None:
        """Return the sort of values of a variable with this sort; None if the variable stands for things."""
        if sort is None or sort in self.vocabulary.thing_sorts:
            return None
        if sort not in self._ranged:
            with suppress(FormulaError):  # A word that is no unit is no sort; a check reports it.
                counted = any(sort == own.result for own in self.vocabulary.functions)
                self._ranged[sort] = self.vocabulary.value_sort(sort) if counted else read_sort(sort)
        return self._ranged.get(sort)

    def result(self, function: str) -> Sort:
        """Return the sort of a function's values; whole numbers for an unknown function."""
        return self._results.get(function, WHOLE)

    def sort(self, term: fol.Term, bound: Bindings) -> Sort:
        """Return the sort of a term. Raises `SortError` if it has none, or for an unknown name."""
        match term:
            case fol.Bound(name):
                if name not in bound:
                    raise SortError("free_variable", name, "is a variable that no quantifier binds")
                return self.ranged(bound[name]) or bound[name]
            case fol.Constant(name):
                if name not in self._things:
                    raise SortError("undeclared", name, "is no thing of the vocabulary")
                return self._things[name]
            case fol.Number(value, unit):
                return Amount(unit, Fraction(1) if Fraction(value).denominator == 1 else None)
            case Instant(sort=calendar):
                return calendar
            case fol.Apply(function):
                return self.result(function)
            case fol.Count():
                return WHOLE
            case fol.Total(variable, summed, _, sort):
                return self._amount(summed, {**bound, variable: sort or ANY}, "a sum")
            case fol.Plus(summed):
                return self._plus(summed, bound)
            case fol.Times(left, right):
                return self._times(left, right, bound)
            case fol.Operation(op, args):
                return self._operation(op, args, bound)
            case fol.Choice(_, then, otherwise):
                return self._common((then, otherwise), bound, "the two values of an if")

    def compared(self, one: fol.Term, other: fol.Term, bound: Bindings) -> Sort:
        """Return the sort in which two numbers or dates are compared. Raises `SortError` if they are incomparable."""
        for term in (one, other):
            sort = self.sort(term, bound)
            if isinstance(sort, str):
                raise _misfit(term, sort, "and numbers or dates are compared here")
        return self._common((one, other), bound, "a comparison")

    def argument(self, name: str, place: int, term: fol.Term, bound: Bindings) -> Sort:
        """Return the sort of an argument that has to be a value. Raises `SortError` if it does not fit."""
        wanted, sort = self.arguments[name][place], self.sort(term, bound)
        if not _alike(wanted, sort):
            raise _misfit(term, sort, f"and {name} needs {in_words(wanted)}")
        return sort

    def is_value(self, term: fol.Term, bound: Bindings) -> bool:
        """Return whether a term is a number or a date and not a thing; a fault counts as a thing."""
        try:
            return not isinstance(self.sort(term, bound), str)
        except SortError:
            return isinstance(term, fol.Number)

    def _common(self, terms: Sequence[fol.Term], bound: Bindings, what: str) -> Sort:
        return _common(terms, [self.sort(term, bound) for term in terms], what)

    def _amount(self, term: fol.Term, bound: Bindings, what: str) -> Amount:
        return _as_amount(term, self.sort(term, bound), what)

    def _plus(self, summed: Sequence[tuple[Value, fol.Term]], bound: Bindings) -> Sort:
        """Return the sort of a sum: of amounts of one dimension, or of dates whose signs add up to 0 or 1."""
        if not summed:
            return WHOLE
        sorts = [self.sort(term, bound) for _, term in summed]
        dated = [(factor, sort) for (factor, _), sort in zip(summed, sorts, strict=True) if isinstance(sort, Calendar)]
        if not dated:
            terms = [term for _, term in summed]
            amounts = [_as_amount(term, sort, "a sum") for term, sort in zip(terms, sorts, strict=True)]
            _common(terms, sorts, "a sum")
            whole = all(a.step == 1 and Fraction(f).denominator == 1 for (f, _), a in zip(summed, amounts, strict=True))
            return Amount(_finest(amounts), Fraction(1) if whole and len({a.unit for a in amounts}) == 1 else None)
        calendar = dated[0][1]
        if any(sort != calendar for _, sort in dated):
            clash = next(sort for _, sort in dated if sort != calendar)
            raise SortError("sort_clash", str(clash), f"cannot be added to, or taken from, a {calendar}")
        net = sum(factor for factor, _ in dated)
        if net not in (0, 1) or any(abs(factor) != 1 for factor, _ in dated):
            raise SortError("sort_clash", f"a sum of {calendar}s", "has no meaning; only their difference has one")
        moved = calendar == DATE and bool(net)
        months = [term for _, term in summed if moved and months_in(term) is not None]
        if months and len(months) + len(dated) < len(summed):
            raise SortError(
                "unsupported",
                words_of(months[0]),
                "and another amount are added to one date: brackets have to show which comes first",
            )
        for (factor, term), sort in zip(summed, sorts, strict=True):
            if isinstance(sort, str):
                raise _misfit(term, sort, "and a sum needs a number")
            if isinstance(sort, Amount) and not _can_be_added(factor, term, sort, calendar, moved=moved):
                raise _misfit(term, sort, f"which cannot be added to a {calendar}")
        return calendar if net else Amount(calendar.unit, Fraction(1) if len(dated) == len(summed) else None)

    def _times(self, left: fol.Term, right: fol.Term, bound: Bindings) -> Sort:
        one, other = self._amount(left, bound, "a product"), self._amount(right, bound, "a product")
        whole = one.step == 1 and other.step == 1
        return Amount(one.unit * other.unit, Fraction(1) if whole else None)

    def _operation(self, op: fol.Operator, args: Sequence[fol.Term], bound: Bindings) -> Sort:
        if op in ("min", "max"):
            if not args:
                raise SortError("sort_clash", op, "needs at least one value")
            common = self._common(args, bound, op)
            if isinstance(common, str):
                raise _misfit(args[0], common, f"and {op} needs numbers or dates")
            return common
        if len(args) != (2 if op in ("div", "mod") else 1):
            wanted = "two values" if op in ("div", "mod") else "one value"
            raise SortError("arity_clash", op, f"takes {wanted}, got {len(args)}")
        if op in _PART_OF:
            return self._part(op, args[0], bound)
        amounts = [self._amount(arg, bound, op) for arg in args]
        if op == "abs":
            return amounts[0]
        if op in ("floor", "ceil"):
            if amounts[0].unit.dimension:
                raise _misfit(args[0], amounts[0], f"and {op} needs a number")
            return WHOLE
        for arg, amount in zip(args, amounts, strict=True):
            if amount.step != 1 or amount.unit != amounts[0].unit:
                raise _misfit(arg, amount, f"and {op} needs whole numbers of one unit")
        if not isinstance(args[1], fol.Number) or not args[1].value:
            raise SortError("unsupported", words_of(args[1]), f"is no written number, and {op} divides only by one")
        return WHOLE if op == "div" else amounts[0]

    def _part(self, op: fol.Operator, term: fol.Term, bound: Bindings) -> Sort:
        """Return the sort of a part of a date or of a moment."""
        sort = self.sort(term, bound)
        if not isinstance(sort, Calendar) or sort.kind != _PART_OF[op]:
            raise _misfit(term, sort, f"and {op} needs a {_PART_OF[op]}")
        return {"date_of": DATE, "time_of": TIME}.get(op, WHOLE)


def months_in(term: fol.Term) -> int | None:
    """Return a written number of months or years in whole months; None for any other term."""
    if not isinstance(term, fol.Number) or term.unit.dimension != MONTH.dimension:
        return None
    months = Fraction(term.value) * term.unit.factor
    return int(months) if months.denominator == 1 else None


def _can_be_added(factor: Value, term: fol.Term, sort: Amount, calendar: Calendar, *, moved: bool) -> bool:
    """Return whether an amount with its factor fits a sum of dates. `moved`: the sum is a date, not a difference.

    Only a written whole number of months is added to a date. Other amounts have to be whole days, or have the unit day
    or week.
    """
    months = months_in(term) if moved else None
    if months is not None:
        return (factor * months).denominator == 1
    if sort.unit.dimension != calendar.unit.dimension:
        return False
    one = factor * sort.unit.factor * (Fraction(term.value) if isinstance(term, fol.Number) else 1)
    return not moved or (one / DAY.factor).denominator == 1


_PART_OF: Mapping[fol.Operator, str] = {
    **dict.fromkeys(("year_of", "month_of", "day_of", "weekday_of"), "date"),
    **dict.fromkeys(("date_of", "time_of"), "moment"),
}
_NOTHING = fol.Number(0)
"""A written 0 fits every unit."""


def _misfit(term: fol.Term, sort: Sort, why: str) -> SortError:
    return SortError("sort_clash", words_of(term), f"is {in_words(sort)}, {why}")


def _as_amount(term: fol.Term, sort: Sort, what: str) -> Amount:
    if not isinstance(sort, Amount):
        raise _misfit(term, sort, f"and {what} needs a number")
    return sort


def _common(terms: Sequence[fol.Term], sorts: Sequence[Sort], what: str) -> Sort:
    """Return the sort that includes the values of all terms with these sorts; a written 0 has any sort."""
    used = [(term, sort) for term, sort in zip(terms, sorts, strict=True) if term != _NOTHING]
    used = used or list(zip(terms, sorts, strict=True))
    first = used[0][1]
    for term, sort in used[1:]:
        if not _alike(first, sort):
            raise _misfit(term, sort, f"and {what} needs {in_words(first)}")
    return _wider([sort for _, sort in used])


def _alike(one: Sort, other: Sort) -> bool:
    if isinstance(one, Amount) and isinstance(other, Amount):
        return one.unit.dimension == other.unit.dimension
    if isinstance(one, str) and isinstance(other, str):
        return one == other or ANY in (one, other)
    return one == other


def _wider(sorts: Sequence[Sort]) -> Sort:
    """Return the sort that includes all of these comparable sorts."""
    amounts = [sort for sort in sorts if isinstance(sort, Amount)]
    if len(amounts) == len(sorts):
        same = len({(amount.unit, amount.step) for amount in amounts}) == 1
        return amounts[0] if same else Amount(_finest(amounts))
    return next((sort for sort in sorts if sort != ANY), sorts[0])


def _finest(amounts: Sequence[Amount]) -> Unit:
    return min((amount.unit for amount in amounts), key=lambda own: own.factor)


def in_words(sort: Sort) -> str:
    """Return a sort in words, with its article: `an amount of EUR`, `a date`, `a guest`."""
    if isinstance(sort, Amount):
        if sort.unit == ONE:
            return "a whole number" if sort.step == 1 else "a number"
        return f"an amount in {sort.unit.name or 'numbers'}"
    if isinstance(sort, Calendar):
        return f"a {sort}"
    return f"{'an' if sort[:1] in 'aeiou' else 'a'} {sort}"


def words_of(term: fol.Term) -> str:
    """Return a term as messages show it."""
    from holdtrue_claims.fol.notation import write_term

    return write_term(term)


def split_months(summed: Parts, sorts: TermSorts, bound: Mapping[str, object]) -> tuple[Parts, int]:
    """Return the parts of a sum without the months that are added to a date, and the number of these months.

    A sum that is no date stays whole: years of age are ordinary amounts. `bound` has the value of each variable; a date
    has `DATE` as its `sort`.
    """
    months = [(factor, months_in(term)) for factor, term in summed]
    if not any(count for _, count in months) or not any(is_date(term, sorts, bound) for _, term in summed):
        return summed, 0
    rest = tuple(part for part, (_, count) in zip(summed, months, strict=True) if count is None)
    return rest, int(sum(factor * count for factor, count in months if count is not None))


def is_date(term: fol.Term, sorts: TermSorts, bound: Mapping[str, object]) -> bool:
    """Return whether a term denotes a date; `bound` has the value of each variable."""
    match term:
        case Instant(_, sort):
            return sort.kind == "date"
        case fol.Bound(name):
            return getattr(bound.get(name), "sort", None) == DATE
        case fol.Apply(function):
            return sorts.result(function) == DATE
        case fol.Operation(op, args):
            return op == "date_of" or (op in ("min", "max") and any(is_date(arg, sorts, bound) for arg in args))
        case fol.Choice(_, then, otherwise):
            return is_date(then, sorts, bound) or is_date(otherwise, sorts, bound)
        case fol.Plus(summed):
            return sum(factor for factor, part in summed if is_date(part, sorts, bound)) == 1
    return False
