"""Validate values against a JSON Schema itself, with all that no type of ours says: patterns, `not`, listed numbers.

The validator is jsonschema-rs: numbers are exact, patterns have a limit, and no reference is ever fetched. A `format`
is an annotation, unless it is one that types read.
"""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from fractions import Fraction
from functools import cached_property, partial
from typing import Any

from holdtrue.extras import need
from holdtrue.logic.value_sorts import Calendar
from holdtrue.rules.paths import shortened
from holdtrue.rules.schema_keywords import FORMATS, check_own_id, parts_of
from holdtrue.rules.syntax import DEEPEST, RuleError
from holdtrue.rules.type_notation import MOST_PARTS
from holdtrue.rules.types import Type
from holdtrue.rules.values import Reader, ValueFault, field_path

_BY_NAME = ("properties", "patternProperties", "$defs", "definitions", "dependentSchemas", "dependencies")
_LISTS = ("allOf", "anyOf", "oneOf", "prefixItems", "items")
_SINGLE = (
    *("items", "additionalItems", "additionalProperties", "unevaluatedItems", "unevaluatedProperties"),
    *("contains", "propertyNames", "not", "if", "then", "else"),
)
_CONDITIONS = ("if", "dependentSchemas", "dependencies", "unevaluatedProperties", "unevaluatedItems")
_OF_ANY = {"$ref", "$dynamicRef", "patternProperties", "additionalProperties", "unevaluatedProperties"}
"""What may speak of parts whose names it does not say."""
_SAYS_NOTHING = {
    *("title", "description", "default", "examples", "example", "deprecated", "readOnly", "writeOnly", "nullable"),
    *("format", "$comment", "$schema", "$id", "id", "contentEncoding", "contentMediaType"),
}
_NAMING = {"properties", "patternProperties", "additionalProperties", "unevaluatedProperties"}
"""The keywords that say which fields an object has."""
_FILLED_IN = {"not", "required", "dependentRequired", "minProperties", "minItems", "minContains"}
"""What asks for parts that are not filled in yet."""
_NEWER = {
    "Draft201909": {"prefixItems", "$dynamicRef"},
    "Draft7": {
        *("dependentRequired", "dependentSchemas", "prefixItems", "unevaluatedItems", "unevaluatedProperties"),
        *("minContains", "maxContains", "$dynamicRef"),
    },
}
"""What says nothing in older drafts; up to 7, nothing beside a reference says anything, either."""
_OLDER = {"draft-04": "Draft7", "draft-06": "Draft7", "draft-07": "Draft7", "2019-09": "Draft201909"}
NEWEST = "Draft202012"
"""The draft of a schema that names none."""
_BACKTRACKS, _PATTERN_BYTES = 20_000, 1 << 20
_LONGEST, _FAR = 160, 10**300
Place = tuple[str | int, ...]
"""The steps from a value to a part of it: names of fields and places in lists."""


def draft_of(schema: object) -> str:
    """Return the draft by which a schema is read."""
    named = getattr(schema, "get", dict[str, Any]().get)("$schema")
    return next((own for key, own in _OLDER.items() if key in str(named)), NEWEST)


