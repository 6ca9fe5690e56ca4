"""Say which calls would show what is missing, and what only a person can answer."""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Any

from holdtrue.guard.decision import Fetch, Finding
from holdtrue.guard.facts import fact_path
from holdtrue.guard.finding_names import UNFOUNDED
from holdtrue.guard.policy_parts import Source
from holdtrue.guard.surroundings import CALL, SAID, Surroundings
from holdtrue.guard.wording import cut
from holdtrue.rules.typed import Get, Node, Root
from holdtrue.rules.values import FactKey, field_path, is_within, to_json

if TYPE_CHECKING:
    from holdtrue.guard.policy import Policy


def fetches(policy: Policy, records: Sequence[FactKey], unread: Collection[tuple[str, Any]] = ()) -> tuple[Fetch, ...]:
    """Return the reading calls that would show records, but those that are `unread`; with known keys first."""
    found: list[Fetch] = []
    for fact in sorted(records, key=lambda own: None in own.keys):
        if (fact.kind, fact.keys) in unread:
            continue  # It was fetched, and what came could not be read.
        kind = policy.facts.get(fact.kind)
        for source in kind.sources if kind is not None else ():
            own = _fetch(policy, source, fact)
            if own is not None and own not in found:
                found.append(own)
    complete = [own for own in found if not own.open]
    return tuple(complete or found)


def _fetch(policy: Policy, source: Source, fact: FactKey) -> Fetch | None:
    tool = policy.tools[source.tool]
    if tool.writes:
        return None
    arguments: dict[str, Any] = {}
    for node, value, type in zip(source.keys, fact.keys, policy.facts[fact.kind].keys.values(), strict=True):
        name = _argument(node)
        if name is not None and value is not None:
            arguments[name] = to_json(value, type)
    missing = (name for name, own in tool.arguments.fields.items() if own.required and name not in arguments)
    return Fetch(source.tool, arguments, tuple(missing))


def _value(finding: Finding) -> str:
    """Return the value in a call that a finding is about, in brackets; "" where it has none."""
    value = finding.why.partition(" is ")[2]
    return f" ({value})" if value else ""


def _argument(node: Node) -> str | None:
    """Return the argument of the call that an expression is, if it is just that."""
    return node.name if isinstance(node, Get) and isinstance(node.of, Root) and node.of.name == CALL else None


def without_failed(
    found: Sequence[Fetch], failed: Sequence[tuple[str, str, str]]
) -> tuple[tuple[Fetch, ...], tuple[str, ...]]:
    """Return the calls that would show what is missing but those that gave errors, and a question for each of these."""
    errors = {(tool, arguments): error for tool, arguments, error in failed}
    left, asked = [], []
    for own in found:
        arguments = call_text(own.arguments)
        if (own.tool, arguments) in errors:
            asked.append(f"{own.tool}({arguments}) gave an error: {cut(errors[own.tool, arguments])} What is right?")
        else:
            left.append(own)
    return tuple(left), tuple(asked)


def call_text(arguments: Any) -> str:
    """Return the arguments of a call as text, alike for all that are the same."""
    return json.dumps(arguments, sort_keys=True, ensure_ascii=False, default=str)


def questions(surroundings: Surroundings, findings: Sequence[Finding], records: Sequence[FactKey]) -> tuple[str, ...]:
    """Return the questions to a person about what no tool can show."""
    policy = surroundings.policy
    found: dict[str, None] = {}
    for finding in findings:
        if finding.severity == "warn":
            continue
        origin = finding.origin
        if finding.rule == UNFOUNDED and origin is not None and finding.severity == "ask":
            found[f"Nobody has mentioned the {origin.argument.replace('_', ' ')}{_value(finding)}. Is it right?"] = None
        elif (
            finding.status == "broken" and finding.severity == "ask" and origin is not None and origin.source == "user"
        ):
            found[f"{finding.say} Shall it be otherwise{_value(finding)}?"] = None
        elif finding.status == "broken" and finding.severity == "ask":
            found[f"{finding.say} Is it to go on all the same?"] = None
        for path in finding.missing if finding.status == "undecided" else ():
            for name, own in policy.said.items():
                if is_within(path, field_path(SAID, name)):
                    found[own.question] = None
    for fact in records:
        kind = policy.facts.get(fact.kind)
        if kind is not None and (fact.kind, fact.keys) in surroundings.facts.unread:
            record = fact_path(fact.kind, fact.keys, kind.keys.values())
            found[f"{cut(record)} was shown, and could not be read; what does it say?"] = None
        elif kind is not None and not any(not policy.tools[own.tool].writes for own in kind.sources):
            known = None not in fact.keys
            record = fact_path(fact.kind, fact.keys, kind.keys.values()) if known else f"the {fact.kind}"
            found[f"No tool shows {cut(record)}; what does it say?"] = None
    return tuple(found)
