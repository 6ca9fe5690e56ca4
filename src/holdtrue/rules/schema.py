"""Read types from JSON Schema (draft 2020-12, and the variants of OpenAPI, MCP and pydantic).

- A schema that no type expresses exactly gets the nearest wider type, and a note. For example, no type has a pattern.
- A union of objects has the fields of all members; a field that some member lacks is optional.
- A field is `unread` if no type is wide enough: for a tuple and for anything. A note names the field, and a rule about
  it is an error.
- A definition that contains itself is read `DEEP` times within itself, and deeper it is unread.
- A union of number and text, as pydantic writes decimals, is a number; values that are texts are not read. The same
  holds for texts that the type of their format cannot read.
- A `date-time` has a zone, as RFC 3339 requires.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from holdtrue.logic.units import ONE
from holdtrue.rules.paths import ITEM, VALUE, below, check_text, instead, shortened
from holdtrue.rules.schema_keywords import (
    Pointer,
    check_own_id,
    kinds_of,
    parts_of,
    pointer_of,
    read_listed,
    read_number,
    read_text,
    required_names,
    says,
    says_itself,
    size_of,
)
from holdtrue.rules.syntax import DEEPEST, RuleError
from holdtrue.rules.type_lattice import narrower, wider
from holdtrue.rules.type_notation import MOST_PARTS
from holdtrue.rules.types import (
    FLAG,
    NULL,
    TEXT,
    Field,
    ListOf,
    MapOf,
    Name,
    Null,
    Nullable,
    Number,
    Record,
    Type,
    Unread,
    types_within,
)
from holdtrue.rules.values import MOST_ITEMS

_SAYING_NO_NAMES = {"type", "title", "description", "additionalProperties"}
_ANYWHERE = ("not", "if", "anyOf", "oneOf")
_UNCHECKED: Mapping[str, tuple[str, ...]] = {
    "string": ("pattern", "minLength", "maxLength", "contentEncoding"),
    "array": ("uniqueItems", "contains", "minContains", "maxContains", "unevaluatedItems"),
    "object": (
        *("minProperties", "maxProperties", "propertyNames", "patternProperties"),
        *("dependentRequired", "dependentSchemas", "dependencies"),
    ),
}
"""For each JSON type, the keywords that the types of rules do not express; a note names them."""


DEEP, MOST_DEEP_PARTS = 3, 2_000
"""A definition is read so often within itself, but only once if the schema would then have over 2,000 parts."""
MOST_FAULTS = 20


class NothingRead(RuleError):
    """A valid schema has no type: it allows anything, or values of several types."""


class _TooLarge(RuleError):
    """A schema is too large, or nested too deep, to be read further."""


@dataclass(frozen=True)
class Schema:
    """A `Schema` is the type of a JSON Schema, with `notes` on the constraints that the type omits."""

    type: Type
    notes: tuple[str, ...]


def read_schema(schema: object, where: str, *, loose: bool = False) -> Schema:
    """Return the type of a JSON Schema, given as Python data; paths in notes and messages begin with `where`.

    Notes on a definition (`$defs`) appear once, under its name. `loose` is for values that are also validated: it marks
    fields whose schema allows texts that their type cannot read. Raises `RuleError` with all faults of an invalid
    schema, and `NothingRead` for a schema that has no type.
    """
    try:
        reader = _SchemaReader(schema, where, loose, DEEP)
        found = reader.read(schema, where, 0)
    except _TooLarge:
        reader = _SchemaReader(schema, where, loose, 1)
        found = reader.read(schema, where, 0)
    if faults := [*reader.faults]:
        more = f"\n{where}: {len(faults) - MOST_FAULTS:,} more faults" if len(faults) > MOST_FAULTS else ""
        raise RuleError("\n".join(faults[:MOST_FAULTS]) + more)
    if isinstance(found, Unread):
        raise NothingRead(f"{where}: {found.why}, so it has no type")
    unread = [
        f"{below(own.title, name)}: {missing.why}; it is not read, and rules cannot speak of it"
        for own in types_within(found)
        if isinstance(own, Record)
        for name, missing in own.unread.items()
    ]
    return Schema(found, tuple(dict.fromkeys([*unread, *reader.notes])))


class _SchemaReader:
    def __init__(self, root: object, where: str, marks_loose: bool, deep: int) -> None:
        self.notes: dict[str, None] = {}
        self.faults: dict[str, None] = {}
        self._root, self._where, self._marks_loose, self._deep = root, where, marks_loose, deep
        self._parts = 0
        self._known: dict[tuple[Pointer, ...], tuple[Type | Unread, bool]] = {}
        self._open: list[Pointer] = [()]
        self._targets: dict[Pointer, set[Pointer]] = {}
        self._loose = False  # Whether the present schema allows texts that its type cannot read.

    def read(self, schema: object, path: str, depth: int) -> Type | Unread:
        """Return the type of a schema, which is unread if it has faults."""
        self._count(1, path)
        if depth > DEEPEST and self._deep == 1 and len(self._open) > 1:
            return Unread(f"its references lead deeper than {DEEPEST}")
        if depth > DEEPEST:
            raise _TooLarge(f"{path}: the schema is nested deeper than {DEEPEST}")
        try:
            return self._read(schema, path, depth)
        except _TooLarge:
            raise
        except RuleError as error:
            self.faults[error.message] = None
            return Unread("its schema has faults")

    def _read(self, schema: object, path: str, depth: int) -> Type | Unread:
        if schema is True:
            return Unread("the schema allows anything")
        if schema is False:
            return Unread("the schema allows nothing here")
        if not isinstance(schema, Mapping):
            raise RuleError(f"{path}: a schema is an object, not {shortened(schema)}")
        if schema is not self._root:
            check_own_id(schema, path)
        found = self._by_keyword(schema, path, depth)
        if schema.get("nullable") is True and not isinstance(found, Unread | Nullable | Null):
            return Nullable(found)  # OpenAPI 3.0 has this keyword.
        return found

    def _apart(self, schema: object, path: str, depth: int) -> tuple[Type | Unread, bool]:
        """Return a type, and whether the schema allows texts that the type cannot read."""
        outer, self._loose = self._loose, False
        found, loose = self.read(schema, path, depth), self._loose
        self._loose = outer
        return found, loose

    def _by_keyword(self, schema: Mapping[str, Any], path: str, depth: int) -> Type | Unread:
        if "$ref" in schema:
            self._note_unchecked(schema, (*_ANYWHERE, "allOf", "properties", "required", "enum"), path)
            return self._reference(schema["$ref"], path, depth)
        if "allOf" in schema:
            return self._all_of(schema, path, depth)
        for key in [own for own in ("anyOf", "oneOf") if own in schema]:
            if not says_itself(schema):
                self._note_unchecked(schema, tuple(own for own in (*_ANYWHERE, "required") if own != key), path)
                return self._one_of(schema[key], key, path, depth)
            if "properties" in schema and (union := self._union_beside(schema[key], key, path, depth)) is not None:
                rest = self.read({name: own for name, own in schema.items() if name != key}, path, depth)
                return rest if isinstance(rest, Unread) else narrower(rest, union) or rest
        kinds = kinds_of(schema, path)
        if "const" in schema or "enum" in schema:
            self._note_unchecked(schema, _ANYWHERE, path)
            values = [schema["const"]] if "const" in schema else schema["enum"]
            self._count(len(values) if isinstance(values, list | tuple) else 1, path)
            return read_listed(values, kinds, path, self._note_at(path))
        if not kinds:
            return Unread("the schema does not say what it is")
        return self._combined([self._of_kind(schema, kind, path, depth) for kind in kinds], path)

    def _of_kind(self, schema: Mapping[str, Any], kind: str, path: str, depth: int) -> Type | Unread:
        self._note_unchecked(schema, (*_UNCHECKED.get(kind, ()), *_ANYWHERE), path)
        match kind:
            case "null":
                return NULL
            case "boolean":
                return FLAG
            case "string":
                text = read_text(schema, path, self._note_at(path))
                self._loose |= text != TEXT
                return text
            case "integer" | "number":
                return read_number(schema, path, self._note_at(path), whole=kind == "integer")
            case "array":
                return self._array(schema, path, depth)
        return self._object(schema, path, depth)

    # Objects and arrays

    def _object(self, schema: Mapping[str, Any], path: str, depth: int) -> Type | Unread:
        properties, others = schema.get("properties"), schema.get("additionalProperties")
        if properties is not None and not isinstance(properties, Mapping):
            raise RuleError(f"{path}: properties are schemas by name, not {shortened(properties)}")
        if not properties and isinstance(others, Mapping) and others:
            if schema.get("patternProperties"):
                return Unread("its fields are of several types by their names")
            value = self.read(others, path + VALUE, depth + 1)
            return value if isinstance(value, Unread) else MapOf(value)
        if properties is None and others is not False:
            return Unread("the schema does not list its fields", is_open=schema.keys() <= _SAYING_NO_NAMES)
        required = required_names(schema, path)
        if len(properties or ()) + len(required) > 2 * MOST_ITEMS:
            raise RuleError(f"{path}: an object has {MOST_ITEMS:,} fields at most")
        fields: dict[str, Field] = {}
        unread: dict[str, Unread] = {}
        for name, own in (properties or {}).items():
            if not isinstance(name, str):
                raise RuleError(f"{path}: the name of a field is a text, not {shortened(name)}")
            check_text(name, path)
            found, loose = self._apart(own, below(path, name), depth + 1)
            if isinstance(found, Unread):
                unread[name] = replace(found, required=name in required)
            else:
                fields[name] = Field(found, name in required, loose=loose and self._marks_loose)
        for name in required:
            if name not in fields and name not in unread:
                unread[name] = Unread("it is required, and the schema does not say what it is")
        if isinstance(others, Mapping) and others:
            self._note(path, "fields with other names are not read")
        return Record(fields, path, unread)

    def _array(self, schema: Mapping[str, Any], path: str, depth: int) -> Type | Unread:
        items = schema.get("items")
        if schema.get("prefixItems") or isinstance(items, list | tuple):
            return Unread("it is a tuple, whose items are of several types by their place")
        least, most = size_of(schema, "minItems", path), size_of(schema, "maxItems", path)
        if most is not None and (least or 0) > most:
            raise RuleError(f"{path}: no list has at least {least} and at most {most} items")
        own = self.read(True if items is None else items, path + ITEM, depth + 1)
        return replace(own, why=f"of its items {own.why}") if isinstance(own, Unread) else ListOf(own, most, least or 0)

    # Definitions and schemas made of others

    def _reference(self, reference: object, path: str, depth: int) -> Type | Unread:
        pointer = pointer_of(reference, path)
        if pointer is None:
            return Unread(f"its reference, {shortened(reference)}, is no path such as '#/$defs/day'")
        name = pointer[-1] if pointer else self._where
        if self._open.count(pointer) >= self._deep:
            return Unread(f"it leads back to {name}, which is read {self._deep} deep")
        target = self._find(pointer, path)
        around = [] if self._deep == 1 else [own for own in self._open if own in self._reached(pointer)]
        key = (pointer, *around)
        if key not in self._known:
            self._open.append(pointer)
            self._known[key] = self._apart(target, name, depth + 1)
            self._open.pop()
        found, loose = self._known[key]
        self._loose |= loose
        return found

    def _reached(self, pointer: Pointer) -> set[Pointer]:
        """Return the definitions that a definition leads to, and all that these lead to."""
        found, left = set[Pointer](), [pointer]
        while left:
            if (own := left.pop()) not in self._targets:
                with suppress(RuleError):
                    named = [part for key, part in parts_of(self._find(own, "")) if key == "$ref"]
                    self._targets[own] = {to for part in named if (to := pointer_of(part, "")) is not None}
            more = self._targets.setdefault(own, set()) - found
            found |= more
            left += more
        return found

    def _find(self, pointer: tuple[str, ...], path: str) -> object:
        found = self._root
        for place, step in enumerate(pointer):
            if isinstance(found, Mapping) and step in found:
                found = found[step]
            elif isinstance(found, list) and step.isascii() and step.isdigit() and int(step[:6]) < len(found):
                found = found[int(step[:6])]
            else:
                known = [own for own in found if isinstance(own, str)] if isinstance(found, Mapping) else []
                missing = "/".join(("#", *pointer[: place + 1]))
                raise RuleError(f"{path}: the schema has no {shortened(missing)}; {instead(step, known)}")
        return found

    def _one_of(self, members: object, key: str, path: str, depth: int) -> Type | Unread:
        if not isinstance(members, list | tuple) or not members:
            raise RuleError(f"{path}: {key} is a list of schemas, not {shortened(members)}")
        found = [self.read(own, path, depth + 1) for own in members]
        others = [own for own in found if not isinstance(own, Null)]
        if len(others) == 2 and TEXT in others:
            number = others[1 - others.index(TEXT)]
            if isinstance(number, Number) and number.sort.unit == ONE and not number.whole:
                self._note(path, "it may be a text in place of a number, and only a number is read")
                found.remove(TEXT)
                self._loose = True
        return self._combined(found, path)

    def _union_beside(self, members: object, key: str, path: str, depth: int) -> Record | None:
        """Return the type of a union next to `properties` if it is a record, and else None."""
        kept = dict(self.notes), dict(self._known), [*self._open], self._loose, dict(self.faults)
        with suppress(RuleError):  # The validator reports an invalid schema.
            found = self._one_of(members, key, path, depth)
            if isinstance(found, Record) and self.faults == kept[-1]:
                return found
        self.notes, self._known, self._open, self._loose, self.faults = kept
        return None

    def _all_of(self, schema: Mapping[str, Any], path: str, depth: int) -> Type | Unread:
        members = schema["allOf"]
        if not isinstance(members, list | tuple) or not members:
            raise RuleError(f"{path}: allOf is a list of schemas, one at least, not {members or '[]'!r:.60}")
        own = {key: value for key, value in schema.items() if key != "allOf"}
        saying = [part for part in (*members, own) if not isinstance(part, Mapping) or says(part)]
        if len(saying) <= len(members):
            self._note_unchecked(own, (*_ANYWHERE, "required") if own not in saying else (), path)
        if len(saying) < len(members):
            self._note(path, "a part of allOf is no part of its type")
        found = [self.read(part, path, depth + 1) for part in saying or members[:1]]
        if len(found) == 1:
            return found[0]
        joined: Type | Unread = found[0]
        for part in found[1:]:
            together = None if isinstance(joined, Unread) or isinstance(part, Unread) else narrower(joined, part)
            joined = together or Unread("its parts (allOf) are of types that do not go together")
        return joined

    def _combined(self, members: list[Type | Unread], path: str) -> Type | Unread:
        """Return the nearest type that contains all members, with a note if it is wider than their union."""
        types: list[Type] = []
        for member in members:
            if isinstance(member, Unread):
                return member
            types.append(member)
        found: Type | None = types[0]
        for own in types[1:]:
            found = None if found is None else wider(found, own)
        others = [own for own in types if not isinstance(own, Null)]
        inner = found.value if isinstance(found, Nullable) else found
        listed = " or ".join(dict.fromkeys(str(own)[:60] for own in others[:8]))
        if found is None:
            return Unread(f"it may be {listed}")
        exact = inner in (NULL, *(own.value if isinstance(own, Nullable) else own for own in others))
        if not exact and not (isinstance(inner, Name) and inner.values is not None):
            wide = "all their fields" if isinstance(inner, Record) else f"{inner}"
            self._note(path, f"it may be {listed}, and is read as {wide}")
        return found

    # Notes and limits

    def _note(self, path: str, text: str) -> None:
        self.notes[f"{path}: {text}"] = None

    def _note_at(self, path: str) -> Callable[[str], None]:
        return partial(self._note, path)

    def _note_unchecked(self, schema: Mapping[str, Any], keys: Collection[str], path: str) -> None:
        # An empty keyword requires nothing: `uniqueItems: false`, `minLength: 0`, `required: []`.
        if found := [key for key in keys if schema.get(key) not in (None, False, 0, [], {})]:
            self._note(path, f"{' and '.join(found)} {'is' if len(found) == 1 else 'are'} no part of its type")

    def _count(self, parts: int, path: str) -> None:
        self._parts += parts
        if self._parts > (MOST_PARTS if self._deep == 1 else MOST_DEEP_PARTS):
            raise _TooLarge(f"{path}: the schema is made of over {MOST_PARTS:,} parts")
