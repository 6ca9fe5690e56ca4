"""This module makes solver variables for values that nothing has shown: numbers, flags, names, lengths and presences.

Values with equal paths share a variable. Two look-ups of a record by equal keys find equal values.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from holdtrue.budget import OUT_OF_TIME, Deadline
from holdtrue.logic.evaluate import compile_term
from holdtrue.logic.formula import Compare, Constant, Formula, Term, Variable
from holdtrue.logic.sorts import IntSort
from holdtrue.logic.value_sorts import Calendar
from holdtrue.rules import types as ty
from holdtrue.rules.symbolic_values import (
    FALSE,
    TRUE,
    Flag,
    Items,
    Maybe,
    NotSayable,
    Num,
    OpenItems,
    OpenMap,
    OpenRecord,
    Text,
    compared,
    conj,
    disj,
    neg,
)
from holdtrue.rules.values import FactKey, NotSeen, field_path, key_text

MOST_EXPANDED = 12
"""An unseen list gets a variable for each item if it can have at most this many items."""
MOST_STEPS = 10_000
"""The greatest number of visits of items of lists and maps for the formulas of one question."""
FINEST = Fraction(1, 10**6)
"""The assumed step of an unseen number whose schema states no step; verdicts name this assumption."""
MOST_PARTS = 50
"""The greatest size of a term that is an unknown key."""
EXISTS = "exists"
"""The name of a record's variable that is 1 if the record exists."""
LAST_DAY = 3_652_059
"""The day number of 9999-12-31."""


@dataclass(frozen=True, slots=True)
class LookUp:
    """A `LookUp` is the look-up of an unseen record by `keys`; `texts` says which keys are texts."""

    keys: tuple[Term, ...]
    texts: tuple[bool, ...]
    path: str

    def found_by(self, witness: Mapping[str, int]) -> tuple[int, ...] | None:
        """Return the values of the keys, or None if a variable in them has none."""
        known = all(own.name in witness for key in self.keys for own in key.variables)
        return tuple(compile_term(key)(witness) for key in self.keys) if known else None


