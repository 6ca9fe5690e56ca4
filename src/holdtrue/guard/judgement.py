"""Judge a call by every rule on its tool: by evaluation of seen values, or else by proof."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar, get_args

from holdtrue.budget import OUT_OF_TIME, Budget, Deadline
from holdtrue.guard.decision import CONSENT, UNFOUNDED, UNHEARD, Finding, Kind, Origin, Status
from holdtrue.guard.facts import NoSuchRecord
from holdtrue.guard.listening import Listening
from holdtrue.guard.policy_parts import WRITTEN, Consent, ConsentWay, Rule, RuleOnTool, Severity, Tool
from holdtrue.guard.proving import Proof, prove
from holdtrue.guard.rule_context import RuleContext
from holdtrue.guard.wording import cut, values_in_words
from holdtrue.rules.compilation import DEADLINE, Closure, Env
from holdtrue.rules.values import FactKey, Undecided, Unseen, is_within, show

_log = logging.getLogger(__name__)
QUICK = Budget(timeout_s=0.05)
"""The time limit of a quick judgement, which runs inside an event loop."""
_OFTEN, AT_LEAST_S = 16, 0.5
"""The deadline is checked once in `_OFTEN` rules.

Rules are evaluated for at least `AT_LEAST_S` seconds of processor time, even past the deadline.
"""
Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class Judged:
    """A `Judged` is the verdict of all rules on a call. `records` would show the missing values."""

    kind: Kind
    findings: tuple[Finding, ...]
    records: tuple[FactKey, ...] = ()
    listing: tuple[str, ...] = ()


class TakesLong(Exception):
    """A quick judgement is impossible, because a proof or a mended call is needed."""


def judge(
    context: RuleContext,
    heard: Listening,
    tool: Tool,
    rules: Sequence[Rule],
    budget: Budget,
    *,
    explain: bool = False,
) -> Judged:
    """Return the verdict of all rules on a call; the strictest outcome wins.

    If `explain` is true, kept rules get reasons, too. Raises `TakesLong` in a quick context if a proof is needed or the
    time limit `QUICK` passes.
    """
    deadline = (QUICK if context.is_quick else budget).start()
    context.limit(deadline)
    findings, records = [], dict[FactKey, None]()
    looked_at = [(own, own.tools[tool.name]) for own in rules if own.needs != "words" or heard.listens]
    seen = _looked_at(context, heard, looked_at, deadline, explain)
    for (rule, on_tool), found in zip(looked_at, seen, strict=True):
        finding, shows = _settled(context, found, rule, on_tool, deadline, budget)
        if on_tool.grades and finding.status in ("broken", "undecided"):
            finding, more = _graded(context, heard, finding, (rule, on_tool), deadline, budget, explain=explain)
            shows = (*shows, *more)
        findings.append(finding)
        if finding.severity != "warn":
            records.update(dict.fromkeys(shows))
    findings = [_agreed(own, heard) for own in (*findings, *_unfounded(heard, tool, context))]
    if heard.unheard:
        findings.append(
            Finding(UNHEARD, "undecided", "ask", "Not all that the user said could be read.", heard.unheard)
        )
    broken = {own.severity for own in findings if own.status == "broken"}
    open_ones = {own.rule for own in findings if own.status == "undecided" and own.severity != "warn"}
    # For a call that nobody requested, a yes to the call covers its arguments, too.
    firm = open_ones - {UNFOUNDED} if heard.unasked else open_ones
    kind: Kind = "allow"
    listing: tuple[str, ...] = ()
    if "block" in broken:
        kind = "block"
    elif "ask" in broken or firm:
        kind = "ask"
    elif due := _consent_due(context, heard, tool, deadline, budget):
        kind, listing = "confirm", listed(tool, context)
        why = f"no yes was heard that is known by its {due.how}"
        findings.append(Finding(CONSENT, "undecided", "ask", due.rule.say, why))
    elif open_ones:
        kind = "ask"
    return Judged(kind, tuple(findings), tuple(records), listing)


def _consent_due(
    context: RuleContext, heard: Listening, tool: Tool, deadline: Deadline, budget: Budget
) -> Consent | None:
    """Return the first consent that the call needs and lacks. A consent counts as due if its condition is undecided."""
    consents = context.policy.consents_on.get(tool.name)
    if not consents or not heard.listens:
        return None
    ways = get_args(ConsentWay)
    surer = {*ways[: ways.index(heard.consent) + 1]} if heard.consent else set()
    for own in consents:
        on_tool = own.rule.tools[tool.name]
        if own.how in surer:
            continue
        (seen,) = _looked_at(context, heard, [(own.rule, on_tool)], deadline, explain=False)
        found, _ = _settled(context, seen, own.rule, on_tool, deadline, budget)
        if found.status not in ("holds", "does not apply"):
            return own
    return None


def _settled(
    context: RuleContext, seen: Finding | _Open, rule: Rule, own: RuleOnTool, deadline: Deadline, budget: Budget
) -> tuple[Finding, tuple[FactKey, ...]]:
    """Return the finding on a rule and the records that would decide it. A proof decides a rule that is still open."""
    if isinstance(seen, Finding):
        return seen, ()
    if context.is_quick:
        raise TakesLong
    if deadline.passed:
        return _late(rule), ()
    proved = _tried(_by_proof, context, seen, rule, own, budget)
    return (proved, ()) if isinstance(proved, Finding) else proved


def _graded(
    context: RuleContext,
    heard: Listening,
    finding: Finding,
    of: tuple[Rule, RuleOnTool],
    deadline: Deadline,
    budget: Budget,
    *,
    explain: bool,
) -> tuple[Finding, tuple[FactKey, ...]]:
    """Return a finding with its severity for this call, and the records that would decide the severity.

    The strictest severity counts whose condition is true or undecided.
    """
    (rule, on_tool), found, shows = of, finding, tuple[FactKey, ...]()
    for severity, own in on_tool.grades:
        (seen,) = _looked_at(context, heard, [(rule, own)], deadline, explain)
        found, shows = _settled(context, seen, rule, own, deadline, budget)
        assumptions = tuple(dict.fromkeys((*finding.assumptions, *found.assumptions)))
        finding = replace(finding, severity=severity, assumptions=assumptions)
        if found.status not in ("holds", "does not apply"):
            break
    more = ""
    if found.status == "undecided":
        more = f"whether its severity is {finding.severity} is open, so it counts as that: {found.why}"
    elif explain:
        more = f"its severity is {finding.severity}{': ' * bool(found.why)}{found.why}"
    why, missing = "; ".join(filter(None, (finding.why, more))), dict.fromkeys((*finding.missing, *found.missing))
    return replace(finding, why=why, missing=tuple(missing)), shows


def _late(rule: Rule) -> Finding:
    return replace(rule.found["undecided"], why=OUT_OF_TIME, by="limit")


def _looked_at(
    context: RuleContext,
    heard: Listening,
    rules: Sequence[tuple[Rule, RuleOnTool]],
    deadline: Deadline,
    explain: bool,
) -> list[Finding | _Open]:
    """Return the findings on rules that seen values decide, and an `_Open` for each other rule.

    Evaluation decides most rules at once. Proofs of the others share the remaining time. The first evaluation of a rule
    compiles it, which takes long for thousands of rules.
    """
    began, is_late, seen, known = time.thread_time(), False, list[Finding | _Open](), context.known
    for place, (rule, own) in enumerate(rules):
        if place % _OFTEN == 0 and deadline.passed and not is_late:
            if context.is_quick:
                raise TakesLong
            is_late = time.thread_time() - began >= AT_LEAST_S
        if not explain and own.when is None and not is_late:
            try:  # Seen values keep most rules without a condition, and this is the fast path for them.
                if own.hold_closure(known) is True:
                    seen.append(rule.found["holds"])
                    continue
            except Exception:  # noqa: BLE001  `_seen` reports the error
                pass
        seen.append(_late(rule) if is_late else _tried(_seen, context, heard, rule, own, explain))
    return seen


def _unfounded(heard: Listening, tool: Tool, context: RuleContext) -> list[Finding]:
    """Return the findings on arguments that nobody agreed to and no result shows, as the policy treats them."""
    how = context.policy.unfounded
    severity: Severity = "ask" if how == "ask" or (how == "unasked" and heard.unasked) else "warn"
    call = context.known.get(tool.root, {})
    found = []
    for name in heard.unfounded:
        say = f"Nobody agreed to the {name.replace('_', ' ')}, and nothing shows it."
        why = f"it is {cut(show(call[name], tool.arguments.fields[name].type))}" if name in call else ""
        found.append(Finding(UNFOUNDED, "undecided", severity, say, why, origin=Origin("nobody", 0, "", name)))
    return found


def _agreed(own: Finding, heard: Listening) -> Finding:
    """Return a finding, turned into a kept one if a person was asked about it and said yes."""
    open_now = own.severity == "ask" and own.status in ("broken", "undecided")
    by_word = own.origin is not None or own.status == "broken"
    if not open_now or not by_word or finding_key(own) not in heard.agreed:
        return own
    return replace(own, status="holds", why="a person was asked and said yes")


def finding_key(own: Finding) -> str:
    """Return the key under which the answer to a question is kept: the rule, with the argument if there is one."""
    return f"{own.rule}:{own.origin.argument}" if own.origin is not None and own.origin.argument else own.rule


def listed(tool: Tool, context: RuleContext) -> tuple[str, ...]:
    """Return the arguments of a call in full, one line each. A user must see all of them before a yes counts."""
    call = context.known[tool.root]
    fields = tool.arguments.fields
    return tuple(f"{name.replace('_', ' ')}: {show(own, fields[name].type, None)}" for name, own in call.items())


def _tried(work: Callable[..., Result], context: RuleContext, given: Any, rule: Rule, *more: Any) -> Result | Finding:
    """Return the result of work on a rule. An error in the work leaves the rule undecided."""
    try:
        return work(context, given, rule, *more)
    except Exception as error:  # noqa: BLE001  no error may allow the call
        _log.warning("rule %s could not be checked", rule.id, exc_info=True)
        return replace(rule.found["undecided"], why=failed(error))


def failed(error: Exception) -> str:
    """Return a sentence that says that a check ended in a program error."""
    return f"checking it ended in an error of the program: {type(error).__name__}"


@dataclass(frozen=True, slots=True)
class _Open:
    """An `_Open` has the reason why seen values do not decide a rule, and the values for a proof."""

    error: Undecided | None
    env: Env
    unsaid: tuple[str, ...]


def _seen(context: RuleContext, heard: Listening, rule: Rule, own: RuleOnTool, explain: bool) -> Finding | _Open:
    """Return the finding on a rule that seen values decide, or an `_Open`."""
    status, error = _evaluated(own, context.known)
    if status is not None:
        return _by_evaluation(rule, own, context, status, (), explain)
    unsaid = context.unheard(own.whole) if heard.unsaid == "false" else ()
    env = context.known
    if unsaid:
        env = context.assumed
        status, error = _evaluated(own, env)
        if status is not None:
            needed = _needed(unsaid, lambda fewer: _evaluated(own, context.assuming(fewer))[0] == status)
            return _by_evaluation(rule, own, context, status, needed, explain)
    return _Open(error, env, unsaid)


def _by_proof(
    context: RuleContext, open: _Open, rule: Rule, own: RuleOnTool, budget: Budget
) -> tuple[Finding, tuple[FactKey, ...]]:
    """Return the finding on an open rule by proof, and the records that would decide it."""
    error, env, unsaid = open.error, open.env, open.unsaid
    proof = prove(own.whole, env, budget, own.compiled)
    base = rule.found["undecided"]
    if rule.needs == "facts" and proof.truth != "undecided":
        seen = error.what if isinstance(error, Unseen) else None
        missing = () if seen is None else (seen.path,)
        records = () if seen is None or seen.fact is None else (seen.fact,)
        return replace(base, why=str(error), missing=missing), records
    if isinstance(error, NoSuchRecord) and proof.truth == "undecided" and not proof.missing:
        # A rule that reads a missing record is broken if it applies. If its condition reads one, it is undecided.
        applies = own.when_closure is None or _true(own.when_closure, env)
        return replace(rule.found["broken" if applies else "undecided"], why=str(error)), ()
    if proof.truth == "undecided":
        return replace(base, why=_undecided(context, proof, error), missing=proof.missing), proof.records
    needed = _needed(unsaid, lambda fewer: _proved(own, context.assuming(fewer), budget, proof.truth))
    why = "it holds whatever turns out" if proof.truth == "holds" else "it is broken whatever turns out"
    shown = values_in_words(own.whole, env)
    found = replace(base, status=proof.truth, why=f"{why}: {shown}" if shown else why, by="solver")
    return replace(found, assumptions=(*needed, *proof.assumptions)), ()


def _proved(own: RuleOnTool, env: Env, budget: Budget, truth: str) -> bool:
    return prove(own.whole, env, budget, own.compiled).truth == truth


def _needed(unsaid: Sequence[str], suffices: Callable[[Sequence[str]], bool]) -> tuple[str, ...]:
    """Return, in words, a minimal set of the assumed statements that still suffices."""
    needed = list(unsaid)
    for path in reversed(unsaid):
        fewer = [own for own in needed if own != path]
        if suffices(fewer):
            needed = fewer
    return tuple(map(_assumed, needed))


def _evaluated(own: RuleOnTool, env: Env) -> tuple[Any, Undecided | None]:
    """Return the status of a rule by its seen values, or None and the reason why they do not decide it."""
    try:
        if own.when_closure is not None and not own.when_closure(env):
            return "does not apply", None
    except Undecided as error:
        # If `hold` is true, the rule is kept whether or not it applies.
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
    rule: Rule, own: RuleOnTool, context: RuleContext, status: Status, assumptions: tuple[str, ...], explain: bool
) -> Finding:
    base = rule.found[status]
    if not assumptions and status != "broken" and not explain:
        return base
    why = ""
    if (status == "broken" or explain) and not context.known[DEADLINE].passed:
        node = own.when if status == "does not apply" and own.when is not None else own.whole
        why = values_in_words(node, context.assumed)
    return replace(base, why=why, assumptions=assumptions)


def _assumed(path: str) -> str:
    if path == WRITTEN:
        return "what nobody was heard to write was not written"
    return f"nobody was heard to say {path}, so it counts as not said"


def _undecided(context: RuleContext, proof: Proof, error: Undecided | None) -> str:
    if proof.reason:
        return f"{proof.reason} ({error})" if error is not None and str(error) != proof.reason else proof.reason
    reasons = []
    for path in proof.missing:
        stale = next((why for own, why in context.stale.items() if is_within(path, own)), "")
        if any(is_within(path, own) for own in context.claims):
            reasons.append(f"{cut(path)} was claimed, and no tool can show it")
        else:
            reasons.append(f"{cut(path)} was not seen" + (f": {stale}" if stale else ""))
    if not reasons and error is not None:
        reasons.append(str(error))
    return "; ".join(reasons[:6]) + (f"; and {len(reasons) - 6} more" if len(reasons) > 6 else "")
