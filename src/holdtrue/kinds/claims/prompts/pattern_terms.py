"""This module writes the parts of the pattern of formulas that stand for things and for values, by their sorts.

Names of the same signature share their arguments, so that a pattern stays small: `(Came|Left)\\((x|Ann|Bob)\\)`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from holdtrue.kinds.claims.prompts.offered import SMALL, Offer
from holdtrue.language.single_values import formula_of
from holdtrue.logic.fol.naming import is_number, name_text, thing_text
from holdtrue.logic.fol.syntax import Number
from holdtrue.logic.fol.vocabulary import ANY, Function, Predicate, fits
from holdtrue.logic.units import Dimension, unit
from holdtrue.logic.value_sorts import Amount, ValueSort

VARIABLES = ("x", "y", "z")
COMPARED = "(=|!=|<|<=|>|>=)"
_FEW_VALUES = 30
"""Up to so many values of a function are listed one by one."""
Bound = Mapping[str, str]
"""The variables that may stand at a place, each with its sort."""
Kind = Dimension | str
"""What values have to share to be compared: the dimension of amounts, or `date`, `time`, `moment`."""


class Terms:
    """`Terms` are the parts of a pattern that stand for things and values. A part that cannot be is empty."""

    def __init__(self, offer: Offer) -> None:
        self._offer = offer
        vocabulary = offer.vocabulary
        self._to_things = [own for own in vocabulary.functions if vocabulary.value_sort(own.result) is None]
        self._to_values: dict[Kind, list[Function]] = {}
        for own in vocabulary.functions:
            sort = vocabulary.value_sort(own.result)
            if sort is not None:
                self._to_values.setdefault(_kind(sort), []).append(own)
        self._written: dict[tuple[Kind, bool], str] = {}

    @property
    def kinds(self) -> tuple[Kind, ...]:
        """Return the kinds of values that functions have or take, and that of whole numbers where dates are taken."""
        taken = [sort for own in self._offer.vocabulary.applied for sort in map(self.ranged, own.sorts) if sort]
        parts: list[Kind] = [()] if any(_kind(sort) == "date" for sort in taken) else []
        return tuple(dict.fromkeys((*self._to_values, *map(_kind, taken), *parts)))

    def applied(self, words: Iterable[Predicate | Function], bound: Bound, *, plain: bool = False) -> str:
        """Names with their arguments, values only `plain` ones if so; those without any argument stand alone."""
        groups: dict[tuple[str, ...], list[str]] = {}
        for own in words:
            groups.setdefault(own.sorts, []).append(re.escape(name_text(own.name)))
        found = []
        for sorts, names in groups.items():
            arguments = [self.argument(sort, bound, plain=plain) for sort in sorts]
            if all(arguments):
                brackets = rf"\({', '.join(arguments)}\)" if arguments else ""
                found.append(f"{any_of(names)}{brackets}")
        return any_of(found)

    def argument(self, sort: str, bound: Bound, *, plain: bool = False) -> str:
        values = self._offer.vocabulary.value_sort(sort)
        if values is None:
            return self.thing(sort, bound)
        kind = _kind(values)
        own = any_of(self._variables(kind, bound)) if plain else self.values(kind, bound)
        return any_of((own, self._literals(kind)))

    def _variables(self, kind: Kind, bound: Bound) -> list[str]:
        """The variables that stand for values of a kind."""
        sorts = {name: self.ranged(sort) for name, sort in bound.items()}
        return [name for name, sort in sorts.items() if sort is not None and _kind(sort) == kind]

    def ranged(self, sort: str | None) -> ValueSort | None:
        """Return the sort of values that a variable of this sort goes through, if it does."""
        return None if sort is None else self._offer.vocabulary.value_sort(sort)

    def thing(self, sort: str, bound: Bound, *, functions: bool = True) -> str:
        """A variable, a named thing, or the value of a function to things."""
        names = [entity.name for entity in self._offer.vocabulary.of_sort(sort)]
        written = [re.escape(name if is_number(name) else thing_text(name, VARIABLES)) for name in names]
        found = [name for name, own in bound.items() if fits(own, sort) and self.ranged(own) is None] + written
        if functions:
            found += [self._thing_function(own, bound) for own in self._to_things if fits(own.result, sort)]
        return any_of(found)

    def _thing_function(self, own: Function, bound: Bound) -> str:
        if any(self.ranged(sort) is not None for sort in own.sorts):
            return ""
        things = [self.thing(sort, bound, functions=False) for sort in own.sorts]
        brackets = rf"\({', '.join(things)}\)" if things else ""
        return f"{re.escape(name_text(own.name))}{brackets}" if all(things) else ""

    def same_thing(self, bound: Bound) -> str:
        """A variable or a function's thing is another one, or not."""
        left = [
            *(name for name, own in bound.items() if self.ranged(own) is None),
            *filter(None, [self._thing_function(own, bound) for own in self._to_things]),
        ]
        found = []
        for name in left:
            sort = bound.get(name) or next((own.result for own in self._to_things if name.startswith(own.name)), ANY)
            if things := self.thing(sort, bound):
                found.append(f"{name} !?= {things}")
        return any_of(found)

    # --- values -----------------------------------------------------------------------------------------------------

    def compared(self, bound: Bound) -> str:
        """Values held against each other or against a literal: what nested places have."""
        values = {kind: self.values(kind, bound) for kind in self.kinds}
        return any_of(f"{own} {COMPARED} {self._right(kind, own)}" for kind, own in values.items() if own)

    def computed(self, bound: Bound) -> str:
        """Sums and products held against another value, and how far two dates or times lie apart."""
        found = []
        for kind in self.kinds:
            part = self._part(kind, bound)
            if not part:
                continue
            if isinstance(kind, str):
                whole, spans = any_of((part, self._literals(kind))), self._literals(_step(kind))
                found.append(f"{part} {COMPARED} {self._right(kind, part)}")
                found.append(f"{whole} - {whole} {COMPARED} {any_of((spans, '0'))}")
            else:
                more = any_of((part, self._literals(kind)))
                found.append(f"{part}( [+-] {more}){{0,2}} {COMPARED} {self._right(kind, part)}")
        return any_of(found)

    def total(self, kind: Kind, bound: Bound, totals: str) -> str:
        """A count or a sum over things, held against another value of its kind."""
        return f"{totals} {COMPARED} {self._right(kind, any_of((self.values(kind, bound), totals)))}" if totals else ""

    def _right(self, kind: Kind, values: str) -> str:
        """Return what values are held against: a literal, or other values with a literal more or less."""
        steps = self._literals(_step(kind))
        more = f"( [+-] {steps})?" if steps and values else ""
        zero = "0" if kind and not isinstance(kind, str) else ""
        return any_of((f"{values}{more}", self._literals(kind), zero))

    def _part(self, kind: Kind, bound: Bound) -> str:
        """Values with a factor before them, and products of other values that are of this kind."""
        values = self.values(kind, bound)
        if isinstance(kind, str):
            return values
        factor = any_of(("(10|[2-9])", self._literals((), small=False)))
        found = [rf"({factor} \* )?{values}" if values else ""]
        for literal in self._offer.values:
            if isinstance(literal, Number) and literal.unit.name not in ("", "%"):
                for other in self.kinds:
                    if not isinstance(other, str) and _product(literal.unit.dimension, other) == kind:
                        times = self.values(other, bound)
                        # The literal comes last: what follows a number and `*` could be read as a part of its unit.
                        found.append(rf"{times} \* {re.escape(formula_of(literal))}" if times else "")
        return any_of(found)

    def values(self, kind: Kind, bound: Bound) -> str:
        """The variables and the functions of a kind of values; functions of values take variables and literals."""
        groups: tuple[list[Function], list[Function]] = ([], [])
        for own in self._to_values.get(kind, ()):
            groups[any(self.ranged(sort) is not None for sort in own.sorts)].append(own)
        parts = any_of(self._variables("date", bound)) if kind == () else ""
        found = [*self._variables(kind, bound), rf"(weekday|day|month|year)_of\({parts}\)" if parts else ""]
        return any_of((*found, self.applied(groups[0], bound), self.applied(groups[1], bound, plain=True)))

    def steps(self, bound: Bound, variable: str) -> str:
        """One of equal steps from a written date or time on: what a timetable has."""
        found = []
        for kind in ("date", "time"):
            own, start, step = any_of(self._variables(kind, bound)), self._literals(kind), self._literals(_step(kind))
            if own and start and step:
                found.append(rf"exists {variable} in whole \({own} = {start} \+ {variable} \* {step}\)")
        return any_of(found)

    def _literals(self, kind: Kind, *, small: bool = True) -> str:
        """The values of the sentence that are of this kind, and small whole numbers where it has no unit."""
        if (kind, small) not in self._written:
            self._written[kind, small] = self._write_literals(kind, small)
        return self._written[kind, small]

    def _write_literals(self, kind: Kind, small: bool) -> str:
        found = []
        for own in self._offer.values:
            if not isinstance(own, Number):
                found += [formula_of(own)] if str(own.sort) == kind else []
            # mg/kg is a number by its dimension; it stands in products alone.
            elif own.unit.dimension == kind and (kind or own.unit.name in ("", "%")):
                found.append(formula_of(own))
        if kind == ():
            for function in self._to_values.get((), ()):
                low, high = function.low, function.high
                if low is not None and high is not None and high - low < _FEW_VALUES:
                    found += map(str, range(low, high + 1))
            found += [formula_of(own) for own in SMALL] if small else []
        return any_of(dict.fromkeys(map(re.escape, found)))


def _step(kind: Kind) -> Kind:
    """Return the kind of what is added to values of a kind."""
    return unit("day").dimension if isinstance(kind, str) else kind


def _kind(sort: ValueSort) -> Kind:
    return sort.unit.dimension if isinstance(sort, Amount) else str(sort)


def _product(one: Dimension, other: Dimension) -> Dimension:
    powers = dict(one)
    for base, power in other:
        powers[base] = powers.get(base, 0) + power
    return tuple(sorted((base, power) for base, power in powers.items() if power))


def any_of(choices: Iterable[str]) -> str:
    """One of them; empty ones are none."""
    found = [choice for choice in dict.fromkeys(choices) if choice]
    return found[0] if len(found) == 1 and found[0].isalnum() else f"({'|'.join(found)})" if found else ""
