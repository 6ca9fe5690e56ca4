"""Read the parts in a model's reply as data of a policy file. The loader of policies checks all that they say."""

from __future__ import annotations

import json
from typing import Any

from holdtrue.errors import InputError
from holdtrue.guard.drafting.policy_data import Data, merged, with_ids
from holdtrue.guard.prose import Sentence
from holdtrue.guard.yaml_text import read_yaml

NO_RULE = "no-rule"
"""The id of the entry of `not_checked` for all sentences that state no rule."""
_SECTIONS = {own.removesuffix("s"): own for own in ("rules", "limits", "obligations", "effects", "facts", "tables")} | {
    "said": "said",
    "not_checked": "not_checked",
    "no_rule": "not_checked",
}
_NOTATED = {("fact", "key"), ("fact", "record"), ("said", "type"), ("table", "type"), ("table", "entries")}
"""The fields that are in the notation of types or are plain values, by the kind of part."""


def read_parts(text: str, sentence: Sentence) -> Data:
    """Return the parts of a reply as data that stands for the sentence. Raises `InputError` for another form."""
    try:
        parts = json.loads(text)["parts"]
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise InputError('the reply is no JSON of the form {"parts": [...]}') from error
    if not isinstance(parts, list) or not parts or not all(isinstance(own, dict) for own in parts):
        raise InputError("parts is a list of objects; a sentence without a rule has a part of kind no_rule")
    found: Data = {}
    for own in parts:
        found = merged(found, _part(own, sentence))
    return with_ids(found, (), sentence.number)


def _part(given: Data, sentence: Sentence) -> Data:
    kind = str(given.pop("kind", ""))
    body = _filled(given, kind)
    match kind:
        case "consent":
            return {"tools": {"consent": [{**body, "sentences": [sentence.number]}]}}
        case "rule" | "limit" | "obligation":
            body = {"id": f"sentence-{sentence.number}", **body, "say": sentence.text}
        case "not_checked":
            body = {"id": f"sentence-{sentence.number}", "say": sentence.text, **body}
        case "no_rule":
            body = {"id": NO_RULE, "say": "Headings, greetings and descriptions.", "reason": "They state no rule."}
    if kind not in _SECTIONS:
        raise InputError(f"there is no kind of part {kind!r}")
    body["sentences"] = [sentence.number]
    section = _SECTIONS[kind]
    return {section: {str(body.pop("name", "")): body} if kind in ("fact", "said", "table") else [body]}


def _filled(fields: Data, kind: str = "") -> Data:
    """Return the fields that are filled in, with pairs of a name and a value as mappings."""
    found = {str(name): _value(own, (kind, name)) for name, own in fields.items()}
    return {name: own for name, own in found.items() if own not in ("", [], {})}


def _value(value: Any, field: tuple[str, str]) -> Any:
    match value:
        case [{"name": _, "value": _}, *_] if all(isinstance(own, dict) and len(own) == 2 for own in value):
            return {str(own.get("name")): _value(own.get("value"), field) for own in value}
        case list():
            return [_filled(own) if isinstance(own, dict) else own for own in value]
        case str() if field in _NOTATED and value:
            return read_yaml(value).value
    return value
