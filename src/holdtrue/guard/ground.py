"""The ground that a policy is built on: its types, names, tables and words, and the faults that were found."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from holdtrue.errors import InputError, SettingsError
from holdtrue.guard.policy_parts import FactKind, Said, Tool
from holdtrue.guard.policy_wire import PolicyWire
from holdtrue.guard.tables import table
from holdtrue.guard.yaml_text import YamlText
from holdtrue.logic.value_sorts import Calendar
from holdtrue.rules.cel import read_cel
from holdtrue.rules.checker import FactKind as FactType
from holdtrue.rules.checker import Scope
from holdtrue.rules.paths import instead
from holdtrue.rules.schema import read_schema
from holdtrue.rules.syntax import Constant, Expression, Ident, Index, Invoke, Place, RuleError, Select
from holdtrue.rules.type_notation import read_type
from holdtrue.rules.types import Field, Flag, ListOf, MapOf, Nullable, Record, Type

At = tuple[str | int, ...]
ALL = "*"
"""Stands for every name of a part."""
_PARTS = {"rules": "rule", "limits": "limit", "obligations": "obligation", "not_checked": "what is not checked"}


class Following(RuleError):
    """A fault that follows from one in another part, which is told already."""


class Unreadable(RuleError):
    """A text is no expression."""


class Broken:
    """A `Broken` knows the names that a policy declares and that could not be built: what uses them is not to blame."""

    def __init__(self, left_out: Collection[At] = ()) -> None:
        self._names: set[tuple[str, str]] = set()
        for path in left_out:
            self.note(path)

    def note(self, path: At) -> None:
        """Note that the part at a path could not be built, if others may name it."""
        match path:
            case ("tools", "definitions", str(name)) | ("answers", str(name)):
                self.add("tools", name)
            case ("tools",) | ("answers",) | ("tools", "file" | "definitions", *_):
                self.add("tools", ALL)
            case ("tools", "types"):
                self.add("call", ALL)
            case ("tools", "types", str(), str(argument)):
                self.add("call", re.split(r"[.\[]", argument)[0])
            case ("tools", "types", *_):
                self.add("call", ALL)
            case ("types" | "tables" | "said" | "let" | "facts" as part,):
                self.add(part, ALL)
            case ("types" | "tables" | "said" | "let" | "facts" as part, str(name)):
                self.add(part, name)

    def add(self, part: str, name: str) -> None:
        """Note one name of a part."""
        self._names.add((part, name))

    def has(self, part: str, name: str) -> bool:
        """Return whether a name of a part is known to be broken."""
        return (part, name) in self._names or (part, ALL) in self._names

    def in_type(self, data: Any) -> bool:
        """Return whether a written type names a type that is broken."""
        if isinstance(data, str):
            return any(self.has("types", word) for word in re.findall(r"[^\W\d][\w-]*", data))
        own = data.values() if isinstance(data, Mapping) else data if isinstance(data, list) else ()
        return any(map(self.in_type, own))

    def in_expression(self, expression: Expression, named: Mapping[str, Expression]) -> bool:
        """Return whether an expression uses what is broken, if only through the names that others have."""
        seen: set[str] = set()
        left: list[Any] = [expression]
        while left:
            own = left.pop()
            if isinstance(own, tuple):
                left += own
            elif self._is_broken(own):
                return True
            elif isinstance(own, Ident):
                if own.name in named and own.name not in seen:
                    seen.add(own.name)
                    left.append(named[own.name])
            else:
                left += [getattr(own, name) for name in getattr(own, "__slots__", ()) if name != "place"]
        return False

    def _is_broken(self, own: Any) -> bool:
        match own:
            case Ident(name):
                return ("let", name) in self._names
            case Select(Ident(root), name) | Index(Ident(root), Constant(str(name))):
                part = {"done": "tools", "answer": "call"}.get(root, root)
                return part in ("tables", "said", "tools", "call") and self.has(part, name)
            case Invoke(name, _, Ident("facts")):
                return self.has("facts", name)
        return False


class Ground:
    """A `Ground` is what the builders of a policy share. A fault in one part stops no other: all are told at once.

    `left_out` are the parts of the file that have a fault of their own already, and are not in the wire.
    """

    def __init__(self, wire: PolicyWire, found: YamlText, folder: Path | None, left_out: Collection[At] = ()) -> None:
        self.wire, self.folder = wire, folder
        self._found = found
        self.broken = Broken(left_out)
        self._doubtful = False
        self._texts: list[tuple[int, int, At]] = []
        """The line and column at which each expression begins, and its path."""
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
        self._read: list[str] = []

    @contextmanager
    def at(self, path: At, *, whole: bool = False, named: At | None = None) -> Iterator[None]:
        """Within this, an error becomes a fault of the part at `path`, at its own place unless it is of the `whole`.

        An error that follows from a fault in another part is not told. `named` is the path of the part that cannot be
        built then, where it is another.
        """
        doubtful = self._doubtful
        try:
            yield
        except SettingsError:
            raise
        except RuleError as error:
            if isinstance(error, Unreadable) or not (self._doubtful or isinstance(error, Following)):
                self.fault(path, error.message, None if whole else error.place)
            self.broken.note(named or path)
        except InputError as error:
            self.fault(path, str(error))
            self.broken.note(named or path)
        finally:
            self._doubtful = doubtful

    def fault(self, path: At, message: str, place: Place | None = None) -> None:
        """Note a fault, at its own place if it has one."""
        own = place if place is not None and place.line else self.place(path)
        name, dotted = self.name(path), ".".join(map(str, path))
        if (
            place is not None
            and place.line
            and (before := [text for text in self._texts if text[:2] <= (place.line, place.column)])
        ):
            line, _, text = max(before, key=lambda text: text[:2])
            if text[0] == "let":  # A rule that uses a name is not to blame for it.
                name = self.name(text)
            if not self._found.places:
                within = f"line {place.line - line + 1}, " if place.line > line else ""
                name, own = f"{self.name(text)}, {within}column {place.column}", Place()
        rest = message.removeprefix(dotted).removeprefix(": ") if message.startswith(f"{dotted}: ") else message
        self.note_fault(own, rest if rest.startswith(dotted) else f"{name}: {rest}")

    def note_fault(self, place: Place, text: str) -> None:
        """Note a fault, once."""
        if (place, text) not in self.faults:
            self.faults.append((place, text))

    def name(self, path: At) -> str:
        """Return what messages call the part at a path: rules by their id, other parts by their path."""
        return part_name(self._found, path)

    def place(self, path: At) -> Place:
        """Return where a part stands in the file."""
        return self._found.place(path)

    def key_place(self, path: At) -> Place:
        """Return where the key of a part stands in the file."""
        return self._found.key_place(path)

    def cel(self, text: str, path: At) -> Expression:
        """Return the expression that stands at a path. Raises `RuleError`, with its place."""
        place = self.place(path)
        if not place.line:  # Made in Python: each text has lines of its own, by which it is found again.
            place = Place(1 + sum(1 + own.count("\n") for own in self._read), 1)
            self._read.append(text)
        self._texts.append((place.line, place.column, path))
        try:
            found = read_cel(self._found.as_written(path, text), place)
        except RuleError as error:
            raise Unreadable(f"{error.message}{_hint(text)}", error.place) from error
        self._doubtful = self._doubtful or self.broken.in_expression(found, self._let)
        return found

    def type(self, data: Any, path: At, title: str = "", *, loose: bool = False) -> Type:
        """Return the type that is written at a path: in the short notation, or as `{schema: JSON Schema}`."""
        where = ".".join(map(str, path))
        if isinstance(data, Mapping) and set(data) == {"schema"}:
            found = read_schema(data["schema"], where, loose=loose)
            self.notes += found.notes
            return found.type
        try:
            return read_type(data, self._types, where, title)
        except RuleError as error:
            if self.broken.in_type(data):
                raise Following(error.message) from error
            raise

    def tool(self, name: str) -> Tool:
        """Return a tool. Raises `RuleError` for one that is not there."""
        found = self.tools.get(name)
        if found is None:
            error = Following if self.broken.has("tools", name) else RuleError
            raise error(f"there is no tool {name!r}; {instead(name, self.tools)}")
        return found

    def kind(self, name: str) -> FactKind:
        """Return a kind of facts. Raises `RuleError` for one that is not there."""
        found = self.facts.get(name)
        if found is None:
            error = Following if self.broken.has("facts", name) else RuleError
            raise error(f"there are no facts of kind {name!r}; {instead(name, self.facts)}")
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


_WORDS = {"and": "&&", "or": "||", "not": "!"}
_QUOTED = re.compile(r"\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*'")


def _hint(text: str) -> str:
    """Return what to write instead of what other languages have in the place of CEL's signs."""
    bare = _QUOTED.sub("''", text)
    found = [f"{sign} for {word!r}" for word, sign in _WORDS.items() if re.search(rf"(?<![\w.]){word}(?!\w)", bare)]
    if re.search(r"(?<![=!<>])=(?!=)", bare):
        found.append("== for '='")
    return f"; write {', '.join(found)}" if found else ""


def part_name(found: YamlText, path: At) -> str:
    """Return what messages call the part at a path: rules by their id, other parts by their path in the file."""
    path = found.origin(path)
    match path:
        case ("rules" | "limits" | "obligations" | "not_checked" as part, int(place), *rest):
            items = found.original.get(part) if isinstance(found.original, Mapping) else None
            item = items[place] if isinstance(items, list) and place < len(items) else None
            id = item.get("id") if isinstance(item, Mapping) else None
            if isinstance(id, str) and id:
                return ", ".join((f"{_PARTS[part]} {id!r}", *((".".join(map(str, rest)),) if rest else ())))
    return ".".join(map(str, path))


def _plain(value: Any) -> Any:
    model = getattr(value, "model_json_schema", None)
    return model() if model is not None else str(value)
