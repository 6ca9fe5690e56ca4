"""Judge a call that was read: every rule on its tool, by evaluation of what is seen, else by proof."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from holdtrue.budget import Budget
from holdtrue.guard.decision import CONSENT, Finding, Kind, Status
from holdtrue.guard.policy import Rule, RuleOnTool, Tool, Unsaid
from holdtrue.guard.proving import Proof, prove
from holdtrue.guard.surroundings import ANSWER, CALL, SAID, WRITTEN, Surroundings
from holdtrue.guard.wording import values_in_words
from holdtrue.rules.closure import Closure, Env
from holdtrue.rules.values import FactKey, Undecided, show


@dataclass(frozen=True, slots=True)
class Listening:
    """What is known of the words of a conversation.

    Attributes:
        said: What users were heard to say.
        unsaid: What of the rest counts as not said, or may have been said.
        consent: Whether the user said yes to just these arguments.
        listens: Whether anybody listens: if not, rules that only words decide are not looked at, nor is consent.
    """

    said: Mapping[str, Any] | None = None
    unsaid: Unsaid = "false"
    consent: bool = False
    listens: bool = True


@dataclass(frozen=True, slots=True)
class Judged:
    """The findings on a call, and what its rules together demand. `records` would show what is missing."""

    kind: Kind
    findings: tuple[Finding, ...]
    records: tuple[FactKey, ...] = ()
    listing: tuple[str, ...] = ()


def judge(
    surroundings: Surroundings,
    heard: Listening,
    tool: Tool,
    rules: Sequence[Rule],
    budget: Budget,
    *,
    explain: bool = False,
) -> Judged:
    """Return what all rules say of a call; the strictest wins. `explain` gives reasons for rules that are kept, too."""
    findings, records = [], dict[FactKey, None]()
    for rule in rules:
        if rule.needs_words and not heard.listens:
            continue
        finding, own = _found(surroundings, heard, rule, rule.tools[tool.name], budget, explain)
        findings.append(finding)
        if finding.status == "undecided" and finding.severity != "warn":
            records.update(dict.fromkeys(own))
    broken = {own.severity for own in findings if own.status == "broken"}
    open_ones = any(own.status == "undecided" and own.severity != "warn" for own in findings)
    kind: Kind = "allow"
    listing: tuple[str, ...] = ()
    if "block" in broken:
        kind = "block"
    elif "ask" in broken or open_ones:
        kind = "ask"
    elif tool.consent and heard.listens and not heard.consent:
        kind, listing = "confirm", listed(tool, surroundings)
        say = f"The user has to hear all arguments of {tool.name} and say yes to just these."
        findings.append(Finding(CONSENT, "undecided", "ask", say, "no yes was heard"))
    return Judged(kind, tuple(findings), tuple(records), listing)


def listed(tool: Tool, surroundings: Surroundings) -> tuple[str, ...]:
    """Return the arguments of a call, as a user is told them."""
    call = surroundings.known[ANSWER if tool.is_answer else CALL]
    fields = tool.arguments.fields
    return tuple(f"{name.replace('_', ' ')}: {show(own, fields[name].type)}" for name, own in call.items())


def _found(
    surroundings: Surroundings, heard: Listening, rule: Rule, own: RuleOnTool, budget: Budget, explain: bool
) -> tuple[Finding, tuple[FactKey, ...]]:
    """Return the finding on one rule, and the records that would settle it."""
    status, error = _evaluated(own, surroundings.known)
    if status is not None:
        return _by_evaluation(rule, own, surroundings, status, (), explain), ()
    unsaid = surroundings.depends_on_unsaid(own.whole) if heard.unsaid == "false" else ()
    assumptions = tuple(_assumed(name) for name in unsaid)
    env = surroundings.known
    if unsaid:
        env = surroundings.assumed
        status, error = _evaluated(own, env)
        if status is not None:
            return _by_evaluation(rule, own, surroundings, status, assumptions, explain), ()
    proof = prove(own.whole, env, budget, own.compiled)
    base = rule.found["undecided"]
    if proof.truth == "undecided":
        return replace(base, why=_undecided(surroundings, proof, error), missing=proof.missing), proof.records
    status = proof.truth
    why = "it holds whatever turns out" if status == "holds" else "it is broken whatever turns out"
    shown = values_in_words(own.whole, env)
    found = replace(base, status=status, why=f"{why}: {shown}" if shown else why, by="solver")
    return replace(found, assumptions=(*assumptions, *proof.assumptions)), ()


def _evaluated(own: RuleOnTool, env: Env) -> tuple[Any, Undecided | None]:
    """Return the status of a rule by what is seen, or None and the reason why that does not settle it."""
    try:
        if own.when_closure is not None and not own.when_closure(env):
            return "does not apply", None
    except Undecided as error:
        # What holds anyway holds where the rule applies, too.
        return ("holds", None) if _true(own.hold_closure, env) else (None, error)
    try:
        return ("holds" if own.hold_closure(env) else "broken"), None
    except Undecided as error:
        return None, error


def _true(closure: Closure, env: Env) -> bool:
    try:
        return bool(closure(env))
    except Undecided:
        return False


def _by_evaluation(
    rule: Rule, own: RuleOnTool, surroundings: Surroundings, status: Status, assumptions: tuple[str, ...], explain: bool
) -> Finding:
    base = rule.found[status]
    if not assumptions and status != "broken" and not explain:
        return base
    why = ""
    if status == "broken" or explain:
        node = own.when if status == "does not apply" and own.when is not None else own.whole
        why = values_in_words(node, surroundings.assumed)
    return replace(base, why=why, assumptions=assumptions)


def _assumed(name: str) -> str:
    if name == WRITTEN:
        return "what nobody was heard to write was not written"
    return f"nobody was heard to say {SAID}.{name}, so it counts as not said"


def _undecided(surroundings: Surroundings, proof: Proof, error: Undecided | None) -> str:
    if proof.reason:
        return f"{proof.reason} ({error})" if error is not None else proof.reason
    reasons = []
    for path in proof.missing:
        name = path.removeprefix(f"{SAID}.")
        stale = next((why for own, why in surroundings.stale.items() if path.startswith(own)), "")
        if name in surroundings.claims:
            reasons.append(f"{path} was claimed, and no tool can show it")
        else:
            reasons.append(f"{path} was not seen" + (f" in time: {stale}" if stale else ""))
    if not reasons and error is not None:
        reasons.append(str(error))
    return "; ".join(reasons[:6]) + (f"; and {len(reasons) - 6} more" if len(reasons) > 6 else "")