class SchemaValidator:
    """A `SchemaValidator` says what of a value a schema refuses.

    Attributes:
        schema: The schema, as it was given.
        notes: The patterns that cannot be checked, each with its path.
        numbers: All numbers that the schema names, in order.
        has_steps: Whether it names multiples or unique items, so that numbers next to each other need not fare alike.
        has_choice: Whether it lists several shapes, of which not every one applies to every value.
    """

    def __init__(
        self, schema: object, where: str, *, names: bool = False, partial: bool = False, local: bool = False
    ) -> None:
        """Prepare `schema`. Raises `RuleError`, which begins with `where`, for what is no schema.

        One that is for `names` tells of every name that an object may have, and a `partial` one asks for none. By a
        `local` one, a moment needs no zone.
        """
        self.schema, self._where, self._names, self._partial, self._local = schema, where, names, partial, local
        self.notes: list[str] = []
        self._parts, self.has_choice = 0, False
        self._draft = draft_of(schema)
        self._sound = self._made_sound(schema, where, 0)
        try:
            self._validator  # noqa: B018  made once, here, so that a fault is told when the policy is read
        except (ValueError, TypeError, OverflowError, RecursionError) as error:
            at = "".join(f"/{own}" for own in getattr(error, "instance_path", ()))
            why = str(getattr(error, "message", error))[:_LONGEST]
            raise RuleError(f"{where}: it is no JSON Schema{f' at #{at}' if at else ''}: {why}") from error

    def __getstate__(self) -> dict[str, Any]:
        return {name: own for name, own in self.__dict__.items() if name not in ("_validator", "_for_names")}

    @cached_property
    def _validator(self) -> Any:
        need("Validating calls", "jsonschema_rs")
        import jsonschema_rs

        options = jsonschema_rs.FancyRegexOptions(backtrack_limit=_BACKTRACKS, size_limit=_PATTERN_BYTES)
        # By older drafts the engine tells no names of `additionalItems`.
        made: Any = getattr(jsonschema_rs, f"{NEWEST if self._names else self._draft}Validator")
        forms = {form: partial(_is_of, form, self._local) for form in FORMATS}
        return made(self._sound, validate_formats=True, formats=forms, retriever=_refuse, pattern_options=options)

    @cached_property
    def numbers(self) -> tuple[Fraction, ...]:
        return tuple(sorted({Fraction(str(own)) for _, own in parts_of(self.schema) if _is_number(own)}))

    @cached_property
    def has_steps(self) -> bool:
        return any(key in ("multipleOf", "uniqueItems") for key, _ in parts_of(self.schema))

    def fault(self, value: Any, *, partial: bool = False) -> tuple[Place, str, list[Place]] | None:
        """Return the place of the first part of a value that is refused, the reason, and the parts that it rests on.

        Of a `partial` value, in which parts are missing yet, it is the first text.
        """
        validator = self._for_names[True]._validator if partial else self._validator
        try:
            if validator.is_valid(value):
                return None
            refused = (own for own in validator.iter_errors(value) if not partial or isinstance(own.instance, str))
            if (found := next(refused, None)) is None:
                return None
            place, keyword = tuple(found.instance_path), next(iter(getattr(found, "evaluation_path", ())), "")
            form = FORMATS.get(getattr(found.kind, "format", ""))
            why = (form and _why_unread(found.instance, form)) or found.message
            return place, str(why)[:_LONGEST], self._rests_on(place, keyword) if keyword else [()]
        except (ValueError, TypeError, OverflowError, RecursionError) as error:
            return (), f"the validator cannot read it: {str(error)[:_LONGEST]}", [()]

    def _rests_on(self, place: Place, keyword: str) -> list[Place]:
        """Return the parts of a value that may decide what a keyword of the whole schema refuses at a place."""
        if keyword == "properties":
            return [place if all(key not in _CONDITIONS for key, _ in parts_of(self._sound)) else place[:1]]
        said = ("if", keyword) if keyword in ("then", "else") else (keyword,)
        names = {key for key, _ in parts_of([self._sound[own] for own in said])}
        return [()] if keyword in _OF_ANY or names & _OF_ANY else [(name,) for name in names]

    @cached_property
    def _for_names(self) -> list[SchemaValidator]:
        more = {"names": True, "local": self._local}
        return [SchemaValidator(self.schema, self._where, partial=own, **more) for own in (False, True)]

    def names_in(self, value: Any, *, partial: bool) -> dict[str, set[str]] | None:
        """Return the names that are declared of the objects in a value, by their JSON pointers; None if it is refused.

        Of an object without an entry no keyword says which names it has, so that it may have any.
        """
        judged, found = self._for_names[partial]._validator.evaluate(value), dict[str, set[str]]()
        for own in judged.annotations():
            if own["schemaLocation"].rpartition("/")[2] in _NAMING:
                found.setdefault(own["instanceLocation"], set()).update(own["annotations"])
        return found if judged.valid else None

    # What other drafts and OpenAPI write in their own way

    def _made_sound(self, schema: object, path: str, depth: int) -> Any:
        """Return a schema as its draft has it, without annotations and without patterns that no engine takes."""
        self._parts += 1
        if depth > DEEPEST or self._parts > MOST_PARTS:
            raise RuleError(f"{path[:_LONGEST]}: the schema is nested deeper than {DEEPEST}, or too large")
        if not isinstance(schema, Mapping):
            return schema
        if depth:
            check_own_id(schema, path)
        found: dict[str, Any] = {}
        for key, value in schema.items():
            is_read = key == "format" and str(value) in FORMATS
            if (key in _SAYS_NOTHING and not is_read) or (value is None and key != "const"):
                continue
            if key in _BY_NAME and isinstance(value, Mapping):
                found[key] = {name: self._made_sound(own, f"{path}.{name}", depth + 1) for name, own in value.items()}
            elif key in _LISTS and isinstance(value, list | tuple):
                self.has_choice |= key in ("anyOf", "oneOf")
                found[key] = [self._made_sound(own, path, depth + 1) for own in value]
            elif key in _SINGLE:
                found[key] = self._made_sound(value, path, depth + 1)
            else:
                found[key] = list(value) if isinstance(value, tuple) else value
        if self._names and self._draft in _NEWER:
            kept = found.keys() - _NEWER[self._draft]
            kept &= {"$ref", "definitions", "$defs"} if self._draft == "Draft7" and "$ref" in found else kept
            found = {key: own for key, own in found.items() if key in kept}
            if self._draft == "Draft201909" and "$recursiveRef" in found:
                found["$ref"] = found.pop("$recursiveRef")  # Which names there are, the newest draft tells alone.
        if isinstance(found.get("items"), list) and (self._names or self._draft == NEWEST):
            found["prefixItems"] = found.pop("items")
            if "additionalItems" in found:
                found["items"] = found.pop("additionalItems")
        for end in ("Minimum", "Maximum"):
            strict = found.get(f"exclusive{end}")
            if isinstance(strict, bool):  # So it was written in draft 4, and in OpenAPI 3.0.
                del found[f"exclusive{end}"]
                if strict and end.lower() in found:
                    found[f"exclusive{end}"] = found.pop(end.lower())
        self._drop_patterns(found, path)
        if self._names:
            found = _telling_names(found)
        if self._names and self._partial:
            # What is filled in later may still settle each condition either way, and choose among shapes.
            may = [{"anyOf": [found.pop(key), {}]} for key in ("if", "then", "else") if key in found]
            may += [{"anyOf": [{"contains": found.pop("contains")}, {}]}] if "contains" in found else []
            may += [{"anyOf": found.pop("oneOf")}] if "oneOf" in found else []
            found |= {"allOf": [*found.get("allOf", ()), *may]} if may else {}
            found = {key: own for key, own in found.items() if key not in _FILLED_IN}
        return _with_null(found) if schema.get("nullable") is True else found

    def _drop_patterns(self, found: dict[str, Any], path: str) -> None:
        for text in [own for own in (found.get("pattern"), *found.get("patternProperties", ())) if own is not None]:
            if isinstance(text, str) and not _is_pattern(text):
                self.notes.append(f"{path}: the pattern {shortened(text)} is not checked, since no engine takes it")
                found.pop("pattern", None) if text == found.get("pattern") else found["patternProperties"].pop(text)


