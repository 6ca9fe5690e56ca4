"""Decide on a call before it takes effect: read it, judge it, and propose the nearest call that keeps every rule."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

from holdtrue.budget import Budget
from holdtrue.errors import InputError
from holdtrue.guard.call_commitments import commitment_rules, with_agreed_values
from holdtrue.guard.checking import Judged, failed, judge
from holdtrue.guard.decision import Coverage, Decision, Finding, Given, Kind, Mend, Mode
from holdtrue.guard.facts import Facts
from holdtrue.guard.fetching import fetches, questions, without_failed
from holdtrue.guard.finding_names import FAULT, OVERRIDE, SCHEMA, UNKNOWN_TOOL
from holdtrue.guard.given import given_facts, given_json
from holdtrue.guard.json_values import arguments_of, json_text, plain, recorded
from holdtrue.guard.listening import Listening
from holdtrue.guard.mending import Trial, mended
from holdtrue.guard.pending import NewCall, look_at_pending, not_yet_decided, other_orders, with_pending
from holdtrue.guard.policy_parts import Tool
from holdtrue.guard.surroundings import ANSWER, CALL, Surroundings, surround
from holdtrue.guard.wording import LONGEST, cut
from holdtrue.rules.paths import shortened
from holdtrue.rules.tools import ToolSchema
from holdtrue.rules.types import ListOf, Record, without_null
from holdtrue.rules.values import NotSeen, Reader, ValueFault, field_path

if TYPE_CHECKING:
    from holdtrue.guard.policy import Policy

_log = logging.getLogger(__name__)
_NO_TOOL = Tool(ToolSchema("", "", Record({}), None, True, True, ()), Record({}), writes=False)
"""What stands for a tool where there is none: at the end of a conversation, and for tools that no policy names."""
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
    _check_settings(mode, listening, mend=mend, partial=partial, explain=explain)
    said, call = recorded(listening.said), recorded(arguments)
    now = now if isinstance(now, str) else plain(now)
    if said is not None:
        listening = replace(listening, said=arguments_of(said))
    own = policy.tools.get(tool)
    surroundings = surround(policy, _NO_TOOL if own is None else own, {}, facts, now, listening.said, listening.unread)
    shown = surroundings
    settings = Settings(mode, budget, mend, partial, explain, now)
    try:
        if own is None:
            decision = _unknown_tool(policy, tool, call, mode)
        else:
            if listening.pending:
                # Those before have their effects, as far as the policy declares them.
                after = with_pending(policy, facts, listening.pending)
                surroundings = surround(policy, own, {}, after, now, listening.said, listening.unread)
            decision = _decided(surroundings, shown, listening, own, call, settings)
    except Exception as error:  # noqa: BLE001  whatever it was, the call must not be allowed
        _log.warning("a call of %s could not be checked", tool, exc_info=True)
        decision = _failed(tool, call, mode, failed(error))
    if listening.override and decision.kind != "allow":
        let = Finding(OVERRIDE, "holds", "warn", f"Let through by {listening.override}")
        decision = replace(decision, kind="allow", findings=(*decision.findings, let), mend=None, no_mend="")
    given = {"said": said, "mode": mode, "partial": partial, "mend": mend, "explain": explain}
    given["timeout_s"] = budget.timeout_s
    return replace(decision, given=Given(lambda: {**given_json(shown, listening, now, tool), **given}))


def _check_settings(mode: object, heard: Listening, **flags: object) -> None:
    """Raise `InputError` for a setting that is none: a slip must not switch the guard off."""
    if mode not in ("enforce", "observe"):
        raise InputError(f"mode is 'enforce' or 'observe', not {mode!r:.60}")
    if heard.unsaid not in ("false", "unknown"):
        raise InputError(f"unsaid is 'false' or 'unknown', not {heard.unsaid!r:.60}")
    for name, value in {"consent": heard.consent, "listen": heard.listens, **flags}.items():
        if not isinstance(value, bool):
            raise InputError(f"{name} is True or False, not {value!r:.60}")


@dataclass(frozen=True, slots=True)
class Settings:
    """`Settings` say how a call is decided on; see `check`."""

    mode: Mode
    budget: Budget
    mend: bool
    partial: bool
    explain: bool
    now: str | None


def _decided(
    surroundings: Surroundings, settled: Surroundings, heard: Listening, tool: Tool, arguments: Any, settings: Settings
) -> Decision:
    """Return the decision on a call of a tool that the policy names; `arguments` are as they will be recorded.

    `settled` are the surroundings without the effects of pending calls.
    """
    limit = settings.budget.shared()
    try:
        call, unread = read_call(tool, arguments, partial=settings.partial)
    except InputError as error:
        finding = Finding(SCHEMA, "broken", "block", f"The arguments do not fit {tool.name}.", cut(str(error)))
        why = "the arguments cannot be read"
        return Decision("block", tool.name, arguments, (finding,), Coverage(0), settings.mode, no_mend=why)
    surroundings.call(tool, call)
    policy = surroundings.policy
    rules = (*policy.rules_on[tool.name], *commitment_rules(policy, heard, tool, call))
    judged = judge(surroundings, heard, tool, rules, limit, explain=settings.explain)
    if heard.pending:
        look_at_pending(settled, heard, surroundings.used)
        new = NewCall(tool, call, arguments)
        judged = not_yet_decided(settled, settings.now, heard, new, rules, judged, limit)
        judged = other_orders(settled, settings.now, heard, new, judged, limit)
    coverage = _coverage(surroundings, tool, judged, heard, unread)
    decision = _decision(surroundings, heard, tool, arguments, judged, coverage, settings.mode)
    if judged.kind == "confirm" and unread:
        values = arguments_of(arguments)
        names = {name: cut(name) if name.isidentifier() else shortened(name) for name in unread}
        more = (f"{shown}: {json_text(values[name], LONGEST)}" for name, shown in names.items())
        return replace(decision, listing=(*decision.listing, *more))
    if judged.kind != "block":
        return decision
    if not settings.mend:
        return replace(decision, no_mend="nobody asked for a mended call")
    trial = Trial(surroundings, heard, tool, call, arguments_of(arguments), rules)
    found = _mended(trial, judged, settings.budget.shared())
    return replace(decision, mend=found) if not isinstance(found, str) else replace(decision, no_mend=found)


def _mended(trial: Trial, judged: Judged, budget: Budget) -> Mend | str:
    """Return the nearest call that keeps everything: what was agreed is put in its place, and then the rest mended."""
    try:
        broken = frozenset(own.rule for own in judged.findings if own.status == "broken")
        call, arguments, forced = with_agreed_values(trial.heard, trial.tool, trial.call, trial.arguments, broken)
        if not forced:
            return mended(trial, budget)
        around = trial.surroundings
        around.call(trial.tool, call)
        policy, heard = around.policy, replace(trial.heard, consent=True, unfounded=())
        rules = (*policy.rules_on[trial.tool.name], *commitment_rules(policy, heard, trial.tool, call))
        if judge(around, heard, trial.tool, rules, budget).kind == "allow":
            return Mend(arguments, forced, True)
        found = mended(replace(trial, call=call, arguments=arguments, rules=rules, heard=heard), budget)
        return found if isinstance(found, str) else replace(found, changes=(*forced, *found.changes))
    except Exception as error:  # noqa: BLE001  the call is blocked all the same
        _log.warning("a call of %s could not be mended", trial.tool.name, exc_info=True)
        return failed(error)


def _failed(tool: str, arguments: Any, mode: Mode, why: str) -> Decision:
    say = f"The call of {tool} could not be checked."
    finding = Finding(FAULT, "undecided", "block", say, why)
    coverage = Coverage(0, (FAULT,), ("the whole call",))
    return Decision("ask", tool, arguments, (finding,), coverage, mode, questions=(f"{say} Is it to be made?",))


def replay(policy: Policy, record: Mapping[str, Any]) -> Decision:
    """Return the decision that a record was made of, from the record alone.

    `record` is what `Decision.to_json` gave. Raises `InputError` for one of another policy. A decision that ran out of
    time may be decided on another day.
    """
    given = record["given"]
    return check(
        policy,
        record["tool"],
        record["arguments"],
        given_facts(policy, given),
        now=given["now"],
        heard=Listening.of(given),
        mode=given["mode"],
        budget=Budget(given["timeout_s"]),
        mend=given["mend"],
        partial=given["partial"],
        explain=given["explain"],
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
    surroundings = surround(policy, _NO_TOOL, {}, facts, now, listening.said, listening.unread)
    judged = judge(surroundings, listening, _NO_TOOL, policy.obligations, budget.shared())
    return tuple(own for own in judged.findings if own.status in ("broken", "undecided"))


def read_call(tool: Tool, arguments: Any, *, partial: bool) -> tuple[dict[str, Any], tuple[str, ...]]:
    """Return the arguments as values, and the names of those that the tool does not have. Raises `InputError`."""
    root = ANSWER if tool.is_answer else CALL
    values = arguments_of(arguments)
    if not isinstance(values, Mapping):
        raise ValueFault(root, "the arguments have to be an object")
    fields = tool.arguments.fields
    unread = tuple(str(name) for name in values if name not in fields)
    strange = [name for name in unread if name not in tool.arguments.unread]
    if strange and tool.schema.closed:
        raise ValueFault(
            root, f"there is no {', '.join(map(shortened, strange))}; there is {', '.join(fields) or 'nothing'}"
        )
    if partial:
        values = _partly(values, tool.arguments, root)
    return Reader().read(values, tool.arguments, root), unread


def _partly(values: Any, type: Any, path: str) -> Any:
    """Return values with markers for what is not filled in yet."""
    own = without_null(type)
    if isinstance(own, Record) and isinstance(values, Mapping):
        return {
            name: _partly(values[name], field.type, field_path(path, name))
            if name in values
            else NotSeen(field_path(path, name), field.type, None, field.required)
            for name, field in own.fields.items()
        }
    if isinstance(own, ListOf) and isinstance(values, list):
        return [_partly(each, own.item, f"{path}[{place}]") for place, each in enumerate(values)]
    return values


def _decision(
    surroundings: Surroundings,
    heard: Listening,
    tool: Tool,
    arguments: Any,
    judged: Judged,
    coverage: Coverage,
    mode: Mode,
) -> Decision:
    policy = surroundings.policy
    asking = judged.kind == "ask"
    assumptions = dict.fromkeys(own for finding in judged.findings for own in finding.assumptions)
    fetch = fetches(policy, judged.records, surroundings.facts.unread) if asking else ()
    fetch, asked = without_failed(fetch, heard.failed)
    return Decision(
        judged.kind,
        tool.name,
        arguments,
        judged.findings,
        coverage,
        mode,
        fetch=fetch,
        questions=(*asked, *questions(surroundings, judged.findings, judged.records)) if asking else (),
        listing=judged.listing,
        assumptions=tuple(assumptions),
    )


def _coverage(
    surroundings: Surroundings, tool: Tool, judged: Judged, heard: Listening, unread: tuple[str, ...]
) -> Coverage:
    policy = surroundings.policy
    undecided = tuple(own.rule for own in judged.findings if own.status == "undecided")
    notes = [f"the argument {shortened(name)}, which the tool does not declare" for name in unread]
    notes += [f"{path}: {why}" for path, why in surroundings.stale.items()]
    if not heard.listens:
        deaf = [rule.id for rule in policy.rules_on[tool.name] if rule.needs == "words"]
        notes += [f"{id}: nobody listened to the words that decide it" for id in deaf]
        if tool.consent:
            notes.append("consent: nobody listened to what the user agreed to")
    return Coverage(len(judged.findings), undecided, tuple(notes))


def _unknown_tool(policy: Policy, tool: str, arguments: Any, mode: Mode) -> Decision:
    known = ", ".join(policy.tools) or "none"
    kinds: dict[Literal["ask", "block", "allow"], tuple[Kind, Any]] = {
        "ask": ("ask", "undecided"),
        "block": ("block", "broken"),
        "allow": ("allow", "does not apply"),
    }
    kind, status = kinds[policy.unknown_tools]
    if kind == "allow" and not isinstance(_values_or_none(arguments), Mapping):
        kind, status = kinds["block"]
    say = f"The policy does not name the tool {shortened(tool)}, so it counts as writing."
    finding = Finding(UNKNOWN_TOOL, status, "block", say, f"it names {known}")
    question = (f"Is {shortened(tool)} to be called?",) if kind == "ask" else ()
    coverage, no_mend = Coverage(0, unread=("the whole call",)), "no rule speaks of it"
    return Decision(kind, tool, arguments, (finding,), coverage, mode, questions=question, no_mend=no_mend)


def _values_or_none(arguments: Any) -> Any:
    """Return arguments as values, or None where they cannot be read."""
    try:
        return arguments_of(arguments)
    except InputError:
        return None
