"""A `PolicyDraft` is a policy under construction: its types, tools, tables, statements and faults."""

from __future__ import annotations

import hashlib
import inspect
import json
import math
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

from holdtrue.errors import InputError, SettingsError
from holdtrue.guard.policy_parts import FactKind, Said, Tool
from holdtrue.guard.policy_wire import PolicyWire
from holdtrue.guard.yaml_text import YamlText
from holdtrue.logic.value_sorts import NUMBER, WHOLE, Amount, Calendar, int_if_whole
from holdtrue.rules.cel import read_cel
from holdtrue.rules.checker import FactKind as FactType
from holdtrue.rules.checker import Scope
from holdtrue.rules.function_definitions import definition_of
from holdtrue.rules.paths import instead
from holdtrue.rules.schema import read_schema
from holdtrue.rules.syntax import Expression, Place, RuleError
from holdtrue.rules.type_lattice import unified
from holdtrue.rules.type_notation import read_type
from holdtrue.rules.types import FLAG, NULL, TEXT, Field, Flag, ListOf, MapOf, Nullable, Number, Record, Type
from holdtrue.rules.values import Reader

At = tuple[str | int, ...]
_PARTS = {"rules": "rule", "limits": "limit", "obligations": "obligation", "not_checked": "what is not checked"}


class PolicyDraft:
    """A `PolicyDraft` collects the parts of a policy while they are read. A fault in one part stops no other."""

    def __init__(self, wire: PolicyWire, found: YamlText, folder: Path | None) -> None:
        self.wire, self.folder = wire, folder
        self.text = found
        self._texts: list[tuple[int, int, At]] = []
        """The line, column and path of each expression."""
        self.faults: list[tuple[Place, str]] = []
        self.files: list[str] = []
        """The texts of the files that the policy names. They count as parts of it."""
        self.notes: list[str] = []
        self.moment = Calendar("moment", wire.zone)
        self.tools: dict[str, Tool] = {}
        self.facts: dict[str, FactKind] = {}
        self.said: dict[str, Said] = {}
        self.given: dict[str, tuple[object, Type]] = {}
        self._types: dict[str, Type] = {}
        self.named: dict[str, Expression] = {}
        self._read: list[str] = []

    @contextmanager
    def at(self, path: At, *, whole: bool = False) -> Iterator[None]:
        """Turn an error inside the block into a fault of the part at `path`.

        If `whole` is true, the fault gets the place of the whole part, and not that of the error inside.
        """
        try:
            yield
        except SettingsError:
            raise
        except RuleError as error:
            self.fault(path, error.message, None if whole else error.place)
        except InputError as error:
            self.fault(path, str(error))

    def fault(self, path: At, message: str, place: Place | None = None) -> None:
        """Note a fault of the part at `path`. Its place is `place` if that is known, and otherwise the part's place."""
        own = place if place is not None and place.line else self.text.place(path)
        name, dotted = part_name(self.text, path), ".".join(map(str, path))
        if (
            place is not None
            and place.line
            and (before := [text for text in self._texts if text[:2] <= (place.line, place.column)])
        ):
            line, _, text = max(before, key=lambda text: text[:2])
            if text[0] == "let":  # The fault is in the named expression, not in the rule that uses it.
                name = part_name(self.text, text)
            if not self.text.places:
                within = f"line {place.line - line + 1}, " if place.line > line else ""
                name, own = f"{part_name(self.text, text)}, {within}column {place.column}", Place()
        rest = message.removeprefix(dotted).removeprefix(": ") if message.startswith(f"{dotted}: ") else message
        self.note_fault(own, rest if rest.startswith(dotted) else f"{name}: {rest}")

    def note_fault(self, place: Place, text: str) -> None:
        """Note a fault, once."""
        if (place, text) not in self.faults:
            self.faults.append((place, text))

    def cel(self, text: str, path: At) -> Expression:
        """Return the parsed expression of a path. Raises `RuleError`, with the place."""
        place = self.text.place(path)
        if not place.line:  # Made in Python: each text gets its own line numbers, which identify it later.
            place = Place(1 + sum(1 + own.count("\n") for own in self._read), 1)
            self._read.append(text)
        self._texts.append((place.line, place.column, path))
        try:
            return read_cel(self.text.as_written(path, text), place)
        except RuleError as error:
            raise RuleError(f"{error.message}{_hint(text)}", error.place) from error

    def type(self, data: Any, path: At, title: str = "", *, loose: bool = False) -> Type:
        """Return the type at a path, in the short notation or as `{schema: JSON Schema}`."""
        where = ".".join(map(str, path))
        if isinstance(data, Mapping) and set(data) == {"schema"}:
            found = read_schema(data["schema"], where, loose=loose)
            self.notes += found.notes
            return found.type
        return read_type(data, self._types, where, title)

    def tool(self, name: str) -> Tool:
        """Return a tool. Raises `RuleError` if it is unknown."""
        found = self.tools.get(name)
        if found is None:
            raise RuleError(f"there is no tool {name!r}; {instead(name, self.tools)}")
        return found

    def kind(self, name: str) -> FactKind:
        """Return a kind of facts. Raises `RuleError` if it is unknown."""
        found = self.facts.get(name)
        if found is None:
            raise RuleError(f"there are no facts of kind {name!r}; {instead(name, self.facts)}")
        return found

    def scope(self, roots: Mapping[str, Type], *, facts: bool = True) -> Scope:
        kinds = {name: FactType(tuple(own.keys.values()), own.record) for name, own in self.facts.items()}
        return Scope(dict(roots), kinds if facts else {}, self.given, self.named)

    def read_types(self) -> None:
        """Read the declared types. Each may use the types before it."""
        for name, data in self.wire.types.items():
            with self.at(("types", name)):
                self._types[name] = self.type(data, ("types", name), name)

    def read_said(self) -> None:
        """Read the statements that users may make. Types other than flags and lists become nullable."""
        for name, own in self.wire.said.items():
            with self.at(("said", name)):
                type = self.type(own.type, ("said", name, "type"), f"said.{name}")
                if not isinstance(type, Flag | ListOf | MapOf | Nullable):
                    type = Nullable(type)
                question = own.ask or f"What does the user say of {name.replace('_', ' ')}?"
                self.said[name] = Said(name, type, own.claim, question, own.ask is not None)

    def read_tables(self) -> None:
        """Read the tables, which rules read as `tables.NAME`."""
        values: dict[str, object] = {}
        fields: dict[str, Field] = {}
        for name, data in self.wire.tables.items():
            with self.at(("tables", name)):
                values[name], type = table(data, ("tables", name), self.type)
                fields[name] = Field(type)
        if fields:
            self.given["tables"] = (values, Record(fields, "tables"))

    def read_named(self) -> None:
        for name, text in self.wire.let.items():
            with self.at(("let", name)):
                self.named[name] = self.cel(text, ("let", name))

    def digest(self) -> str:
        """Return the hash of the policy and of the files that it names."""
        text = json.dumps(self.text.value, sort_keys=True, default=_plain, ensure_ascii=False)
        return hashlib.sha256("\0".join((text, *self.files)).encode()).hexdigest()


