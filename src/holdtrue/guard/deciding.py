"""Decide on a call before it takes effect: read it, judge it, and propose the nearest call that keeps every rule."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from decimal import Decimal
from typing import Any, Literal

from holdtrue.budget import Budget
from holdtrue.errors import InputError
from holdtrue.guard.checking import Judged, Listening, judge
from holdtrue.guard.decision import SCHEMA, UNKNOWN_TOOL, Coverage, Decision, Finding, Given, Kind, Mode
from holdtrue.guard.facts import Facts
from holdtrue.guard.fetching import fetches, questions
from holdtrue.guard.given import given_facts, given_json
from holdtrue.guard.mending import Trial, mended
from holdtrue.guard.policy import Policy, Tool
from holdtrue.guard.results import parsed
from holdtrue.guard.surroundings import ANSWER, CALL, Surroundings, surround
from holdtrue.rules.tools import ToolSchema
from holdtrue.rules.types import Record
from holdtrue.rules.values import NotSeen, Reader, ValueFault

LIMIT = Budget(timeout_s=2.0)
"""The limit of deciding one call, and again of mending it, unless the caller says otherwise."""


def check(
    policy: Policy,
    tool: str,
    arguments: Any,
    facts: Facts,
    *,
    now: str | None = None,
    heard: Listening | None = None,
    mode: Mode = "enforce",
    budget: Budget = LIMIT,
    mend: bool = True,
    partial: bool = False,
    explain: bool = False,
) -> Decision:
    """Return the decision on a call, or on a structured answer, before it takes effect.

    `arguments` are JSON, as values or as its text; malformed ones are blocked. With `partial` what is not filled in yet
    may still become anything; with `explain` rules that are kept have their reasons, too. Raises `InputError` where
    `now` or what was said is malformed.
    """
    listening = heard or Listening(unsaid=policy.unsaid)
    own = policy.tools.get(tool)
    if own is None:
        return _unknown_tool(policy, tool, arguments, mode)
    given = {"mode": mode, "partial": partial, "mend": mend, "explain": explain, "timeout_s": budget.timeout_s}
    limit = budget.shared()
    try:
        call, unread = read_call(own, arguments, partial=partial)
    except InputError as error:
        surroundings = surround(policy, own, {}, facts, now, listening.said)
        finding = Finding(SCHEMA, "broken", "block", f"The arguments do not fit {tool}.", str(error))
        shown = shown_arguments(arguments)
        decision = Decision("block", tool, shown, (finding,), Coverage(0), mode, no_mend="the arguments cannot be read")
        return replace(decision, given=Given(lambda: {**given_json(surroundings, listening, now), **given}))
    surroundings = surround(policy, own, call, facts, now, listening.said)
    judged = judge(surroundings, listening, own, policy.rules_on[tool], limit, explain=explain)
    decision = replace(
        _decision(surroundings, own, judged, mode), arguments=plain_arguments(arguments), listing=judged.listing
    )
    decision = replace(decision, coverage=_coverage(policy, own, judged, listening, unread))
    if judged.kind == "block" and mend:
        found = mended(Trial(surroundings, listening, own, call, parsed(arguments)), budget.shared())
        decision = replace(decision, mend=found) if not isinstance(found, str) else replace(decision, no_mend=found)
    return replace(decision, given=Given(lambda: {**given_json(surroundings, listening, now), **given}))


def replay(policy: Policy, record: Mapping[str, Any]) -> Decision:
    """Return the decision that a record was made of, from the record alone.

    `record` is what `Decision.to_json` gave. Raises `InputError` for one of another policy. A decision that ran out of
    time may be decided on another day.
    """
    given = record["given"]
    facts = given_facts(policy, given) if given else Facts.none()
    heard = Listening(
        given.get("said"), given.get("unsaid", "false"), given.get("consent", False), given.get("listens", True)
    )
    return check(
        policy,
        record["tool"],
        record["arguments"],
        facts,
        now=given.get("now"),
        heard=heard,
        mode=record["mode"],
        budget=Budget(given.get("timeout_s", LIMIT.timeout_s)),
        mend=given.get("mend", True),
        partial=given.get("partial", False),
        explain=given.get("explain", False),
    )


def unmet(
    policy: Policy,
    facts: Facts,
    *,
    now: str | None = None,
    heard: Listening | None = None,
    budget: Budget = LIMIT,
) -> tuple[Finding, ...]:
    """Return the obligations that are not met at the end of a conversation, and those that could not be decided."""
    listening = heard or Listening(unsaid=policy.unsaid)
    nothing = Tool(ToolSchema("", "", Record({}), None, True, True, ()), Record({}), writes=False)
    surroundings = surround(policy, nothing, {}, facts, now, listening.said)
    judged = judge(surroundings, listening, nothing, policy.obligations, budget.shared())
    return tuple(own for own in judged.findings if own.status in ("broken", "undecided"))


def read_call(tool: Tool, arguments: Any, *, partial: bool) -> tuple[dict[str, Any], tuple[str, ...]]:
    """Return the arguments as values, and the names of those that the tool does not have. Raises `InputError`."""
    root = ANSWER if tool.is_answer else CALL
    values = parsed(arguments)
    if not isinstance(values, Mapping):
        raise ValueFault(root, "the arguments have to be an object")
    fields = tool.arguments.fields
    unread = tuple(str(name) for name in values if name not in fields)
    strange = [name for name in unread if name not in tool.arguments.unread]
    if strange and tool.schema.closed:
        raise ValueFault(
            root, f"there is no {', '.join(map(repr, strange))}; there is {', '.join(fields) or 'nothing'}"
        )
    if partial:
        values = _partly(values, tool.arguments, root)
    return Reader().read(values, tool.arguments, root), unread


def _partly(values: Any, type: Any, path: str) -> Any:
    """Return values with markers for what is not filled in yet."""
    if isinstance(type, Record) and isinstance(values, Mapping):
        found = {
            name: _partly(own, type.fields[name].type, f"{path}.{name}")
            for name, own in values.items()
            if name in type.fields
        }
        missing = {name: NotSeen(f"{path}.{name}", own.type) for name, own in type.fields.items() if own.required}
        return {**missing, **found}
    if isinstance(values, list) and hasattr(type, "item"):
        return [_partly(own, type.item, f"{path}[{place}]") for place, own in enumerate(values)]
    return values


def plain_arguments(arguments: Any) -> Any:
    """Return arguments as plain JSON values; as their text where no float says a number of it exactly."""
    if not isinstance(arguments, str | bytes):
        return arguments
    try:
        return _without_decimals(parsed(arguments))
    except ValueError:
        return arguments if isinstance(arguments, str) else arguments.decode()


def _without_decimals(value: Any) -> Any:
    match value:
        case Decimal():
            number = float(value)
            if not math.isfinite(number) or Decimal(repr(number)) != value:
                raise ValueError(value)
            return number
        case list():
            return [_without_decimals(own) for own in value]
        case dict():
            return {name: _without_decimals(own) for name, own in value.items()}
    return value


def shown_arguments(arguments: Any) -> Any:
    """Return arguments that could not be read as something that JSON can say."""
    return arguments if isinstance(arguments, str | int | bool | None | dict | list) else repr(arguments)


def _decision(surroundings: Surroundings, tool: Tool, judged: Judged, mode: Mode) -> Decision:
    policy = surroundings.policy
    asking = judged.kind == "ask"
    assumptions = dict.fromkeys(own for finding in judged.findings for own in finding.assumptions)
    return Decision(
        judged.kind,
        tool.name,
        None,
        judged.findings,
        Coverage(len(judged.findings)),
        mode,
        fetch=fetches(policy, judged.records) if asking else (),
        questions=questions(surroundings, judged.findings, judged.records) if asking else (),
        assumptions=tuple(assumptions),
    )


def _coverage(policy: Policy, tool: Tool, judged: Judged, heard: Listening, unread: tuple[str, ...]) -> Coverage:
    undecided = tuple(own.rule for own in judged.findings if own.status == "undecided")
    notes = [f"the argument {name!r}, which the tool does not declare" for name in unread]
    if not heard.listens:
        deaf = [rule.id for rule in policy.rules_on[tool.name] if rule.needs_words]
        notes += [f"{id}: nobody listened to the words that decide it" for id in deaf]
        if tool.consent:
            notes.append("consent: nobody listened to what the user agreed to")
    return Coverage(len(judged.findings), undecided, tuple(notes))


def _unknown_tool(policy: Policy, tool: str, arguments: Any, mode: Mode) -> Decision:
    known = ", ".join(policy.tools)
    kinds: dict[Literal["ask", "block", "allow"], tuple[Kind, Any]] = {
        "ask": ("ask", "undecided"),
        "block": ("block", "broken"),
        "allow": ("allow", "does not apply"),
    }
    kind, status = kinds[policy.unknown_tools]
    say = f"The policy does not name the tool {tool!r}, so it counts as writing."
    finding = Finding(UNKNOWN_TOOL, status, "block", say, f"it names {known}")
    shown = shown_arguments(arguments)
    question = (f"Is {tool} to be called?",) if kind == "ask" else ()
    coverage = Coverage(0, unread=("the whole call",))
    return Decision(kind, tool, shown, (finding,), coverage, mode, questions=question, no_mend="no rule speaks of it")
