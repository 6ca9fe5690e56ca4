"""Turn a policy into plain data that contains everything a decision can depend on, and compare two such forms.

All fields of policies, tools, facts and rules are compared, except those in `NEVER_DECIDES`. So a field that is added
later counts, too. Schemas of tools are compared as written, with references followed. Irrelevant differences do not
appear in a form: the order of properties, enumerations and tools, titles, descriptions, and places in a file.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from dataclasses import fields, is_dataclass, replace
from decimal import Decimal
from fractions import Fraction
from functools import cache
from types import MappingProxyType
from typing import Any

from holdtrue.guard.policy import Policy
from holdtrue.guard.policy_parts import Effect, FactKind, Rule, Said, Tool
from holdtrue.rules.comparison import EQUAL
from holdtrue.rules.numbers import ADD, MULTIPLY
from holdtrue.rules.schema_keywords import FORMATS
from holdtrue.rules.schema_validation import NEWEST, draft_of
from holdtrue.rules.tools import ToolSchema
from holdtrue.rules.typed_expressions import Apply, Given, Junction, Node, Over, Root
from holdtrue.rules.types import Name, Record, Unread

Form = Any
"""JSON values. A key with `@` is a field name or a keyword, and any other key is a name of the policy."""

NEVER_DECIDES: Mapping[type, frozenset[str]] = {
    # The expressions contain the values of tables and the named expressions.
    Policy: frozenset({"name", "digest", "about", "notes", "not_checked", "given", "named", "prose", "citing"}),
    # These follow from `parameters`, except `read_only`, which `Tool.writes` replaces.
    ToolSchema: frozenset({"description", "about", "notes", "arguments", "defaults", "read_only"}),
    Tool: frozenset({"validator"}),  # It follows from the schema's `parameters`.
    Rule: frozenset({"id", "say", "when_text", "hold_text", "place", "part_of"}),
    Said: frozenset({"question", "is_asked"}),
    Record: frozenset({"title", "may_be_absent"}),
    Unread: frozenset({"why"}),
}
"""The fields that no decision depends on, by class: names, texts, places, and fields that follow from others."""

_SILENT = ("record", "fields", "type", "value", "schema", "parameters", "arguments", "properties", "written")
_STEPS = {f"@{own}": "" for own in _SILENT} | {"@item": "[]", "@items": "[]"}
"""The step of a path that stands for a key of a form. An empty step is left out."""
_SAYS_NOTHING = {
    *("title", "description", "examples", "example", "$comment", "deprecated", "readOnly", "writeOnly"),
    *("$schema", "$id", "$anchor", "$defs", "definitions"),
}
_BY_NAME = ("properties", "patternProperties", "dependentSchemas", "dependencies")
_LISTS = ("allOf", "anyOf", "oneOf", "prefixItems")
_SINGLE = "items additionalItems additionalProperties contains propertyNames not if then else".split()
_ELSEWHERE = ("$ref", "$dynamicRef", "$recursiveRef", "unevaluatedItems", "unevaluatedProperties")
"""Keywords whose meaning depends on other parts of the schema. A `$ref` counts only if it is not followed."""
_OPENING = {"patternProperties", "dependentSchemas", "dependencies", "unevaluatedProperties", "propertyNames"}
_OPENING |= {"allOf", "anyOf", "oneOf", "if", "then", "else", "not", "$ref", "$dynamicRef", "$recursiveRef"}
"""Keywords beside which, and below which, a part describes a value together with others.