@dataclass
class Unknowns:
    """An `Unknowns` has all variables of one question to the solver, and the formulas that always hold for them.

    Attributes:
        items: The greatest number of items of a list whose schema has no bound, or None to leave such lists open.
        names: The number of different texts, or None while they are being collected.
    """

    items: int | None = None
    names: int | None = None
    variables: dict[str, Variable] = field(default_factory=dict)
    facts: dict[str, FactKey | None] = field(default_factory=dict)
    paths: dict[str, str] = field(default_factory=dict)
    """The path of the value that a variable describes, by the variable's name; "" if it describes no value."""
    background: list[Formula] = field(default_factory=list)
    assumptions: dict[str, str] = field(default_factory=dict)
    """The assumptions that no schema states, in words, by the name of the variable that needs them."""
    codes: dict[str, int] = field(default_factory=dict)
    kinds: dict[str, str] = field(default_factory=dict)
    """The kind of thing that a text identifies, by its variable."""
    open_names: int = 0
    left_open: list[str] = field(default_factory=list)
    """The conditions that no formula expresses, in words."""
    lookups: dict[str, list[LookUp]] = field(default_factory=dict)
    among_seen: dict[tuple[str, frozenset[str]], Formula] = field(default_factory=dict)
    """For a record, by its kind and the variables of its keys, a formula that is true if the record was seen."""
    deadline: Deadline | None = None
    steps: int = 0
    run: int = 0
    """The number of items that closures visited in expressions whose values are all seen."""

    def spend(self, steps: int) -> None:
        """Count visits of items. Raises `NotSayable` if there are too many, or the time is over."""
        self.steps += steps
        if self.deadline is not None and self.deadline.passed:
            raise NotSayable(OUT_OF_TIME)
        if self.steps > MOST_STEPS:
            raise NotSayable(f"it looks at over {MOST_STEPS:,} items, of which something is not known")

    def code(self, text: str) -> int:
        """Return the number that stands for a text."""
        return self.codes.setdefault(text, len(self.codes))

    def variable(self, path: str, sort: IntSort, fact: FactKey | None, part: str = "") -> Variable:
        """Return the variable of a value, or of a `part` of it such as `size`; the first request makes it.

        A path contains `#` only within quotes, so no value has the name of a part of another value.
        """
        name = f"{path}#{part}" if part else path
        found = self.variables.get(name)
        if found is None:
            found = self.variables[name] = Variable(name, sort)
            self.facts[name], self.paths[name] = fact, path
        return found

    def fresh_flag(self, what: str, path: str = "", fact: FactKey | None = None) -> Flag:
        """Return a condition that may be true, false or an error; `path` is the unseen value that it needs."""
        self.left_open.append(what)
        place = len(self.variables)
        state = self.variable("", IntSort(0, 2), fact, f"{place} {what}")
        self.paths[state.name] = path
        return Flag(Compare("==", state, Constant(1)), Compare("==", state, Constant(0)))

    def boolean(self, path: str, fact: FactKey | None, part: str = "") -> Formula:
        """Return a formula that is true if a 0-1 variable is 1."""
        return Compare("==", self.variable(path, IntSort(0, 1), fact, part), Constant(1))

    def there(self, path: str, fact: FactKey | None) -> Formula:
        """Return a formula that is true if an optional field, or an entry of a map, exists."""
        return self.boolean(path, fact, "there")

    def field_of(self, of: OpenRecord, name: str) -> tuple[Formula, Any]:
        """Return a formula that is true if an unseen record has a field, and the field's value."""
        own, inner = of.type.fields[name], field_path(of.path, name)
        there = TRUE if own.required else self.there(inner, of.fact)
        if of.type.may_be_absent:
            there = conj((there, self.boolean(of.path, of.fact, EXISTS)))
            # A call that shows the field also shows that the record exists.
            self.paths[f"{of.path}#{EXISTS}"] = inner
        return there, self.of_type(own.type, inner, of.fact)

    def shown(self, value: Any) -> Formula:
        """Return a formula that is true if a field exists, given its value or its `NotSeen` marker."""
        return self.there(value.path, value.fact) if isinstance(value, NotSeen) and not value.there else TRUE

    def value(self, seen: NotSeen) -> Any:
        """Return the symbolic value of a `NotSeen` marker. Raises `NotSayable` if it may not be of its type."""
        if not seen.fits:
            raise NotSayable(f"{seen.path} was shown, and could not be read", seen.path, seen.fact)
        return self.of_type(seen.type, seen.path, seen.fact)

    def of_type(self, type: ty.Type, path: str, fact: FactKey | None) -> Any:
        """Return a symbolic value of a type at a path."""
        match type:
            case ty.Nullable(inner):
                return Maybe(self.boolean(path, fact, "null"), self.of_type(inner, path, fact))
            case ty.Null():
                return None
            case ty.Flag():
                holds = self.boolean(path, fact)
                return Flag(holds, neg(holds))
            case ty.Number():
                return self._number(type, path, fact)
            case Calendar():
                return Num(self.variable(path, _days(type), fact), self._step_of(type, path))
            case ty.Name():
                return self._name(type, path, fact)
            case ty.ListOf():
                return self._list(type, path, fact)
            case ty.MapOf():
                return OpenMap(path, type, fact)
            case ty.Record():
                return OpenRecord(path, type, fact)
        raise TypeError(f"no type: {type!r}")

    def _step_of(self, type: Calendar, path: str) -> Fraction:
        if type.kind == "moment":
            self.assumptions.setdefault(path, f"{path} is a whole second")
        return Fraction(1)

    def _number(self, type: ty.Number, path: str, fact: FactKey | None) -> Num:
        step = type.sort.step
        if step is None:
            step = FINEST
            self.assumptions.setdefault(path, f"{path} has 6 decimals at most")
        low, high = in_steps(type, step)
        if low is not None and high is not None and low > high:
            raise NotSayable(f"{path} can have no value: {type.low} to {type.high} in steps of {step}")
        return Num(self.variable(path, IntSort(low, high), fact), step)

    def _name(self, type: ty.Name, path: str, fact: FactKey | None) -> Text:
        known = path in self.variables
        high = None if self.names is None else self.names - 1
        variable = self.variable(path, IntSort(0, high), fact)
        if not known:
            self.kinds[path] = type.kind
            if type.values is None:
                self.open_names += 1
            else:
                codes = (self.code(own) for own in type.values)
                self.background.append(disj(Compare("==", variable, Constant(code)) for code in codes))
        return Text(variable)

    def length(self, path: str, type: ty.ListOf, fact: FactKey | None) -> Variable:
        """Return the variable of the number of items of a list."""
        most = self._most(type)
        least = min(type.least, most) if most is not None else type.least
        return self.variable(path, IntSort(least, most), fact, "size")

    def _most(self, type: ty.ListOf) -> int | None:
        if self.items is not None and is_long(type):
            return max(self.items, type.least)
        return type.most

    def _list(self, type: ty.ListOf, path: str, fact: FactKey | None) -> Items | OpenItems:
        most = self._most(type)
        length = self.length(path, type, fact)
        if most is None or most > MOST_EXPANDED:
            return OpenItems(path, type.item, Num(length, Fraction(1)), fact)
        if is_long(type):
            self.assumptions.setdefault(f"{path}#size", f"{path} has {most} items at most")
        entries = []
        for place in range(most):
            there = TRUE if place < type.least else compared("<", Constant(place), length)
            entries.append((there, self.of_type(type.item, f"{path}[{place}]", fact)))
        return Items(tuple(entries))

    def looked_up(self, kind: str, keys: tuple[Any, ...], types: Sequence[ty.Type], type: ty.Type) -> Any:
        """Return the symbolic record for keys that are not all known; `types` are the types of the keys."""
        terms = [_term(self, own) for own in keys]
        shown = (_key_text(*own) for own in zip(keys, terms, types, strict=True))
        path = f"facts.{kind}({', '.join(shown)})"
        self.note_look_up(kind, keys, path)
        return self.of_type(type, path, FactKey(kind, (None,) * len(keys)))

    def among(self, kind: str, keys: tuple[Any, ...], seen: Sequence[tuple[Any, ...]]) -> list[Formula]:
        """Return, for each seen record, a formula that is true if it has these keys; store their disjunction."""
        found = [
            conj(compared("==", _term(self, one), _term(self, own)) for one, own in zip(keys, each, strict=True))
            for each in seen
        ]
        names = frozenset(variable.name for key in keys for variable in _term(self, key).variables)
        self.among_seen[kind, names] = disj(found)
        return found

    def note_look_up(self, kind: str, keys: tuple[Any, ...], path: str) -> None:
        """Store the look-up of an unseen record, so that `same_records` can relate it to others."""
        texts = tuple(isinstance(own, str | Text) for own in keys)
        entry = LookUp(tuple(_term(self, own) for own in keys), texts, path)
        own = self.lookups.setdefault(kind, [])
        if entry not in own:
            own.append(entry)

    def same_records(self) -> list[Formula]:
        """Return formulas that make look-ups of one kind by equal keys find equal values (Ackermann's reduction)."""
        found: list[Formula] = []
        for entries in self.lookups.values():
            for place, one in enumerate(entries):
                for other in entries[:place]:
                    equal = conj(compared("==", *pair) for pair in zip(one.keys, other.keys, strict=True))
                    if equal is not FALSE:
                        found += self._same_fields(equal, one.path, other.path)
        return found

    def _same_fields(self, equal: Formula, one: str, other: str) -> list[Formula]:
        """Return formulas that make the values of two records equal if `equal` holds."""
        found: list[Formula] = []
        for name in [own for own in self.variables if own.startswith(one)]:
            twin = self.variables.get(other + name[len(one) :])
            if twin is not None and twin is not self.variables[name]:
                found.append(disj((neg(equal), Compare("==", self.variables[name], twin))))
        return found