def _is_pattern(text: str) -> bool:
    import jsonschema_rs

    options = jsonschema_rs.FancyRegexOptions(backtrack_limit=_BACKTRACKS, size_limit=_PATTERN_BYTES)
    try:
        jsonschema_rs.Draft202012Validator({"pattern": text}, pattern_options=options)
    except ValueError:
        return False
    return True


def _telling_names(schema: dict[str, Any]) -> dict[str, Any]:
    """Return a schema by which the engine tells of every name that it declares, and which takes the same values.

    The engine tells nothing of `unevaluatedProperties`, nor of names that stand beside `additionalProperties`.
    """
    others = schema.pop("unevaluatedProperties", False)
    if others is not False:
        schema.setdefault("additionalProperties", {"anyOf": [others, {}]})
    if schema.get("additionalProperties") is True:
        schema["additionalProperties"] = {}
    if _NAMING.isdisjoint(schema) and not schema.get("required"):
        # One of several shapes that is any object has any names.
        free: dict[str, Any] = {
            key: [_any_named(own) for own in schema[key]] for key in ("anyOf", "oneOf") if key in schema
        }
        return {**schema, **free}
    named = {name: True for key in ("properties", "required") for name in schema.get(key, ())}
    listed = {"properties": named, "patternProperties": dict.fromkeys(schema.get("patternProperties", ()), True)}
    return {**schema, "allOf": [*schema.get("allOf", ()), listed]}


def _any_named(own: Any) -> Any:
    return {"additionalProperties": {}, **own} if own in ({}, {"type": "object"}) else own


def _with_null(schema: dict[str, Any]) -> dict[str, Any]:
    """Return a schema that allows null besides, as OpenAPI 3.0 has it."""
    kind = schema.get("type")
    if kind is None or "const" in schema or any(key in schema for key in ("allOf", "anyOf", "oneOf", "$ref", "not")):
        return {"anyOf": [schema, {"type": "null"}]}
    listed = {"enum": [*schema["enum"], None]} if isinstance(schema.get("enum"), list) else {}
    kinds = [kind] if isinstance(kind, str) else [*kind]
    return {**schema, **listed, "type": [*kinds, *(["null"] if "null" not in kinds else [])]}


def _is_of(form: str, local: bool, text: str) -> bool:
    """Return whether a text has a form, as types read it or as the standard has it."""
    import jsonschema_rs

    if text != text.strip():
        return False
    types = (FORMATS[form], Calendar("moment")) if local and form == "date-time" else (FORMATS[form],)
    if any(not _why_unread(text, own) for own in types):
        return True
    return jsonschema_rs.Draft202012Validator({"format": form}, validate_formats=True).is_valid(text)


def _why_unread(text: str, type: Type) -> str:
    """Return why a type does not read a text, or "" where it does."""
    try:
        Reader().read(text, type, "it")
    except ValueFault as error:
        return error.message
    return ""


def _refuse(address: str) -> Any:
    raise ValueError(f"only references within the schema are followed, not {shortened(address)}")


def _is_number(value: object) -> bool:
    if isinstance(value, bool) or not isinstance(value, int | float | Decimal):
        return False
    return -_FAR < value < _FAR


def path_of(place: Place, root: str) -> str:
    """Return the path of a part of a value, as rules write it."""
    path = root
    for step in place:
        path = f"{path}[{step}]" if isinstance(step, int) else field_path(path, step)
    return path
