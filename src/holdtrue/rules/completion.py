"""Replace values that nothing has shown by those of a solver's witness, so that a verdict has an example."""

from __future__ import annotations

import re
from ast import literal_eval
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from typing import Any

from holdtrue.logic.evaluate import compile_term
from holdtrue.logic.value_sorts import Calendar, int_if_whole
from holdtrue.rules import types as ty
from holdtrue.rules.compilation import FACTS, Env
from holdtrue.rules.local_clocks import offset_at
from holdtrue.rules.texts import CONTAINS, ENDS_WITH, MATCHES, STARTS_WITH
from holdtrue.rules.unknowns import EXISTS, FINEST, MOST_EXPANDED, LookUp, Unknowns, in_steps
from holdtrue.rules.values import NotSeen, field_path

_USUAL_DAY = date(2026, 1, 1).toordinal()
_QUOTED = re.compile(r"""'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*\"""", re.DOTALL)
_TEXT_SIZE = re.compile(r"text_size\((.*)\)", re.DOTALL)
MOST_LETTERS = 20_000
"""Texts of a wanted length are spelled up to this length."""
_SOME = "some"
_TESTS = {own.name: own.values for own in (STARTS_WITH, ENDS_WITH, CONTAINS, MATCHES)}


@dataclass(frozen=True, slots=True)
class TextTest:
    """A `TextTest` is a variable for the result of a test of an unknown text, such as `starts_with(call.id, 'GB')`."""

    variable: str
    operation: str
    subject: str
    literal: str


def text_tests(names: Iterable[str]) -> Iterator[TextTest]:
    """Yield the tests of texts among the variables with these names."""
    for name in names:
        operation, _, rest = name.partition("(")
        subject, _, literal = rest.rpartition(", ")
        if operation in _TESTS and _QUOTED.fullmatch(literal[:-1]):
            yield TextTest(name, operation, subject, literal_eval(literal[:-1]))


Samples = Callable[[str, ty.Type], Sequence[Any]]
"""A function that returns likely values for a path, given their type."""


