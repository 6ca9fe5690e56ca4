"""Read single keywords of a JSON Schema: its types, required names, sizes and references."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import unquote

from holdtrue.rules.paths import check_text, instead, shortened
from holdtrue.rules.syntax import DEEPEST, RuleError

KINDS = ("object", "array", "string", "integer", "number", "boolean", "null")
"""The types of JSON Schema."""


def says_itself(schema: Mapping[str, Any]) -> bool:
    """Return whether a schema says by itself what its values are, whatever is listed in `anyOf`."""
    if any(key in schema for key in ("properties", "enum", "const", "items", "prefixItems")):
        return True
    return schema.get("type", "object") != "object" or isinstance(schema.get("additionalProperties"), Mapping)


def says(schema: Mapping[str, Any]) -> bool:
    """Return whether a schema says what its values are, by itself or by others."""
    return says_itself(schema) or any(key in schema for key in ("$ref", "allOf", "anyOf", "oneOf"))


def kinds_of(schema: Mapping[str, Any], path: str) -> tuple[str, ...]:
    """Return JSON's types that a schema names, or else speaks of; none if it is about values of any type."""
    named = schema.get("type")
    if named is None:
        if any(key in schema for key in ("properties", "additionalProperties")):
            return ("object",)
        return ("array",) if "items" in schema or "prefixItems" in schema else ()
    listed = tuple(named) if isinstance(named, list | tuple) else (named,)
    for own in listed:
        if not isinstance(own, str):
            raise RuleError(f"{path}: a type is named by a text, not {shortened(own)}")
        if own not in KINDS:
            raise RuleError(f"{path}: JSON Schema has no type {shortened(own)}; {instead(own, KINDS)}")
    if not listed:
        raise RuleError(f"{path}: a list of types has one at least")
    return tuple(own for own in dict.fromkeys(listed) if own != "integer" or "number" not in listed)


def required_names(schema: Mapping[str, Any], path: str) -> dict[str, None]:
    """Return the names of the fields that have to be there, in order."""
    names = schema.get("required", [])
    if not isinstance(names, list | tuple) or not all(isinstance(own, str) for own in names):
        raise RuleError(f"{path}: required is a list of names, not {shortened(names)}")
    for own in names:
        check_text(own, path)
    return dict.fromkeys(names)


def size_of(schema: Mapping[str, Any], key: str, path: str) -> int | None:
    """Return the number of items under a keyword, or None."""
    size = schema.get(key)
    if size is None:
        return None
    if isinstance(size, bool) or not isinstance(size, int | float) or not 0 <= size < 1e15 or size != int(size):
        raise RuleError(f"{path}: {key} is a whole number from 0, not {shortened(size)}")
    return int(size)


def pointer_of(reference: object, path: str) -> tuple[str, ...]:
    """Return the steps of a reference within the schema (RFC 6901, as a fragment of a URI)."""
    if not isinstance(reference, str) or (reference != "#" and not reference.startswith("#/")):
        raise RuleError(f"{path}: only references within the schema are followed, not {shortened(reference)}")
    check_text(reference, path)
    if reference == "#":
        return ()
    steps = unquote(reference[2:]).split("/")
    if len(steps) > DEEPEST:
        raise RuleError(f"{path}: a reference of over {DEEPEST} steps")
    return tuple(step.replace("~1", "/").replace("~0", "~") for step in steps)
