"""Concrete values for what was not seen, from a witness of a solver: the example that a verdict is shown by."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from fractions import Fraction
from typing import Any

from holdtrue.logic.evaluate import compile_term
from holdtrue.logic.value_sorts import Calendar
from holdtrue.rules import types as ty
from holdtrue.rules.closure import FACTS, Env
from holdtrue.rules.unknowns import FINEST, MOST_EXPANDED, LookUp, Unknowns
from holdtrue.rules.values import NotSeen

_USUAL_DAY = date(2026, 1, 1).toordinal()


class Completion:
    """A `Completion` gives every value that was not seen one that a witness chose, or a usual one."""

    def __init__(self, unknowns: Unknowns, witness: Mapping[str, int]) -> None:
        self._witness = dict(witness)
        self._texts = {code: text for text, code in unknowns.codes.items()}
        for name, kind in unknowns.kinds.items():
            if kind and name in witness:
                self._texts.setdefault(witness[name], f"{kind}-{witness[name]}")
        self.records: dict[tuple[str, tuple[Any, ...]], str] = {}
        """The paths of the records that were asked for and not seen, by their kind and keys."""
        for kind, entries in unknowns.lookups.items():
            for entry in entries:
                self._add_record(kind, entry)

    def _add_record(self, kind: str, entry: LookUp) -> None:
        values = [compile_term(own)(self._witness) for own in entry.keys]
        keys = tuple(self._text(own) if text else own for own, text in zip(values, entry.texts, strict=True))
        known = self.records.setdefault((kind, keys), entry.path)
        if known != entry.path:
            # One record that was asked for in two ways: what is known of it under either path holds.
            for name in [own for own in self._witness if own.startswith(entry.path)]:
                self._witness.setdefault(known + name[len(entry.path) :], self._witness[name])

    def value(self, value: Any) -> Any:
        """Return a value with all in it that was not seen filled in."""
        match value:
            case NotSeen(path, type):
                return self.of_type(type, path)
            case tuple():
                return tuple(self.value(own) for own in value)
            case Mapping():
                return {key: self.value(own) for key, own in value.items()}
        return value

    def of_type(self, type: ty.Type, path: str) -> Any:
        """Return the value of a type at a path."""
        match type:
            case ty.Nullable(inner):
                return None if self._holds(f"{path}#null", True) else self.of_type(inner, path)
            case ty.Null():
                return None
            case ty.Flag():
                return self._holds(path, False)
            case ty.Number():
                return self._number(type, path)
            case Calendar():
                return self._witness.get(path, _usual(type))
            case ty.Name():
                return self._name(type, path)
            case ty.ListOf(item):
                size = self._witness.get(f"{path}#size", type.least)
                return tuple(self.of_type(item, f"{path}[{place}]") for place in range(min(size, MOST_EXPANDED * 10)))
            case ty.MapOf(inner):
                return self._map(inner, path)
            case ty.Record(fields):
                return {
                    name: self.of_type(own.type, f"{path}.{name}")
                    for name, own in fields.items()
                    if own.required or self._holds(f"{path}.{name}#there", f"{path}.{name}" in self._witness)
                }
        raise TypeError(f"no type: {type!r}")

    def env(self, env: Env) -> Env:
        """Return surroundings in which everything is seen."""
        facts = env.get(FACTS)

        def look_up(kind: str, keys: tuple[Any, ...]) -> Any:
            seen = NotSeen("", ty.NULL) if facts is None else facts(kind, keys)
            if isinstance(seen, NotSeen) and (kind, keys) in self.records:
                return self.of_type(seen.type, self.records[kind, keys])
            return self.value(seen)

        return {name: look_up if name == FACTS else self.value(own) for name, own in env.items()}

    def _holds(self, name: str, usual: bool) -> bool:
        return bool(self._witness.get(name, usual))

    def _number(self, type: ty.Number, path: str) -> int | Fraction:
        step = type.sort.step or FINEST
        if path in self._witness:
            value = self._witness[path] * step
        else:
            value = Fraction(0)
            if type.low is not None and value < type.low:
                value = -(-type.low // step) * step
            if type.high is not None and value > type.high:
                value = type.high // step * step
        return value.numerator if value.denominator == 1 else value

    def _name(self, type: ty.Name, path: str) -> str:
        if path in self._witness:
            return self._text(self._witness[path])
        if type.values:
            return type.values[0]
        return f"some {type.kind or 'text'}"

    def _text(self, code: int) -> str:
        return self._texts.get(code, f"text-{code}")

    def _map(self, inner: ty.Type, path: str) -> dict[str, Any]:
        found = {}
        for name in self._witness:
            if name.startswith(f"{path}['") and name.endswith("']#there") and self._witness[name]:
                key = name[len(path) + 2 : -len("']#there")]
                if "['" not in key:
                    found[key] = self.of_type(inner, f"{path}['{key}']")
        return found


def _usual(type: Calendar) -> int:
    if type.kind == "date":
        return _USUAL_DAY
    return 12 * 3600 if type.kind == "time" else (_USUAL_DAY - 1) * 86_400