There `additionalProperties: false` differs from a policy that blocks undeclared arguments.
"""
_NOTHING_ASKED = {"minItems": 0, "minLength": 0, "minProperties": 0, "uniqueItems": False, "nullable": False}
_ALONE = {
    f"@{own}" for own in "type enum format pattern multipleOf minimum maximum minLength maxLength required".split()
}
"""Keywords that mean the same beside any others."""
_EXCLUSIVE = (("@exclusiveMinimum", "@minimum", 1), ("@exclusiveMaximum", "@maximum", -1))
_SYMMETRIC = (ADD, MULTIPLY, EQUAL)
MOST_FOLLOWED = 5_000
"""References are followed for at most this many parts of a schema. A larger schema is compared as written."""
_LONGEST = 120


def form_of(value: Any, leave_out: Collection[str] = ()) -> Form:
    """Return a value as plain data without irrelevant fields and without the fields `leave_out`."""
    match value:
        case FactKind():
            # The order of keys matters, because rules pass keys by place.
            keys = [[name, form_of(own)] for name, own in value.keys.items()]
            sources: dict[str, list[Form]] = defaultdict(list)
            for source in value.sources:
                sources[source.tool].append(form_of(source))
            return {**_fields(value, {*leave_out, "keys", "sources"}), "@keys": keys, "@sources": dict(sources)}
        case Name(_, values) if values is not None:
            return {**_fields(value, {"values"}), "@values": sorted(values)}
    if isinstance(value, Node):
        return {"@expression": canonical(_expression(value))}
    if is_dataclass(value):
        return _fields(value, leave_out)
    if isinstance(value, Mapping):
        return {str(name): form_of(own) for name, own in value.items()}
    if isinstance(value, list | tuple):
        return [form_of(own) for own in value]
    if isinstance(value, set | frozenset):
        return sorted((form_of(own) for own in value), key=canonical)
    return _plain(value)


def policy_form(policy: Policy, leave_out: Collection[str]) -> Form:
    """Return the parts of a policy that all its tools share, without the fields `leave_out`."""
    found = _fields(policy, {*leave_out, "effects", "errors"})
    effects: dict[str, list[Form]] = defaultdict(list)
    for own in policy.effects:  # The order of effects matters only for one tool and field.
        for field, part in _by_field(policy, own):
            effects[f"{own.tool} on {own.kind}{field}"].append(form_of(part))
    return {**found, "@errors": sorted(set(policy.errors)), "@effects": dict(effects)}


def _by_field(policy: Policy, effect: Effect) -> Iterator[tuple[str, Effect]]:
    """Yield an effect as effects on one field each, which do the same, since all of them read the record before.

    An effect stays whole where the age of a record matters, or where one forgets the whole record.
    """
    beside = (own for own in policy.effects if (own.tool, own.kind) == (effect.tool, effect.kind))
    if policy.facts[effect.kind].fresh_s is not None or any(own.forget is None for own in beside):
        yield "", effect
        return
    bare = replace(effect, sets={}, forget=(), parts=())
    yield from ((f".{name}", replace(bare, forget=(name,))) for name in effect.forget or ())
    yield from ((f".{name}", replace(bare, sets={name: own})) for name, own in effect.sets.items())
    yield from ((f".{own.field}", replace(bare, parts=(own,))) for own in effect.parts)


def _fields(value: Any, leave_out: Collection[str]) -> dict[str, Form]:
    never = NEVER_DECIDES.get(value.__class__, frozenset())
    kept = [own.name for own in fields(value) if own.name not in never and own.name not in leave_out]
    found = {f"@{name}": form_of(getattr(value, name)) for name in kept}
    if isinstance(value, Tool | Effect):
        for name in ("@change", "@forget"):
            if isinstance(found.get(name), list):
                found[name] = sorted(found[name])
    return {"@is": value.__class__.__name__, **found}


def _expression(value: Any, bound: Mapping[str, str] = MappingProxyType({})) -> Form:
    """Return an expression without places, without types that follow from its parts, and with numbered variables."""
    if isinstance(value, Node):
        kind: Any = type(value)
        names = bound
        if isinstance(value, Over):
            own = [name for name in (value.variable, value.index) if name is not None]
            names = {**bound, **{name: f"#{len(bound) + place}" for place, name in enumerate(own)}}
        found = {name: _expression(getattr(value, name), bound if name == "of" else names) for name in _parts_of(kind)}
        if isinstance(value, Over):
            found |= {name: names.get(found[name], found[name]) for name in ("variable", "index")}
        if isinstance(value, Root):
            found["name"] = bound.get(value.name, value.name)
        if isinstance(value, Junction):
            found["operands"] = sorted(found["operands"], key=canonical)
        if isinstance(value, Apply) and value.operation in _SYMMETRIC:
            found["args"] = sorted(found["args"], key=canonical)
        return {"is": value.__class__.__name__, **found}
    return [_expression(own, bound) for own in value] if isinstance(value, tuple) else form_of(value)


@cache
def _parts_of(node: type[Any]) -> tuple[str, ...]:
    """Return the fields of an expression class that its parts do not determine."""
    out = ("place",) if node is Given else ("place", "type")
    return tuple(own.name for own in fields(node) if own.name not in out)


def _plain(value: Any) -> Form:
    if isinstance(value, float | Decimal | Fraction) and value == int(value):
        return int(value)
    return value if value is None or isinstance(value, str | bool | int | float) else str(value)


def canonical(form: Form) -> str:
    """Return a text that is equal for equal forms."""
    return json.dumps(form, sort_keys=True, ensure_ascii=False, default=str)


# Forms of schemas


def schema_form(schema: object, *, closed: bool = False) -> Form:
    """Return all demands of a JSON Schema on the arguments of a call. A missing schema equals {}.

    If `closed` is true, the policy blocks undeclared arguments, as `additionalProperties: false` does.
    """
    own = _Schema(schema, closed)
    found = own.read(schema, ())
    if not isinstance(found, dict):
        return found or {}
    found.pop("@type", None) if found.get("@type") == "object" else None
    found.pop("@properties", None) if not found.get("@properties") else None
    found |= {} if (draft := draft_of(schema)) == NEWEST else {"@$schema": draft}
    return found | ({"@written": form_of(schema)} if own.is_written else {})


class _Schema:
    def __init__(self, root: object, closed: bool) -> None:
        self._root, self._closed, self._parts = root, closed, 0
        self.is_written = False
        """Whether a part depends on other parts of the schema. Then the whole schema is compared as written."""

    def read(self, schema: object, within: tuple[str, ...], *, alone: bool = True) -> Form:
        """Return the form of a part.

        Args:
            schema: The part.
            within: The references that lead to it.
            alone: Whether no other part describes the same value, so that undeclared fields of it are blocked.
        """
        self._parts += 1
        if not isinstance(schema, Mapping):
            return {} if schema is True else schema
        reference = schema.get("$ref")
        if isinstance(reference, str):
            beside = {name: own for name, own in schema.items() if name != "$ref"}
            alone = alone and all(_is_silent(name, own) for name, own in beside.items())
            if (found := self._followed(reference, within, alone=alone)) is not None:
                return _joined([found, self.read(beside, within, alone=alone)])
        given = {name: own for name, own in schema.items() if not _is_silent(name, own)}
        if not given.get("properties") and given.get("additionalProperties") in (True, {}):
            del given["additionalProperties"]
        alone = alone and _OPENING.isdisjoint(given)
        if self._closed and alone and given.get("properties") and "additionalProperties" not in given:
            given["additionalProperties"] = False
        found = {f"@{name}": self._keyword(name, own, within, alone) for name, own in given.items()}
        if "const" in given:
            found["@enum"] = [form_of(found.pop("@const"))]
        only = [found.pop(name)[0] for name in ("@anyOf", "@oneOf") if len(found.get(name, ())) == 1]
        return _joined([*found.pop("@allOf", ()), *only, _plainer(_with_required(found))])

    def _keyword(self, name: str, value: Any, within: tuple[str, ...], alone: bool) -> Form:
        if name in _BY_NAME and isinstance(value, Mapping):
            return {own: self.read(inner, within, alone=alone) for own, inner in value.items()}
        if name in _LISTS and isinstance(value, list | tuple):
            found = [self.read(own, within, alone=alone) for own in value]
            return found if name == "prefixItems" else sorted(found, key=canonical)
        if name in _SINGLE:
            return self.read(value, within, alone=alone)
        if name in ("enum", "required", "type") and isinstance(value, list | tuple):
            listed = sorted({canonical(form_of(own)): form_of(own) for own in value}.items())
            return listed[0][1] if name == "type" and len(listed) == 1 else [own for _, own in listed]
        self.is_written |= name in _ELSEWHERE
        return form_of(value)

    def _followed(self, reference: str, within: tuple[str, ...], *, alone: bool) -> Form | None:
        """Return the form of a reference's target within the schema, or None if the reference is not followed."""
        if reference in within:
            return {"@within": len(within) - within.index(reference)}
        if not f"{reference}/".startswith("#/") or self._parts > MOST_FOLLOWED:
            return None
        found = self._root
        for step in reference.removeprefix("#").split("/")[1:]:
            name = step.replace("~1", "/").replace("~0", "~")
            if not isinstance(found, Mapping) or name not in found:
                return None
            found = found[name]
        return self.read(found, (*within, reference), alone=alone)