def in_steps(type: ty.Number, step: Fraction) -> tuple[int | None, int | None]:
    """Return the least and the greatest number of a type that its schema accepts, in steps."""
    low = None if type.low is None else int(-(-type.low // step))
    high = None if type.high is None else int(type.high // step)
    low = low + 1 if low is not None and type.open_low and low * step == type.low else low
    high = high - 1 if high is not None and type.open_high and high * step == type.high else high
    return low, high


def is_long(type: ty.ListOf) -> bool:
    """Return whether an unseen list can have too many items for a variable each."""
    return type.most is None or type.most > MOST_EXPANDED


def _key_text(value: Any, term: Term, type: ty.Type) -> str:
    """Return the text of a key in the path of a record: its value if it is known, and else its term."""
    if not isinstance(value, Text | Num):
        return key_text(value, type)
    if term.size > MOST_PARTS:
        raise NotSayable("which record is meant is not known")
    return str(term)


def _term(unknowns: Unknowns, value: Any) -> Term:
    match value:
        case str():
            return Constant(unknowns.code(value))
        case Text(term):
            return term
        case Num(term, step):
            if step.denominator > 1:
                raise NotSayable("records are found by texts, whole numbers and dates")
            return term if step == 1 else Constant(0) + term * step.numerator
        case bool() | Fraction():
            raise NotSayable("records are found by texts, whole numbers and dates")
        case int():
            return Constant(value)
    raise NotSayable("records are found by texts, whole numbers and dates")


def _days(type: Calendar) -> IntSort:
    match type.kind:
        case "date":
            return IntSort(1, LAST_DAY)
        case "time":
            return IntSort(0, 86_399)
    # A clock somewhere may show up to a day before or after the instant.
    beyond = 86_400 if type.zone else 0
    return IntSort(-beyond, LAST_DAY * 86_400 - 1 + beyond)
