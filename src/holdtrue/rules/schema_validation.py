"""Validate values against a JSON Schema, including constraints that types omit, such as patterns and `not`.

The validator is jsonschema-rs: numbers are exact, patterns have limits, and no reference is ever fetched. Only the
formats that types read are checked.
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
"""The keywords that may constrain fields without naming them."""
_SAYS_NOTHING = {
    *("title", "description", "default", "examples", "example", "deprecated", "readOnly", "writeOnly", "nullable"),
    *("format", "$comment", "$schema", "$id", "id", "contentEncoding", "contentMediaType"),
}
_NAMING = {"properties", "patternProperties", "additionalProperties", "unevaluatedProperties"}
"""The keywords that say which fields an object has."""
_FILLED_IN = {"not", "required", "dependentRequired", "minProperties", "minItems", "minContains"}
"""The keywords that may refuse a value because parts of it are not filled in yet."""
_NEWER = {
    "Draft201909": {"prefixItems", "$dynamicRef"},
    "Draft7": {
        *("dependentRequired", "dependentSchemas", "prefixItems", "unevaluatedItems", "unevaluatedProperties"),
        *("minContains", "maxContains", "$dynamicRef"),
    },
}
"""The keywords without meaning in older drafts. Up to draft 7, keywords next to a `$ref` have no meaning either."""
_OLDER = {"draft-04": "Draft7", "draft-06": "Draft7", "draft-07": "Draft7", "2019-09": "Draft201909"}
NEWEST = "Draft202012"
"""The draft of a schema that names none."""
_BACKTRACKS, _PATTERN_BYTES = 20_000, 1 << 20
_LONGEST, _FAR = 160, 10**300
Place = tuple[str | int, ...]
"""The steps from a value to a part of it: names of fields and places in lists."""


def draft_of(schema: object) -> str:
    """Return the name of the draft of a schema."""
    named = getattr(schema, "get", dict[str, Any]().get)("$schema")
    return next((own for key, own in _OLDER.items() if key in str(named)), NEWEST)


class SchemaValidator:
    """A `SchemaValidator` finds the parts of a value that a schema refuses.

    Attributes:
        schema: The schema, as it was given.
        notes: The patterns that cannot be checked, each with its path.
        numbers: All numbers in the schema, sorted.
        has_steps: Whether the schema has `multipleOf` or `uniqueItems`, so that it may treat neighbouring numbers
            differently.
        has_choice: Whether the schema has a union (`anyOf`, `oneOf`).
    """

    def __init__(
        self, schema: object, where: str, *, names: bool = False, partial: bool = False, local: bool = False
    ) -> None:
        """Prepare `schema`. Raises `RuleError`, which begins with `where`, if it is not a valid schema.

        Args:
            schema: The schema, as Python data.
            where: The path of the schema, for messages and notes.
            names: Whether the validator shall report the declared names of each object (`names_in`).
            partial: Whether it shall accept values in which parts are still missing.
            local: Whether a moment may lack a zone.
        """
        self.schema, self._where, self._names, self._partial, self._local = schema, where, names, partial, local
        self.notes: list[str] = []
        self._parts, self.has_choice = 0, False
        self._draft = draft_of(schema)
        self._sound = self._made_sound(schema, where, 0)
        try:
            self._validator  # noqa: B018  made now, so that reading a policy reports an invalid schema
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
        # For older drafts the library reports no names in `additionalItems`.
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
        """Return the place of the first refused part of a value, the reason, and the places that the reason depends on.

        Return None for a valid value. In a `partial` value, in which parts are missing, only texts are refused.
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
        """Return the places that may decide whether a top-level keyword of the schema refuses the part at `place`."""
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
        """Return the declared names of each object in a value, by its JSON pointer, or None if the value is refused.

        An object without an entry may have any names.
        """
        judged, found = self._for_names[partial]._validator.evaluate(value), dict[str, set[str]]()
        for own in judged.annotations():
            if own["schemaLocation"].rpartition("/")[2] in _NAMING:
                found.setdefault(own["instanceLocation"], set()).update(own["annotations"])
        return found if judged.valid else None

    # Translation from other drafts and OpenAPI

    def _made_sound(self, schema: object, path: str, depth: int) -> Any:
        """Return a schema in its draft's form, without annotations and without patterns that the library rejects."""
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
                found["$ref"] = found.pop("$recursiveRef")  # The library reports names for the newest draft only.
        if isinstance(found.get("items"), list) and (self._names or self._draft == NEWEST):
            found["prefixItems"] = found.pop("items")
            if "additionalItems" in found:
                found["items"] = found.pop("additionalItems")
        for end in ("Minimum", "Maximum"):
            strict = found.get(f"exclusive{end}")
            if isinstance(strict, bool):  # Draft 4 and OpenAPI 3.0 have a bool here.
                del found[f"exclusive{end}"]
                if strict and end.lower() in found:
                    found[f"exclusive{end}"] = found.pop(end.lower())
        self._drop_patterns(found, path)
        if self._names:
            found = _telling_names(found)
        if self._names and self._partial:
            # Parts that are filled in later may decide each condition either way, and select another shape.
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
    """Return an equivalent schema for which the library reports every declared name.

    The library reports no names in `unevaluatedProperties`, and none in `properties` next to `additionalProperties`.
    """
    others = schema.pop("unevaluatedProperties", False)
    if others is not False:
        schema.setdefault("additionalProperties", {"anyOf": [others, {}]})
    if schema.get("additionalProperties") is True:
        schema["additionalProperties"] = {}
    if _NAMING.isdisjoint(schema) and not schema.get("required"):
        # If a member of a union allows any object, that object may have any names.
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
    """Return a schema that also allows null, for OpenAPI's `nullable`."""
    kind = schema.get("type")
    if kind is None or "const" in schema or any(key in schema for key in ("allOf", "anyOf", "oneOf", "$ref", "not")):
        return {"anyOf": [schema, {"type": "null"}]}
    listed = {"enum": [*schema["enum"], None]} if isinstance(schema.get("enum"), list) else {}
    kinds = [kind] if isinstance(kind, str) else [*kind]
    return {**schema, **listed, "type": [*kinds, *(["null"] if "null" not in kinds else [])]}


def _is_of(form: str, local: bool, text: str) -> bool:
    """Return whether a text has a format, by the types of rules or by the standard."""
    import jsonschema_rs

    if text != text.strip():
        return False
    types = (FORMATS[form], Calendar("moment")) if local and form == "date-time" else (FORMATS[form],)
    if any(not _why_unread(text, own) for own in types):
        return True
    return jsonschema_rs.Draft202012Validator({"format": form}, validate_formats=True).is_valid(text)


def _why_unread(text: str, type: Type) -> str:
    """Return the reason why a type cannot read a text, or "" if it can."""
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
    """Return the path of a part of a value in the notation of rules."""
    path = root
    for step in place:
        path = f"{path}[{step}]" if isinstance(step, int) else field_path(path, step)
    return path
