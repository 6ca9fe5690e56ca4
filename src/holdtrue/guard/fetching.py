"""Find the calls that would show missing facts, and the questions that only a person can answer."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal
from typing import Any

from holdtrue.errors import InputError
from holdtrue.guard.call_reading import read_call
from holdtrue.guard.decision import UNFOUNDED, Fetch, Finding
from holdtrue.guard.facts import fact_path
from holdtrue.guard.json_values import parsed
from holdtrue.guard.policy_parts import CALL, SAID, FactKind, Source, Tool
from holdtrue.guard.rule_context import RuleContext
from holdtrue.guard.wording import cut
from holdtrue.rules.typed_expressions import Get, Node, Root
from holdtrue.rules.values import MOST_DIGITS, FactKey, field_path, is_within, to_json

MOST_RECORDS = 100
"""At most this many records are looked up for one decision. The next decision looks up more."""
UNDER_WAY = "its result has not come"
"""The error text of a reading call that was let through and has not returned."""


@dataclass(slots=True)
class Fetches:
    """`Fetches` are the ways to learn the missing facts of a decision.

    Attributes:
        calls: The reading calls that would show them.
        waits: The reading calls that are under way, in words.
        questions: The questions to a person about facts that no call shows.
    """

    calls: list[Fetch] = field(default_factory=list)
    waits: list[str] = field(default_factory=list)
    questions: list[str] = field(default_factory=list)


def fetches(context: RuleContext, findings: Sequence[Finding], records: Sequence[FactKey]) -> Fetches:
    """Return the reading calls that would show missing facts, and questions about the remaining ones.

    A proposed call can show a missing field, or else report that the record does not exist. All its arguments are
    known. A call that is under way, or has returned since the last change, would show the same again. Such a call is
    only proposed if its answer has a `fresh` limit and is too old.
    """
    missing = [path for own in findings for path in own.missing]
    found = Fetches()
    for fact in sorted(records, key=lambda own: None in own.keys)[:MOST_RECORDS]:
        kind = context.policy.facts.get(fact.kind)
        if kind is None:
            continue
        base = fact_path(fact.kind, fact.keys, kind.keys.values())
        here = [path for path in missing if is_within(path, base)]
        names = [name for name in kind.record.fields if any(is_within(own, field_path(base, name)) for own in here)]
        is_read = any(not context.policy.tools[own.tool].writes for own in kind.sources)
        what = " and ".join(field_path(base, name) for name in names) if is_read and names else base
        answered, can_show = list[str](), False
        shown = [source for source in kind.sources if not names or any(map(source.shows, names))]
        others = [source for source in kind.sources if source not in shown and source.absent]
        for source in (*shown, *others):
            own = _fetch(context, source, fact)
            if own is None or (can_show and source in others):
                continue
            again = _answered(context, kind, own)
            if again == UNDER_WAY:
                can_show = True
                found.waits.append(f"{own.tool}({call_text(own.arguments)})")
            elif again is not None:
                answered += [again] if source in shown or again else []
            elif _fits(context.policy.tools[own.tool], own):
                can_show = True
                found.calls += [] if own in found.calls else [own]
        # A record with an unknown key waits for the record that names the key.
        if not can_show and not (None in fact.keys and (found.calls or found.waits or found.questions)):
            found.questions += _asked(context, fact, f"the {fact.kind}" if None in fact.keys else what, answered)
    return found


def _asked(context: RuleContext, fact: FactKey, what: str, answered: Sequence[str]) -> list[str]:
    """Return the questions about a record that no further call can show."""
    errors = [own for own in answered if own]
    if errors:
        return errors
    if (fact.kind, fact.keys) in context.facts.unread:
        kind = context.policy.facts[fact.kind]
        record = fact_path(fact.kind, fact.keys, kind.keys.values())
        return [f"{cut(record)} was shown, and could not be read; what does it say?"]
    if answered:
        return [
            f"What can show {cut(what)} was called, and has not shown it in a form that can be read; what does it say?"
        ]
    return [f"No tool shows {cut(what)}; what does it say?"]


def _answered(context: RuleContext, kind: FactKind, fetch: Fetch) -> str | None:
    """Return why a call is not made again, or None if it is worth making.

    The reason is `UNDER_WAY`, a sentence on its error, or "" after a result.
    """
    answers = context.facts.answered.get(fetch.tool)
    if not answers:
        return None
    call = call_text(fetch.arguments)
    # A call with additional arguments may be the same call.
    given = {name: call_text([value]) for name, value in fetch.arguments.items()}
    same = [answers[call]] if call in answers else [own for own in answers.values() if _has(own.arguments, given)]
    context.answers += [(fetch.tool, own) for own in same]
    now = context.now
    if kind.fresh_s is not None and now is not None:
        same = [own for own in same if own.at is None or now - own.at <= kind.fresh_s]
    if not same:
        return None
    error = next(iter(sorted(own.error for own in same if own.error)), "")
    if error == UNDER_WAY:
        return UNDER_WAY
    return error and f"{fetch.tool}({call}) gave an error: {cut(error)} What is right?"


def _has(arguments: Any, given: Mapping[str, str]) -> bool:
    if not isinstance(arguments, Mapping):
        return False
    return all(name in arguments and call_text([arguments[name]]) == own for name, own in given.items())


def _fetch(context: RuleContext, source: Source, fact: FactKey) -> Fetch | None:
    policy = context.policy
    tool = policy.tools[source.tool]
    if tool.writes:
        return None
    arguments: dict[str, Any] = {}
    for node, value, type in zip(source.keys, fact.keys, policy.facts[fact.kind].keys.values(), strict=True):
        names, inner = _argument(node), arguments
        if names and value is not None:
            for name in names[:-1]:
                inner = inner.setdefault(name, {})
            inner[names[-1]] = to_json(value, type)
    return Fetch(source.tool, arguments)


def _fits(tool: Tool, fetch: Fetch) -> bool:
    """Return whether all required arguments of a call are known and its tool's schema accepts it."""
    try:
        read_call(tool, fetch.arguments, partial=False)
    except InputError:
        return False
    return True


