"""The values that two policies both can read, and where their types differ."""

from __future__ import annotations

from dataclasses import dataclass, field

from holdtrue.guard.analysis.unseen import Shapes
from holdtrue.logic.units import SECOND
from holdtrue.logic.value_sorts import Amount, Calendar
from holdtrue.rules.combining import aligned, common_multiple
from holdtrue.rules.types import Field, Flag, ListOf, MapOf, Name, Null, Nullable, Number, Record, Type


@dataclass
class Meeting:
    """Finds the types of what both of two policies can read; `told` says where theirs differ.

    Attributes:
        alike: Whether there is a value of every type that both policies have.
    """

    told: dict[str, None] = field(default_factory=dict)
    alike: bool = True

    def shapes(self, one: Shapes, other: Shapes) -> Shapes:
        """Return the types of everything that a call can depend on."""
        kinds = {
            name: self.record(one.facts[name], other.facts[name], f"facts.{name}") if name in other.facts else own
            for name, own in one.facts.items()
        }
        call = one.call
        if one.call is not None and other.call is not None:
            call = self.record(one.call, other.call, one.root)
        # Earlier calls have the arguments that calls have, of which differences are told where they are made.
        quiet = Meeting()
        roots = {
            name: (quiet if name == "done" else self).of(own, other.roots[name], name) or own
            for name, own in one.roots.items()
        }
        self.alike = self.alike and quiet.alike
        return Shapes(one.root, call, {**other.facts, **kinds}, {**other.keys, **one.keys}, roots)

    def record(self, one: Record, other: Record, path: str) -> Record:
        """Return the record of what both can read; a field that only one of them has stays as it is."""
        fields: dict[str, Field] = {}
        for name in dict.fromkeys((*one.fields, *other.fields)):
            mine, yours = one.fields.get(name), other.fields.get(name)
            inner = f"{path}.{name}"
            if mine is None or yours is None:
                self._tell(f"{inner} is known to the {'second' if mine is None else 'first'} policy only")
                fields[name] = mine or yours or Field(Null())
                continue
            if mine.required != yours.required:
                self._tell(f"{inner} may be missing in the {'second' if mine.required else 'first'} policy only")
            fields[name] = Field(self.of(mine.type, yours.type, inner) or mine.type, mine.required or yours.required)
        return Record(fields, one.title)

    def of(self, one: Type, other: Type, path: str) -> Type | None:
        """Return the type of what is of both types, or None where nothing is."""
        found = self._met(one, other, path)
        if found is None:
            self.alike = False
            self._tell(f"{path} is {one} in the first policy and {other} in the second")
        return found

    def _met(self, one: Type, other: Type, path: str) -> Type | None:
        if isinstance(one, Null | Nullable) or isinstance(other, Null | Nullable):
            return self._met_null(one, other, path)
        match one, other:
            case (Flag(), Flag()):
                return one
            case Number(), Number():
                return self._number(one, other, path)
            case Calendar(), Calendar():
                return one if one == other else None  # The same text is another moment on clocks elsewhere.
            case Name(kind, values), Name(_, others):
                if values is None or others is None:
                    return self._name(Name(kind, values if others is None else others), one, other, path)
                return self._name(Name(kind, tuple(own for own in values if own in others)), one, other, path)
            case ListOf(), ListOf():
                return self._list(one, other, path)
            case MapOf(value), MapOf(second_value):
                inner = self.of(value, second_value, f"{path}{{}}")
                return None if inner is None else MapOf(inner)
            case Record(), Record():
                return self.record(one, other, path)
        return None

    def _met_null(self, one: Type, other: Type, path: str) -> Type | None:
        nullable = [isinstance(own, Null | Nullable) for own in (one, other)]
        if nullable[0] != nullable[1]:
            self._tell(f"{path} may be null in the {'first' if nullable[0] else 'second'} policy only")
        values = [own.value if isinstance(own, Nullable) else own for own in (one, other)]
        if any(isinstance(own, Null) for own in values):
            return Null() if all(nullable) else None
        inner = self.of(values[0], values[1], path)
        return Nullable(inner) if inner is not None and all(nullable) else inner

    def _number(self, one: Number, other: Number, path: str) -> Number | None:
        if (one.sort.unit == SECOND) is not (other.sort.unit == SECOND):
            return None
        lows = [own.low for own in (one, other) if own.low is not None]
        highs = [own.high for own in (one, other) if own.high is not None]
        if (one.low, one.high, one.sort) != (other.low, other.high, other.sort):
            self._tell(f"{path} is {_numbers(one)} in the first policy and {_numbers(other)} in the second")
        sort = Amount(one.sort.unit, common_multiple(one.sort.step, other.sort.step))
        return aligned(Number(sort, max(lows, default=None), min(highs, default=None)))

    def _name(self, found: Name, one: Name, other: Name, path: str) -> Name | None:
        if (None if one.values is None else {*one.values}) != (None if other.values is None else {*other.values}):
            self._tell(f"{path} is {one} in the first policy and {other} in the second")
        return None if found.values == () else found

    def _list(self, one: ListOf, other: ListOf, path: str) -> ListOf | None:
        item = self.of(one.item, other.item, f"{path}[]")
        if (one.most, one.least) != (other.most, other.least):
            self._tell(f"{path} has {_lengths(one)} in the first policy and {_lengths(other)} in the second")
        most = min((own.most for own in (one, other) if own.most is not None), default=None)
        least = max(one.least, other.least)
        return None if item is None or (most is not None and least > most) else ListOf(item, most, least)

    def _tell(self, text: str) -> None:
        self.told[text] = None


def _numbers(type: Number) -> str:
    low, high = ("" if own is None else f"{own}" for own in (type.low, type.high))
    return f"{type} {low}..{high}" if low or high else str(type)


def _lengths(type: ListOf) -> str:
    most = "any number of" if type.most is None else f"up to {type.most}"
    return f"from {type.least} {most} items" if type.least else f"{most} items"
