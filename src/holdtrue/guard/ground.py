"""The ground that a policy is built on: its types, names, tables and words, and the faults that were found."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from holdtrue.errors import InputError
from holdtrue.guard.policy_parts import FactKind, Said, Tool
from holdtrue.guard.policy_wire import PolicyWire
from holdtrue.guard.tables import table
from holdtrue.guard.yaml_text import YamlText
from holdtrue.logic.value_sorts import Calendar
from holdtrue.rules.cel import read_cel
from holdtrue.rules.checker import FactKind as FactType
from holdtrue.rules.checker import Scope
from holdtrue.rules.schema import read_schema
from holdtrue.rules.syntax import Expression, Place, RuleError
from holdtrue.rules.type_notation import read_type
from holdtrue.rules.types import Field, Flag, ListOf, MapOf, Nullable, Record, Type

At = tuple[str | int, ...]


class Ground:
    """A `Ground` is what the builders of a policy share. A fault in one part stops no other: all are told at once."""

    def __init__(self, wire: PolicyWire, found: YamlText, folder: Path | None) -> None:
        self.wire, self.folder = wire, folder
        self._found = found
        self.faults: list[tuple[Place, str]] = []
        self.files: list[str] = []
        """The texts of the files that the policy names, which are part of it."""
        self.notes: list[str] = []
        self.moment = Calendar("moment", wire.zone)
        self.tools: dict[str, Tool] = {}
        self.facts: dict[str, FactKind] = {}
        self.said: dict[str, Said] = {}
        self.given: dict[str, tuple[object, Type]] = {}
        self._types: dict[str, Type] = {}
        self._let: dict[str, Expression] = {}

    @contextmanager
    def at(self, path: At, *, whole: bool = False) -> Iterator[None]:
        """Within this, an error becomes a fault of the part at `path`, at its own place unless it is of the `whole`."""
        try:
            yield
        except RuleError as error:
            self.fault(path, error.message, None if whole else error.place)
        except InputError as error:
            self.fault(path, str(error))

    def fault(self, path: At, message: str, place: Place | None = None) -> None:
        """Note a fault, at its own place if it has one."""
        own = place if place is not None and place.line else self.place(path)
        name = ".".join(map(str, path))
        self.faults.append((own, message if message.startswith(name) else f"{name}: {message}"))

    def place(self, path: At) -> Place:
        """Return where a part stands in the file."""
        return self._found.place(path)

    def cel(self, text: str, path: At) -> Expression:
        """Return the expression that stands at a path. Raises `RuleError`, with its place."""
        place = self.place(path)
        return read_cel(self._found.as_written(path, text), place if place.line else None)

    def type(self, data: Any, path: At, title: str = "") -> Type:
        """Return the type that is written at a path: in the short notation, or as `{schema: JSON Schema}`."""
        where = ".".join(map(str, path))
        if isinstance(data, Mapping) and set(data) == {"schema"}:
            found = read_schema(data["schema"], where)
            self.notes += found.notes
            return found.type
        return read_type(data, self._types, where, title)

    def tool(self, name: str) -> Tool:
        """Return a tool. Raises `RuleError` for one that is not there."""
        found = self.tools.get(name)
        if found is None:
            raise RuleError(f"there is no tool {name!r}; there is {', '.join(self.tools) or 'none'}")
        return found

    def scope(self, roots: Mapping[str, Type], *, facts: bool = True) -> Scope:
        """Return the names that an expression may use."""
        kinds = {name: FactType(tuple(own.keys.values()), own.record) for name, own in self.facts.items()}
        return Scope.of(dict(roots), kinds if facts else {}, self.given, self._let)

    def read_types(self) -> None:
        """Read the types that the file declares, each of which may use those before it."""
        for name, data in self.wire.types.items():
            with self.at(("types", name)):
                self._types[name] = self.type(data, ("types", name), name)

    def read_said(self) -> None:
        """Read what people may say: what is no flag or list may be null, for nobody may have said it."""
        for name, own in self.wire.said.items():
            with self.at(("said", name)):
                type = self.type(own.type, ("said", name, "type"), f"said.{name}")
                if not isinstance(type, Flag | ListOf | MapOf | Nullable):
                    type = Nullable(type)
                question = own.ask or f"What does the user say of {name.replace('_', ' ')}?"
                self.said[name] = Said(name, type, own.claim, question)

    def read_tables(self) -> None:
        """Read the tables, which rules find under `tables`."""
        values: dict[str, object] = {}
        fields: dict[str, Field] = {}
        for name, data in self.wire.tables.items():
            with self.at(("tables", name)):
                values[name], type = table(data, ("tables", name), self.type)
                fields[name] = Field(type)
        if fields:
            self.given["tables"] = (values, Record(fields, "tables"))

    def read_named(self) -> None:
        """Read the expressions that have a name of their own."""
        for name, text in self.wire.let.items():
            with self.at(("let", name)):
                self._let[name] = self.cel(text, ("let", name))

    def digest(self) -> str:
        """Return the hash of all that the policy says, and of the files that it names."""
        text = json.dumps(self._found.value, sort_keys=True, default=_plain, ensure_ascii=False)
        return hashlib.sha256("\0".join((text, *self.files)).encode()).hexdigest()


def _plain(value: Any) -> Any:
    model = getattr(value, "model_json_schema", None)
    return model() if model is not None else str(value)