def _is_silent(name: str, value: Any) -> bool:
    """Return whether a keyword with this value demands nothing."""
    if name in _SAYS_NOTHING or name.startswith("x-") or (name == "required" and not value):
        return True
    if (name == "items" and (value is True or value == {})) or (name == "format" and str(value) not in FORMATS):
        return True
    return name in _NOTHING_ASKED and value == _NOTHING_ASKED[name]


def _with_required(found: dict[str, Form]) -> dict[str, Form]:
    """Return the form of an object in which each property has its own `required` flag."""
    listed, properties = found.pop("@required", []), found.get("@properties", {})
    known = [own for own in listed if own in properties] if isinstance(listed, list) else []
    for name in known:
        own = properties[name]
        properties[name] = {**own, "@required": True} if isinstance(own, dict) else {"@allOf": [own], "@required": True}
    rest = [own for own in listed if own not in known] if isinstance(listed, list) else listed
    return {**found, "@required": rest} if rest else found


def _plainer(found: dict[str, Form]) -> dict[str, Form]:
    """Return the form without a type that its enumeration implies, and with inclusive bounds of whole numbers."""
    kind = found.get("@type")
    if canonical(found.get("@enum")) == "[false, true]" and kind in (None, "boolean"):
        del found["@enum"]
        found["@type"] = "boolean"
    if "@enum" in found and all(isinstance(own, str) and kind == "string" for own in found["@enum"]):
        del found["@type"]
    for name, inclusive, step in _EXCLUSIVE if kind == "integer" else ():
        if type(found.get(name)) is int and inclusive not in found:
            found[inclusive] = found.pop(name) + step
    return found