def _value(finding: Finding) -> str:
    """Return the value that a finding is about, in brackets, or "" if it has none."""
    value = finding.why.partition(" is ")[2]
    return f" ({value})" if value else ""


def _argument(node: Node) -> tuple[str, ...]:
    """Return the names that lead to a part of the call, or none for any other expression."""
    names = list[str]()
    while isinstance(node, Get):
        names.insert(0, node.name)
        node = node.of
    return tuple(names) if isinstance(node, Root) and node.name == CALL else ()


def call_text(arguments: Any) -> str:
    """Return recorded arguments of a call as text. Equal numbers have one spelling: 5, 5.0 and 5e0."""
    try:
        parsed(arguments)
    except InputError:
        return json.dumps(arguments, ensure_ascii=False)
    text = arguments if isinstance(arguments, str) else json.dumps(arguments, default=str)
    values = json.loads(text, parse_float=_number, parse_int=_number)
    return json.dumps(values, sort_keys=True, ensure_ascii=False)


def _number(text: str) -> Any:
    exact = Decimal(text)
    if exact.adjusted() <= MOST_DIGITS and int(exact) == exact:
        return int(exact)
    if Decimal(repr(float(exact))) == exact:
        return float(exact)
    return {"number": str(exact.normalize(Context(len(text), Emin=MIN_EMIN, Emax=MAX_EMAX)))}


def questions(context: RuleContext, findings: Sequence[Finding]) -> tuple[str, ...]:
    """Return the questions to a person about facts that no tool can show."""
    policy = context.policy
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
    found.update((f"{why}. Is it to go on all the same?", None) for why in context.absent.values())
    return tuple(found)
