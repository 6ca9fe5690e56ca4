"""Read the policies of a text in Cedar or Dogwood, by Cedar's own parser."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace

from holdtrue.errors import InputError
from holdtrue.extras import need
from holdtrue.guard.imported.cedar_conditions import TEMPORAL, CedarConditions
from holdtrue.guard.imported.folded_conditions import FALSE
from holdtrue.guard.imported.foreign_statements import NotCarried, Part, Statement
from holdtrue.guard.policy import Policy

_MARK = re.compile(r'//[^\n]*|"(?:\\.|[^"\\])*"|\btemporal\s*\{|[{};]', re.DOTALL)
_BLANK = re.compile(r"(?:\s|//[^\n]*)*")
_NAME = r'(?:"(?:[^"\\]|\\.)*"|\w+)'
_SAID = ("description", "hint", "reason")
"""The annotations that have a sentence about a policy."""


def read_cedar(text: str, policy: Policy, schema: str) -> Iterator[Statement]:
    """Yield the policies of a text. No part of a policy that Cedar's parser rejects is carried."""
    need("the import of Cedar", "cedarpy")
    groups = _groups(schema)
    for place, (own, line, blocks) in enumerate(_split(text)):
        yield _statement(f"policy{place}", own, line, blocks, policy, groups)


def _split(text: str) -> Iterator[tuple[str, int, list[str]]]:
    """Yield each policy, with its line and the bodies of its temporal blocks, for which names stand in the policy."""
    begin, start, depth, kept, blocks = 0, 0, 0, "", list[str]()
    opened: int | None = None
    for mark in _MARK.finditer(text):
        sign = mark[0]
        if sign.startswith(("//", '"')):
            continue
        if sign.startswith("temporal") and opened is None:
            left, right = "{}" if re.search(r"\b(when|unless)\s*$", text[: mark.start()]) else "()"
            kept += f'{text[start : mark.start()]}{left} context["{TEMPORAL}{len(blocks)}"] {right}'
            opened, start = depth, mark.end()
        depth += sign.endswith("{") - (sign == "}")
        if sign == "}" and depth == opened:
            blocks.append(text[start : mark.start()])
            opened, start = None, mark.end()
        if sign == ";" and depth == 0:
            yield kept + text[start : mark.end()], _line(text, begin), blocks
            begin, start, kept, blocks = mark.end(), mark.end(), "", []
    if _BLANK.sub("", text[begin:]):
        raise InputError(f"line {_line(text, begin)}: a policy without ; at its end")


def _line(text: str, begin: int) -> int:
    """Return the line of the first sign of a policy, behind blanks and comments."""
    blank = _BLANK.match(text, begin)
    return 1 + text.count("\n", 0, begin if blank is None else blank.end())


def _groups(schema: str) -> Mapping[str, Collection[str]]:
    """Return the groups of each action, by ids, from a schema as JSON or as text."""
    if not schema.strip():
        return {}
    from cedarpy import Schema

    try:
        own = Schema.from_json_str(schema) if schema.lstrip().startswith("{") else Schema.from_str(schema)
    except ValueError as error:
        raise InputError(f"the schema of Cedar cannot be read: {error}") from error
    found: dict[str, list[str]] = {}
    for actions, groups in re.findall(rf"\baction ({_NAME}(?:, {_NAME})*) in \[([^\]]*)\]", str(own)):
        for name in re.findall(_NAME, actions):
            found[name.strip('"')] = re.findall(r'"((?:[^"\\]|\\.)*)"', groups)
    return found


def _statement(
    id: str, text: str, line: int, blocks: list[str], policy: Policy, groups: Mapping[str, Collection[str]]
) -> Statement:
    from cedarpy import policies_to_json_str

    head = re.search(r"\b(permit|forbid)\s*\(", text)
    found = Statement(id, line, head is not None and head[1] == "forbid", f"The forbid {id} denies this call.", {})
    try:
        static = json.loads(policies_to_json_str(text))["staticPolicies"]
        why = "a template is no policy until it is linked"
    except ValueError as error:
        static, why = {}, str(error)
    if not static:
        return replace(found, parts=dict.fromkeys(policy.tools, (NotCarried(why),)))
    (own,) = static.values()
    notes: Mapping[str, str] = own.get("annotations", {})
    id, differs, parts = notes.get("id") or id, dict[str, None](), dict[str, tuple[Part, ...]]()
    say = next((notes[name] for name in _SAID if notes.get(name)), f"The forbid {id} denies this call.")
    for tool in policy.tools:
        conditions = CedarConditions(tool, policy, groups, blocks)
        if (on_tool := tuple(conditions.parts(own)))[0] != FALSE:
            parts[tool] = on_tool
            differs |= dict.fromkeys(conditions.differs)
    return Statement(id, line, own["effect"] == "forbid", say, parts, tuple(differs))