def _joined(parts: list[Form]) -> Form:
    """Return the form of all parts together, without parts that demand nothing."""
    kept = [own for own in parts if own != {}]
    pairs = [pair for own in kept for pair in (own.items() if isinstance(own, dict) else [("", own)])]
    together = dict(pairs)
    if _ALONE.issuperset(together) and all(together[name] == own for name, own in pairs):
        return together
    return kept[0] if len(kept) == 1 else {"@allOf": sorted(kept, key=canonical)} if kept else {}


# Differences of two forms


def form_differences(one: Form, other: Form, path: str) -> Iterator[tuple[str, str]]:
    """Yield the paths at which two forms differ, each with the difference in words. The paths begin with `path`."""
    if canonical(one) == canonical(other):
        return
    if isinstance(one, dict) and isinstance(other, dict) and one.get("@is") == other.get("@is"):
        for name in dict.fromkeys((*one, *other)):
            inner = path + _STEPS.get(name, f".{name.removeprefix('@')}")
            if name == "@expression":
                yield path, "is another expression, and may decide otherwise"
            elif name in one and name in other:
                yield from form_differences(one[name], other[name], inner)
            else:
                side = "first" if name in one else "second"
                yield inner, f"{_said(one.get(name, other.get(name)))}stands in the {side} policy only"
        return
    if isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        for place, (own, twin) in enumerate(zip(one, other, strict=True)):
            yield from form_differences(own, twin, f"{path}[{place}]")
        return
    yield path, f"is {_shown(one)} in the first policy and {_shown(other)} in the second"


def _said(form: Form) -> str:
    return "" if isinstance(form, dict | list) else f"is {_shown(form)}, which "


def _shown(form: Form) -> str:
    text = form if isinstance(form, str) else canonical(form).replace('"@', '"')
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."