class Completion:
    """A `Completion` replaces each unseen value by that of a witness, or by a default value.

    `spell` returns the spelling of an unknown text, given its code and default spelling. Different codes have different
    spellings. `samples` returns better defaults. `texts` are the spellings of codes in another completion, which stay.
    """

    def __init__(
        self,
        unknowns: Unknowns,
        witness: Mapping[str, int],
        spell: Callable[[int, str], str] | None = None,
        samples: Samples | None = None,
        texts: Mapping[int, str] | None = None,
    ) -> None:
        self._witness, self._samples = dict(witness), samples
        self._written = frozenset(unknowns.codes.values())
        self._spell = spell
        self.texts = {code: text for text, code in unknowns.codes.items()}
        tests: dict[int, dict[TextTest, bool]] = {}
        for test in text_tests(witness):
            if test.subject in witness:
                tests.setdefault(witness[test.subject], {})[test] = bool(witness[test.variable])
        for name, kind in unknowns.kinds.items():
            if name in witness and (code := witness[name]) not in self.texts:
                before = (texts or {}).get(code)
                same = before is not None and _passes(before, tests.get(code, {}))
                likely = before if same else self._sample(name, tests.get(code, {}))
                if likely or kind or code in tests:
                    self.texts[code] = likely or _text_for(code, kind or "text", tests.get(code, {}))
        sizes = {match[1]: witness[match[0]] for match in map(_TEXT_SIZE.fullmatch, witness) if match}
        self._sizes = {witness.get(path, path): size for path, size in sizes.items()}
        """The lengths of texts by their codes, or by their paths where these have no code."""
        self.records: dict[tuple[str, tuple[Any, ...]], str] = {}
        """The paths of the unseen records that were looked up, by their kind and keys."""
        for kind, entries in unknowns.lookups.items():
            for entry in entries:
                self._add_record(kind, entry)

    def _add_record(self, kind: str, entry: LookUp) -> None:
        values = [compile_term(own)(self._witness) for own in entry.keys]
        keys = tuple(self._text(own) if text else own for own, text in zip(values, entry.texts, strict=True))
        known = self.records.setdefault((kind, keys), entry.path)
        if known != entry.path:
            # Two look-ups found one record, so the values under both paths are its values.
            for name in [own for own in self._witness if own.startswith(entry.path)]:
                self._witness.setdefault(known + name[len(entry.path) :], self._witness[name])

    def _sample(self, path: str, tests: Mapping[TextTest, bool]) -> str | None:
        """Return a likely text that passes and fails `tests` as required, and that no other code has, or None."""
        found = () if self._samples is None else self._samples(path, ty.TEXT)
        taken = self.texts.values()
        return next((str(own) for own in found if own not in taken and _passes(own, tests)), None)

    def value(self, value: Any) -> Any:
        """Return a value with concrete values in place of its unseen parts."""
        match value:
            case NotSeen(path, type):
                return self.of_type(type, path)
            case tuple():
                return tuple(self.value(own) for own in value)
            case Mapping():
                return {key: self.value(own) for key, own in value.items() if self._there(own)}
        return value

    def of_type(self, type: ty.Type, path: str) -> Any:
        """Return a concrete value of a type at a path."""
        if self._samples is not None and path not in self._witness and (found := self._samples(path, type)):
            return found[0]
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
            case ty.Record() if type.may_be_absent and not self._holds(f"{path}#{EXISTS}", True):
                return {}
            case ty.Record(fields):
                markers = {
                    name: NotSeen(field_path(path, name), own.type, None, own.required) for name, own in fields.items()
                }
                return {name: self.value(own) for name, own in markers.items() if self._there(own)}
        raise TypeError(f"no type: {type!r}")

    def env(self, env: Env) -> Env:
        """Return an environment in which every value is seen."""
        facts = env.get(FACTS)

        def look_up(kind: str, keys: tuple[Any, ...]) -> Any:
            seen = NotSeen("", ty.NULL) if facts is None else facts(kind, keys)
            if isinstance(seen, NotSeen) and (kind, keys) in self.records:
                return self.of_type(seen.type, self.records[kind, keys])
            return self.value(seen)

        return {name: look_up if name == FACTS else self.value(own) for name, own in env.items()}

    def _there(self, value: Any) -> bool:
        if not isinstance(value, NotSeen) or value.there:
            return True
        return self._holds(f"{value.path}#there", value.path in self._witness)

    def _holds(self, name: str, usual: bool) -> bool:
        return bool(self._witness.get(name, usual))

    def _number(self, type: ty.Number, path: str) -> int | Fraction:
        step = type.sort.step or FINEST
        if path in self._witness:
            return int_if_whole(self._witness[path] * step)
        low, high = in_steps(type, step)
        value = max(0, low or 0) if high is None else min(max(0, low or 0), high)
        return int_if_whole(value * step)

    def _name(self, type: ty.Name, path: str) -> str:
        if path in self._witness:
            return self._text(self._witness[path])
        if type.values:
            return type.values[0]
        text = _of_size(f"{_SOME} {type.kind or 'text'}", self._sizes.get(path))
        return text if self._spell is None else self._spell(-1, text)

    def _text(self, code: int) -> str:
        text = self.texts.get(code, f"text-{code}")
        text = text if code in self._written else _of_size(text, self._sizes.get(code))
        return text if self._spell is None or code in self._written else self._spell(code, text)

    def _map(self, inner: ty.Type, path: str) -> dict[str, Any]:
        found = {}
        for name in self._witness:
            if name.startswith(f"{path}[") and name.endswith("]#there") and self._witness[name]:
                written = name[len(path) + 1 : -len("]#there")]
                key = self._key(written)
                if key is not None:
                    found[key] = self.of_type(inner, f"{path}[{written}]")
        return found

    def _key(self, written: str) -> str | None:
        """Return the key of a map's entry from its text in a path: a quoted text, or the name of a variable."""
        if written in self._witness:
            return self._text(self._witness[written])
        return literal_eval(written) if _QUOTED.fullmatch(written) else None


def _of_size(text: str, size: int | None) -> str:
    """Return a text with so many characters, the last ones of a longer one. None leaves its length."""
    return text if size is None else text.ljust(min(size, MOST_LETTERS), ".")[max(0, len(text) - size) :]


def _text_for(code: int, kind: str, tests: Mapping[TextTest, bool]) -> str:
    """Return a text, different for each `code`, that passes and fails `tests` as required, if one is found."""
    wanted = [test for test, passed in tests.items() if passed]
    start, middle, end = (
        max((own.literal for own in wanted if own.operation == operation), key=len, default="")
        for operation in ("starts_with", "contains", "ends_with")
    )
    texts = [f"{start}{name}-{code}{middle}{end}" for name in ("" if start else kind, f"text-{kind}", "", "x")]
    return next((own for own in texts if _passes(own, tests)), texts[0])


def _passes(text: str, tests: Mapping[TextTest, bool]) -> bool:
    return all(_TESTS[test.operation](text, test.literal) is passed for test, passed in tests.items())


def is_usual(value: Any) -> bool:
    """Return whether a value is the default text of an unknown text."""
    return isinstance(value, str) and value.startswith(f"{_SOME} ")


def _usual(type: Calendar) -> int:
    if type.kind == "date":
        return _USUAL_DAY
    if type.kind == "time":
        return 12 * 3600
    midnight = (_USUAL_DAY - 1) * 86_400
    return midnight - offset_at(type.zone, midnight)