_WORDS = {"and": "&&", "or": "||", "not": "!"}
_QUOTED = re.compile(r"\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*'")


def _hint(text: str) -> str:
    """Return a hint that names CEL's operators for signs and words of other languages in a text."""
    bare = _QUOTED.sub("''", text)
    found = [f"{sign} for {word!r}" for word, sign in _WORDS.items() if re.search(rf"(?<![\w.]){word}(?!\w)", bare)]
    if re.search(r"(?<![=!<>])=(?!=)", bare):
        found.append("== for '='")
    return f"; write {', '.join(found)}" if found else ""


def part_name(found: YamlText, path: At) -> str:
    """Return the name of the part at a path for messages: rules by their id, other parts by their path."""
    match path:
        case ("rules" | "limits" | "obligations" | "not_checked" as part, int(place), *rest):
            items = found.value.get(part) if isinstance(found.value, Mapping) else None
            item = items[place] if isinstance(items, list) and place < len(items) else None
            id = item.get("id") if isinstance(item, Mapping) else None
            if isinstance(id, str) and id:
                return ", ".join((f"{_PARTS[part]} {id!r}", *((".".join(map(str, rest)),) if rest else ())))
    return ".".join(map(str, path))


def _plain(value: Any) -> Any:
    if inspect.isroutine(value):
        return definition_of(value)
    model = getattr(value, "model_json_schema", None)
    return model() if model is not None else str(value)


def table(data: Any, path: At, read_type: Callable[..., Type]) -> tuple[object, Type]:
    """Return a table's values and its type.

    A table is written as plain values, or as `{type: map of USD(2), entries: {...}}` with its type and perhaps its
    `sentences`.
    """
    if isinstance(data, Mapping) and {"type", "entries"} <= set(data) <= {"type", "entries", "sentences"}:
        type = read_type(data["type"], (*path, "type"))
        return Reader().read(data["entries"], type, ".".join(map(str, path))), type
    return _value(data, path)


def _value(data: Any, path: At) -> tuple[object, Type]:
    where = ".".join(map(str, path))
    match data:
        case bool():
            return data, FLAG
        case int():
            return data, Number(WHOLE, bare=True)
        case Decimal() | float() | Fraction():
            if not isinstance(data, Fraction) and not math.isfinite(data):
                raise RuleError(f"{where}: {data} is no number")
            exact = Fraction(str(data)) if not isinstance(data, Fraction) else data
            return int_if_whole(exact), Number(Amount(NUMBER.unit, Fraction(1, exact.denominator)), bare=True)
        case str():
            return data, TEXT
        case None:
            return None, NULL
        case list() | tuple():
            read = [_value(own, (*path, place)) for place, own in enumerate(data)]
            return tuple(own for own, _ in read), ListOf(_common([type for _, type in read], where))
        case Mapping():
            entries = {str(key): _value(own, (*path, str(key))) for key, own in data.items()}
            type = _common([own for _, own in entries.values()], where)
            return {key: own for key, (own, _) in entries.items()}, MapOf(type)
    raise RuleError(f"{where}: a table has numbers, texts, flags, lists and tables, not {data!r:.60}")


def _common(types: list[Type], where: str) -> Type:
    found: Type = NULL
    for place, own in enumerate(types):
        joined = own if place == 0 else unified(found, own)
        if joined is None:
            raise RuleError(f"{where}: the entries of a table have to be of one type, and are {found} and {own}")
        found = joined
    return found
