"""Decide on a call before it takes effect: read it, judge it, and propose the nearest call that keeps every rule."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, get_args

from holdtrue.budget import Budget
from holdtrue.errors import InputError
from holdtrue.guard.call_commitments import commitment_rules
from holdtrue.guard.call_reading import Extra, read_call
from holdtrue.guard.decision import (
    FAULT,
    NO_PROPOSAL,
    OVERRIDE,
    SAID_WITH_YES,
    SCHEMA,
    UNDECLARED,
    UNKNOWN_TOOL,
    Coverage,
    Decision,
    Fetched,
    Finding,
    Kind,
    Mend,
    Mode,
    Proposal,
)
from holdtrue.guard.decision_record import given_facts, given_json
from holdtrue.guard.facts import Facts
from holdtrue.guard.fetching import Fetches, fetches, questions
from holdtrue.guard.json_values import arguments_of, plain, recorded
from holdtrue.guard.judgement import Judged, TakesLong, failed, judge
from holdtrue.guard.listening import Listening
from holdtrue.guard.pending import NewCall, look_at_pending, not_yet_decided, other_orders, with_pending
from holdtrue.guard.policy_parts import SAID, ConsentWay, PolicyParts, Rule, Tool
from holdtrue.guard.rule_context import RuleContext, make_context
from holdtrue.guard.wording import cut
from holdtrue.rules.paths import shortened, some_of
from holdtrue.rules.tools import ToolSchema
from holdtrue.rules.types import Record
from holdtrue.rules.values import NotSeen, Reader, ValueFault, field_path, to_json

_log = logging.getLogger(__name__)
NO_TOOL = Tool(ToolSchema("", "", Record({}), None, True, ()), Record({}), writes=False)
"""A stand-in for a tool at the end of a conversation, and for tools that the policy does not name."""
LIMIT = Budget(timeout_s=2.0)
"""The default time limit for deciding one call. Mending it may take the same time again."""


@dataclass(frozen=True, slots=True)
class HowDecided:
    """A `HowDecided` holds the settings of a decision.

    Attributes:
        now: The moment of the call (ISO 8601). The default is the one that the policy states.
        mode: In mode `observe`, calls are decided on as usual, but no call is stopped.
        budget: The time limit for proving. Mending may take the same time again.
        mend: Whether to look for a mended call if the call is blocked.
        partial: Whether arguments may still be filled in.
        explain: Whether to give reasons for rules that are kept, too.
    """

    now: str | None = None
    mode: Mode = "enforce"
    budget: Budget = LIMIT
    mend: bool = True
    partial: bool = False
    explain: bool = False


USUALLY = HowDecided()


def check(
    policy: PolicyParts,
    tool: str,
    arguments: Any,
    facts: Facts,
    heard: Listening | None = None,
    how: HowDecided = USUALLY,
    *,
    quick: bool = False,
) -> Decision:
    """Return the decision on a call, or on a structured answer, before it takes effect.

    `arguments` are JSON, as values or as text; malformed ones are blocked. Raises `InputError` for a malformed moment
    or statement. If `quick` is true, it raises `TakesLong` for a call that needs a proof.
    """
    listening = heard or Listening(unsaid=policy.unsaid)
    _check_settings(how, listening)
    said, call = recorded(listening.said), recorded(arguments)
    now = how.now if isinstance(how.now, str) else plain(how.now)
    how = replace(how, now=now)
    if said is not None:
        listening = replace(listening, said=arguments_of(said))
    own = policy.tools.get(tool)
    context = make_context(policy, NO_TOOL if own is None else own, {}, facts, now, listening.said, listening.unread)
    context.is_quick = quick
    shown = context
    try:
        if own is None:
            decision = _unknown_tool(policy, tool, call, how.mode)
        else:
            if listening.pending and quick:
                raise TakesLong
            if listening.pending:
                # Earlier calls have the effects that the policy declares.
                after = with_pending(policy, facts, listening.pending)
                context = make_context(policy, own, {}, after, now, listening.said, listening.unread)
            decision = _decided(context, shown, listening, own, call, how)
            shown.answers = context.answers
    except TakesLong:
        raise
    except Exception as error:  # noqa: BLE001  whatever it was, the call must not be allowed
        _log.warning("a call of %s could not be checked", tool, exc_info=True)
        decision = _failed(tool, call, how.mode, failed(error))
    if listening.override and decision.kind != "allow" and _is_readable(call):
        let = Finding(OVERRIDE, "holds", "warn", f"Let through by {listening.override}")
        decision = replace(decision, kind="allow", findings=(*decision.findings, let), proposal=NO_PROPOSAL)
    given = {"said": said, "mode": how.mode, "partial": how.partial, "mend": how.mend, "explain": how.explain}
    given["timeout_s"] = how.budget.timeout_s
    return replace(decision, made_from=lambda: {**given_json(shown, listening, now, tool), **given})


def _check_settings(how: HowDecided, heard: Listening) -> None:
    """Raise `InputError` for an invalid setting, because a typo must not switch the guard off."""
    if how.mode not in ("enforce", "observe"):
        raise InputError(f"mode is 'enforce' or 'observe', not {how.mode!r:.60}")
    if heard.unsaid not in ("false", "unknown"):
        raise InputError(f"unsaid is 'false' or 'unknown', not {heard.unsaid!r:.60}")
    if heard.consent not in ("", *get_args(ConsentWay)):
        raise InputError(f"consent is {' or '.join(get_args(ConsentWay))}, or empty, not {heard.consent!r:.60}")
    flags: dict[str, object] = {"listen": heard.listens, "mend": how.mend, "partial": how.partial}
    for name, value in {**flags, "explain": how.explain}.items():
        if not isinstance(value, bool):
            raise InputError(f"{name} is True or False, not {value!r:.60}")


def _decided(
    context: RuleContext, settled: RuleContext, heard: Listening, tool: Tool, arguments: Any, how: HowDecided
) -> Decision:
    """Return the decision on a call of a known tool. `arguments` are in recorded form.

    `settled` is the context without the effects of pending calls.
    """
    limit = how.budget.shared()
    try:
        call, extras = read_call(tool, arguments, partial=how.partial)
    except InputError as error:
        finding = Finding(SCHEMA, "broken", "block", f"The arguments do not fit {tool.name}.", cut(str(error)))
        why = "a call that does not fit its tool is not mended"
        return Decision("block", tool.name, arguments, (finding,), Coverage(0), how.mode, proposal=Proposal.of(why))
    context.call(tool, call)
    policy = context.policy
    rules = (*policy.rules_on[tool.name], *commitment_rules(policy, heard, tool, call))
    new = NewCall(tool, call, arguments)
    judged = _judged(context, settled, heard, new, rules, how, limit)
    if judged.kind in ("block", "ask") and heard.listens and (said := _said_with_yes(context, heard, tool, call)):
        shown = {name: to_json(own, policy.said[name].type) for name, own in said.items()}
        # A yes in other words than the listing's does not say these values.
        with_yes = replace(heard, said={**(heard.said or {}), **shown}, consent=heard.consent or "words")
        agreed = _judged(context.saying(said), settled, with_yes, new, rules, how, limit)
        if agreed.kind == "confirm" or (agreed.kind == "allow" and heard.consent in ("listing", "answer")):
            why = f"the user's yes to this call also says {' and '.join(field_path(SAID, own) for own in said)}"
            finding = Finding(SAID_WITH_YES, "holds", "warn", "A yes says what it names.", assumptions=(why,))
            judged = replace(agreed, findings=(*agreed.findings, finding))
    undeclared = [own for own in extras if not own.declared] if policy.undeclared == "block" else []
    if undeclared:
        judged = replace(judged, kind="block", findings=(*judged.findings, _not_declared(undeclared)))
    if judged.kind == "confirm":
        judged = replace(judged, listing=(*judged.listing, *(own.line for own in extras)))
    coverage = _coverage(context, tool, judged, heard, extras)
    decision = _decision(context, heard, tool, arguments, judged, coverage, how.mode)
    if judged.kind != "block":
        return decision
    if not how.mend:
        return replace(decision, proposal=Proposal.of("nobody asked for a mended call"))
    if undeclared:
        why = f"a mend leaves no argument out, and {_paths(undeclared)} would have to go"
        return replace(decision, proposal=Proposal.of(why))

    def look() -> Mend | str:
        from holdtrue.guard.mending import Trial, mended

        context.is_quick = False
        trial = Trial(context, heard, tool, call, arguments_of(arguments), rules, how.partial)
        found = mended(trial, judged, how.budget.shared())
        if heard.pending:
            look_at_pending(settled, heard, context.used)
        return found

    return replace(decision, proposal=Proposal(look))


def _judged(
    context: RuleContext,
    settled: RuleContext,
    heard: Listening,
    new: NewCall,
    rules: Sequence[Rule],
    how: HowDecided,
    limit: Budget,
) -> Judged:
    """Return the verdict on a call in every order with the pending calls."""
    judged = judge(context, heard, new.tool, rules, limit, explain=how.explain)
    if not heard.pending:
        return judged
    look_at_pending(settled, heard, context.used)
    judged = not_yet_decided(settled, how.now, heard, new, rules, judged, limit)
    return other_orders(settled, how.now, heard, new, judged, limit)


def _said_with_yes(context: RuleContext, heard: Listening, tool: Tool, call: Mapping[str, Any]) -> dict[str, Any]:
    """Return the statements that nobody was heard to make, with the values of the arguments of the same names."""
    found = {}
    for name, own in context.policy.said.items():
        value = call.get(name)
        if value is None or isinstance(value, NotSeen) or own.claim or name in (heard.said or {}):
            continue
        try:
            found[name] = Reader().read(to_json(value, tool.arguments.fields[name].type), own.type, name)
        except ValueFault:
            continue  # The argument has a value that the statement cannot have.
    return found


def _not_declared(found: Sequence[Extra]) -> Finding:
    there = f"there is {', '.join(found[0].beside[:40]) or 'no such name'}"
    return Finding(UNDECLARED, "broken", "block", f"No argument {_paths(found)} is declared.", cut(there))


def _paths(found: Sequence[Extra]) -> str:
    return some_of([own.path for own in found], 8)


def _failed(tool: str, arguments: Any, mode: Mode, why: str) -> Decision:
    say = f"The call of {tool} could not be checked."
    finding = Finding(FAULT, "undecided", "block", say, why)
    coverage = Coverage(0, (FAULT,), ("the whole call",))
    return Decision("ask", tool, arguments, (finding,), coverage, mode, questions=(f"{say} Is it to be made?",))


def replay(policy: PolicyParts, record: Mapping[str, Any]) -> Decision:
    """Return the decision anew from its record (`Decision.to_json`) alone.

    Raises `InputError` if another policy made the record. A decision that ran out of time may come out decided.
    """
    given = record["given"]
    flags = {name: given[name] for name in ("now", "mode", "mend", "partial", "explain")}
    how = HowDecided(**flags, budget=Budget(given["timeout_s"]))
    facts, heard = given_facts(policy, given), Listening.of(given)
    fetched = tuple(Fetched(**own) for own in record.get("fetched", ()))
    return replace(check(policy, record["tool"], record["arguments"], facts, heard, how), fetched=fetched)


def unmet(
    policy: PolicyParts,
    facts: Facts,
    *,
    now: str | None = None,
    said: Mapping[str, Any] | None = None,
    heard: Listening | None = None,
    budget: Budget = LIMIT,
) -> tuple[Finding, ...]:
    """Return the obligations that are broken or undecided at the end of a conversation.

    `said` are the values that the user stated, as in `Policy.check`. A guard gives all that it heard as `heard`.
    """
    listening = heard or Listening(said, policy.unsaid)
    context = make_context(policy, NO_TOOL, {}, facts, now, listening.said, listening.unread)
    judged = judge(context, listening, NO_TOOL, policy.obligations, budget.shared())
    return tuple(own for own in judged.findings if own.status in ("broken", "undecided"))


def _decision(
    context: RuleContext,
    heard: Listening,
    tool: Tool,
    arguments: Any,
    judged: Judged,
    coverage: Coverage,
    mode: Mode,
) -> Decision:
    asking = judged.kind == "ask"
    assumptions = dict.fromkeys(own for finding in judged.findings for own in finding.assumptions)
    blocking = [own for own in judged.findings if own.status == "broken" and own.severity == "block"]
    # A broken rule with unseen values has a severity that may turn out to be milder.
    may_change = asking or (judged.kind == "block" and all(own.missing for own in blocking))
    found = fetches(context, judged.findings, judged.records) if may_change else Fetches()
    return Decision(
        judged.kind,
        tool.name,
        arguments,
        judged.findings,
        coverage,
        mode,
        fetch=tuple(found.calls),
        questions=tuple(dict.fromkeys((*questions(context, judged.findings), *found.questions))) if asking else (),
        waits=tuple(dict.fromkeys(found.waits)),
        listing=judged.listing,
        assumptions=tuple(assumptions),
    )


def _coverage(
    context: RuleContext, tool: Tool, judged: Judged, heard: Listening, extras: tuple[Extra, ...]
) -> Coverage:
    policy = context.policy
    undecided = tuple(own.rule for own in judged.findings if own.status == "undecided")
    notes = [own.note for own in extras]
    notes += [f"{path}: {why}" for path, why in context.stale.items()]
    if not heard.listens:
        deaf = [rule.id for rule in policy.rules_on[tool.name] if rule.needs == "words"]
        notes += [f"{id}: nobody listened to the words that decide it" for id in deaf]
        if policy.consents_on[tool.name]:
            notes.append("consent: nobody listened to what the user agreed to")
    return Coverage(len(judged.findings), undecided, tuple(notes))


def _unknown_tool(policy: PolicyParts, tool: str, arguments: Any, mode: Mode) -> Decision:
    known = ", ".join(policy.tools) or "none"
    kinds: dict[Literal["ask", "block", "allow"], tuple[Kind, Any]] = {
        "ask": ("ask", "undecided"),
        "block": ("block", "broken"),
        "allow": ("allow", "does not apply"),
    }
    kind, status = kinds[policy.unknown_tools]
    if kind == "allow" and not _is_readable(arguments):
        kind, status = kinds["block"]
    say = f"The policy does not name the tool {shortened(tool)}, so it counts as writing."
    finding = Finding(UNKNOWN_TOOL, status, "block", say, f"it names {known}")
    question = (f"Is {shortened(tool)} to be called?",) if kind == "ask" else ()
    coverage, proposal = Coverage(0, unread=("the whole call",)), Proposal.of("no rule speaks of it")
    return Decision(kind, tool, arguments, (finding,), coverage, mode, questions=question, proposal=proposal)


def _is_readable(arguments: Any) -> bool:
    """Return whether recorded arguments are an object. Nobody can let an unreadable call through."""
    try:
        return isinstance(arguments_of(arguments), Mapping)
    except InputError:
        return False
