"""Write the regular expression of formulas over a vocabulary, which a backend can enforce while a model writes.

The expression admits only declared names with their arguments and sorts, bound variables, numbers of the sentence, and
small whole numbers. Brackets nest to a fixed depth, because a regular expression cannot count. Two forms that are
nearly always errors are excluded: `forall x (A(x) and B(x))`, and `exists x (A(x) -> B(x))`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import lru_cache

from holdtrue.logic.units import Dimension, unit
from holdtrue.logic.value_sorts import Amount, ValueSort
from holdtrue_claims.fol.naming import is_number, name_text, thing_text
from holdtrue_claims.fol.syntax import Number
from holdtrue_claims.fol.vocabulary import ANY, Function, Predicate, fits
from holdtrue_claims.kind.prompts.offered import SMALL, Offer
from holdtrue_claims.values.single_values import formula_of

_MORE = "{0,3}"
"""The number of operands after the first one. Without a bound, small models continue to the end of their tokens."""
LONGEST = 170_000
"""The largest length of a pattern. A longer one drops formulas with three variables, then sums, then sorts of
variables, then counts.
"""
_MOST_SORTS = 4

Range = str | None
"""The sort of a variable; None for all things."""


@lru_cache(maxsize=64)  # several formulas are drawn of one sentence
def offer_pattern(offer: Offer) -> str:
    """Return the anchored pattern of the offered formulas; if the offer lacks `some`, none of them begins with
    `exists`.

    Without predicates and functions only `true` and `false` match. The pattern keeps the number of open alternatives
    small, because backends follow each of them for every token.
    """
    fewer = replace(offer, sums=False)
    # If the pattern is too long, narrower ones are tried in this order.
    narrower = (
        _Shapes(offer, three=False),
        *([_Shapes(replace(offer, counts=False), three=False)] if offer.sums else []),
        _Shapes(fewer, three=False),
        _Shapes(fewer, three=False, sorted_ranges=False),
        _Shapes(replace(fewer, counts=False), three=False, sorted_ranges=False),
    )
    pattern = _Shapes(offer).pattern()
    for made in narrower:
        if len(pattern) <= LONGEST:
            break
        pattern = made.pattern()
    return pattern


class _Shapes:
    """`_Shapes` build parts of the pattern. `bound` are the variables that may occur in a part; an impossible part is
    "".
    """

    def __init__(self, offer: Offer, *, three: bool = True, sorted_ranges: bool = True) -> None:
        self._offer = offer
        self._three = three
        vocabulary = offer.vocabulary
        self._terms = Terms(offer)
        self._atoms: dict[tuple[tuple[tuple[str, str], ...], bool], str] = {}
        self._related = bool(vocabulary.functions) or any(len(said.sorts) > 1 for said in vocabulary.predicates)
        sorts = dict.fromkeys(sort for own in vocabulary.applied for sort in own.sorts)
        typed = [sort for sort in sorts if sort != ANY]
        if not sorted_ranges or len(typed) > _MOST_SORTS:
            typed = []
        self._ranges: tuple[Range, ...] = (*((None,) if ANY in sorts or not typed else ()), *typed)

    def pattern(self) -> str:
        found = [self._quantified()]
        if ground := self._operand({}):
            more = f"( (and|or|xor) {ground}){_MORE}"
            found.append(f"{ground}{more}( (->|<->) {ground}{more})?")
        return f"^{any_of(found) or '(true|false)'}$"

    def _quantified(self) -> str:
        """Return formulas with one variable, and with further ones if any name relates two things."""
        shapes = []
        for own in self._ranges:
            bound = {"x": own or ANY}
            if not self._atom(bound):
                continue
            found = [rf"\({self._every(bound)}\)"]
            if self._related:
                for second in self._ranges if self._three else (own,):
                    body = self._every({**bound, "y": second or ANY}, plain=True)
                    found.append(rf"forall y{_in(second)} \({body}\)")
                if self._three:  # three variables of one range, for rules such as transitivity
                    body = self._every({**bound, "y": own or ANY, "z": own or ANY}, plain=True)
                    found.append(rf"forall y{_in(own)} forall z{_in(own)} \({body}\)")
                found += [
                    rf"exists y{_in(inner)} \({self._some({**bound, 'y': inner or ANY})}\)" for inner in self._ranges
                ]
            shapes.append(f"forall x{_in(own)} {any_of(found)}")
            if self._offer.some:
                found = [rf"\({self._some(bound)}\)"]
                if self._related:
                    found += [
                        rf"(exists|forall) y{_in(inner)} \({self._some({**bound, 'y': inner or ANY})}\)"
                        for inner in self._ranges
                    ]
                shapes.append(f"exists x{_in(own)} {any_of(found)}")
        return f"(not )?{any_of(shapes)}" if shapes else ""

    def _every(self, bound: Mapping[str, str], *, plain: bool = False) -> str:
        """Return the body of `forall`: conditions and consequences, or alternatives. With a sort it may be a
        conjunction.
        """
        operand = self._literal(bound) if plain else self._operand(bound)
        implied = f"( (and|or|xor) {operand}){_MORE} (->|<->) {operand}( (and|or|xor) {operand}){_MORE}"
        joined = "and|or|xor" if ANY not in bound.values() else "or|xor"
        return f"{operand}({implied}|( ({joined}) {operand}){_MORE})"

    def _some(self, bound: Mapping[str, str]) -> str:
        """Return the body of `exists`."""
        operand = self._literal(bound) if len(bound) > 1 else self._operand(bound)
        return f"{operand}( (and|or) {operand}){_MORE}"

    def _operand(self, bound: Mapping[str, str]) -> str:
        """Return a literal, several literals in brackets, or a quantified formula about another thing."""
        atom, literal = self._atom(bound, computed=True), self._literal(bound)
        if not atom:
            return ""
        steps = self._terms.steps(bound, "y") if len(bound) == 1 else ""
        found = [atom, steps, rf"\({literal}( (and|or|xor|->|<->) {literal}){{1,3}}\)" if literal else ""]
        if self._related and len(bound) == 1:
            for own in self._ranges:
                if inner := self._literal({**bound, "y": own or ANY}):
                    found.append(rf"exists y{_in(own)} \({inner}( (and|or) {inner}){_MORE}\)")
                    found.append(rf"forall y{_in(own)} \({inner}( and {inner}){_MORE}( (->|or) {inner})?\)")
        return f"(not )?{any_of(found)}"

    def _literal(self, bound: Mapping[str, str]) -> str:
        atom = self._atom(bound)
        return f"(not )?{atom}" if atom else ""

    def _atom(self, bound: Mapping[str, str], *, computed: bool = False) -> str:
        """Return the atoms over these variables; "" if there are none."""
        # Many forms bind the same variables.
        key = (tuple(bound.items()), computed)
        if key not in self._atoms:
            found = [self._terms.applied(self._offer.vocabulary.predicates, bound)]
            found.append(self._computed(bound) if computed else self._terms.compared(bound))
            found.append(self._terms.same_thing(bound) if self._related else "")
            self._atoms[key] = any_of(found)
        return self._atoms[key]

    def _computed(self, bound: Mapping[str, str]) -> str:
        """Return comparisons of sums and products, and of counts and sums over things."""
        variable = next(name for name in VARIABLES if name not in bound)
        counted: list[str] = []
        summed: dict[Kind, list[str]] = {}
        for own in self._ranges:
            inner = {**bound, variable: own or ANY}
            # Conditions on the counted or summed things.
            predicates = self._terms.applied(self._offer.vocabulary.predicates, inner)
            said = any_of((predicates, self._terms.compared(inner)))
            body = f"(not )?{said}( (and|or) (not )?{said}){{0,2}}" if said else ""
            if self._offer.counts and body:
                counted.append(rf"count {variable}{_in(own)} \({body}\)")
            for kind in self._terms.kinds if self._offer.sums else ():
                values = "" if isinstance(kind, str) else self._terms.values(kind, inner)
                where = rf"( where {body})?" if body else ""
                if values:
                    summed.setdefault(kind, []).append(rf"sum {variable}{_in(own)} \({values}{where}\)")
        found = [self._terms.computed(bound), self._terms.total((), bound, any_of(counted))]
        found += [self._terms.total(kind, bound, any_of(own)) for kind, own in summed.items()]
        return any_of(found)


def _in(own: Range) -> str:
    return "" if own is None else f" in {re.escape(name_text(own))}"


# --- the parts that stand for things and for values, by their sorts --------------------------------------------------

VARIABLES = ("x", "y", "z")
COMPARED = "(=|!=|<|<=|>|>=)"
_FEW_VALUES = 30
"""The largest number of values of a function that are listed."""
Bound = Mapping[str, str]
"""The variables that may occur, each with its sort."""
Kind = Dimension | str
"""The common property of comparable values: the dimension of amounts, or `date`, `time`, `moment`."""


class Terms:
    r"""`Terms` build the parts of a pattern that stand for things and values. An impossible part is "".

    Names of the same signature share their arguments, which keeps a pattern small: `(Came|Left)\\((x|Ann|Bob)\\)`.
    """

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
        """Return the kinds of values of all functions and arguments, and whole numbers if dates are arguments."""
        taken = [sort for own in self._offer.vocabulary.applied for sort in map(self.ranged, own.sorts) if sort]
        parts: list[Kind] = [()] if any(_kind(sort) == "date" for sort in taken) else []
        return tuple(dict.fromkeys((*self._to_values, *map(_kind, taken), *parts)))

    def applied(self, words: Iterable[Predicate | Function], bound: Bound, *, plain: bool = False) -> str:
        """Return names with their arguments. If `plain`, values are only variables and literals."""
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
        """Return the variables that stand for values of a kind."""
        sorts = {name: self.ranged(sort) for name, sort in bound.items()}
        return [name for name, sort in sorts.items() if sort is not None and _kind(sort) == kind]

    def ranged(self, sort: str | None) -> ValueSort | None:
        """Return the sort of values of a variable with this sort, or None for things."""
        return None if sort is None else self._offer.vocabulary.value_sort(sort)

    def thing(self, sort: str, bound: Bound, *, functions: bool = True) -> str:
        """Return a variable, a named thing, or the value of a function to things."""
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
        """Return equations and inequations between a variable or a function's value and another thing."""
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
        """Return comparisons of values with each other or with a literal, for nested parts of a formula."""
        values = {kind: self.values(kind, bound) for kind in self.kinds}
        return any_of(f"{own} {COMPARED} {self._right(kind, own)}" for kind, own in values.items() if own)

    def computed(self, bound: Bound) -> str:
        """Return comparisons of sums and products, and of the distance of two dates or times."""
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
        """Return comparisons of a count or a sum over things with another value of its kind."""
        return f"{totals} {COMPARED} {self._right(kind, any_of((self.values(kind, bound), totals)))}" if totals else ""

    def _right(self, kind: Kind, values: str) -> str:
        """Return the right side of a comparison: a literal, or values with a literal added or subtracted."""
        steps = self._literals(_step(kind))
        more = f"( [+-] {steps})?" if steps and values else ""
        zero = "0" if kind and not isinstance(kind, str) else ""
        return any_of((f"{values}{more}", self._literals(kind), zero))

    def _part(self, kind: Kind, bound: Bound) -> str:
        """Return values with a factor, and products of other values that have this kind."""
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
                        # The literal comes last, because a product after a number could be read as a part of its unit.
                        found.append(rf"{times} \* {re.escape(formula_of(literal))}" if times else "")
        return any_of(found)

    def values(self, kind: Kind, bound: Bound) -> str:
        """Return variables and functions with values of a kind. Functions of values take variables and literals."""
        groups: tuple[list[Function], list[Function]] = ([], [])
        for own in self._to_values.get(kind, ()):
            groups[any(self.ranged(sort) is not None for sort in own.sorts)].append(own)
        parts = any_of(self._variables("date", bound)) if kind == () else ""
        found = [*self._variables(kind, bound), rf"(weekday|day|month|year)_of\({parts}\)" if parts else ""]
        return any_of((*found, self.applied(groups[0], bound), self.applied(groups[1], bound, plain=True)))

    def steps(self, bound: Bound, variable: str) -> str:
        """Return equal steps from a written date or time, as in a timetable."""
        found = []
        for kind in ("date", "time"):
            own, start, step = any_of(self._variables(kind, bound)), self._literals(kind), self._literals(_step(kind))
            if own and start and step:
                found.append(rf"exists {variable} in whole \({own} = {start} \+ {variable} \* {step}\)")
        return any_of(found)

    def _literals(self, kind: Kind, *, small: bool = True) -> str:
        """Return the values of the sentence of this kind, and small whole numbers for the kind without a unit."""
        if (kind, small) in self._written:
            return self._written[kind, small]
        found = []
        for own in self._offer.values:
            if not isinstance(own, Number):
                found += [formula_of(own)] if str(own.sort) == kind else []
            # mg/kg has the dimension of a number, and is only allowed in products.
            elif own.unit.dimension == kind and (kind or own.unit.name in ("", "%")):
                found.append(formula_of(own))
        if kind == ():
            for function in self._to_values.get((), ()):
                low, high = function.low, function.high
                if low is not None and high is not None and high - low < _FEW_VALUES:
                    found += map(str, range(low, high + 1))
            found += [formula_of(own) for own in SMALL] if small else []
        self._written[kind, small] = any_of(dict.fromkeys(map(re.escape, found)))
        return self._written[kind, small]


def _step(kind: Kind) -> Kind:
    """Return the kind of a difference of two values of a kind."""
    return unit("day").dimension if isinstance(kind, str) else kind


def _kind(sort: ValueSort) -> Kind:
    return sort.unit.dimension if isinstance(sort, Amount) else str(sort)


def _product(one: Dimension, other: Dimension) -> Dimension:
    powers = dict(one)
    for base, power in other:
        powers[base] = powers.get(base, 0) + power
    return tuple(sorted((base, power) for base, power in powers.items() if power))


def any_of(choices: Iterable[str]) -> str:
    """Return a group that matches one of these choices; empty choices are ignored."""
    found = [choice for choice in dict.fromkeys(choices) if choice]
    return found[0] if len(found) == 1 and found[0].isalnum() else f"({'|'.join(found)})" if found else ""
