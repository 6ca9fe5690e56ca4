"""Judge a call that was read: every rule on its tool, by evaluation of what is seen, else by proof."""

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
from holdtrue.guard.surroundings import Surroundings
from holdtrue.guard.wording import cut, values_in_words
from holdtrue.rules.compilation import DEADLINE, Closure, Env
from holdtrue.rules.values import FactKey, Undecided, Unseen, is_within, show

_log = logging.getLogger(__name__)
QUICK = Budget(timeout_s=0.05)
"""The limit of a quick look, which an event loop waits for."""
_OFTEN, AT_LEAST_S = 16, 0.5
"""So much time of the processor rules are evaluated for, whatever the limit of a decision is."""
Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class Judged:
    """The findings on a call, and what its rules together demand. `records` would show what is missing."""

    kind: Kind
    findings: tuple[Finding, ...]
    records: tuple[FactKey, ...] = ()
    listing: tuple[str, ...] = ()


class TakesLong(Exception):
    """A call cannot be decided by a quick look: a proof or a mended call has to be looked for."""


def judge(
    surroundings: Surroundings,
    heard: Listening,
    tool: Tool,
    rules: Sequence[Rule],
    budget: Budget,
    *,
    explain: bool = False,
) -> Judged:
    """Return what all rules say of a call; the strictest wins. `explain` gives reasons for rules that are kept, too.

    Raises `TakesLong` in surroundings that are for a quick look, where a proof is needed or `QUICK` is over.
    """
    deadline = (QUICK if surroundings.is_quick else budget).start()
    surroundings.limit(deadline)
    findings, records = [], dict[FactKey, None]()
    looked_at = [(own, own.tools[tool.name]) for own in rules if own.needs != "words" or heard.listens]
    seen = _looked_at(surroundings, heard, looked_at, deadline, explain)
    for (rule, on_tool), found in zip(looked_at, seen, strict=True):
        finding, shows = _settled(surroundings, found, rule, on_tool, deadline, budget)
        findings.append(finding)
        if finding.status == "undecided" and finding.severity != "warn":
            records.update(dict.fromkeys(shows))
    findings = [_agreed(own, heard) for own in (*findings, *_unfounded(heard, tool, surroundings))]
    if heard.unheard:
        findings.append(
            Finding(UNHEARD, "undecided", "ask", "Not all that the user said could be read.", heard.unheard)
        )
    broken = {own.severity for own in findings if own.status == "broken"}
    open_ones = {own.rule for own in findings if own.status == "undecided" and own.severity != "warn"}
    # A yes to the whole of a call that nobody asked for answers for its arguments, too.
    firm = open_ones - {UNFOUNDED} if heard.unasked else open_ones
    kind: Kind = "allow"
    listing: tuple[str, ...] = ()
    if "block" in broken:
        kind = "block"
    elif "ask" in broken or firm:
        kind = "ask"
    elif due := _consent_due(surroundings, heard, tool, deadline, budget):
        kind, listing = "confirm", listed(tool, surroundings)
        why = f"no yes was heard that is known by its {due.how}"
        findings.append(Finding(CONSENT, "undecided", "ask", due.rule.say, why))
    elif open_ones:
        kind = "ask"
    return Judged(kind, tuple(findings), tuple(records), listing)


def _consent_due(
    surroundings: Surroundings, heard: Listening, tool: Tool, deadline: Deadline, budget: Budget
) -> Consent | None:
    """Return what needs a yes to the call that was not heard; where nobody can tell whether it does, it does."""
    consents = surroundings.policy.consents_on.get(tool.name)
    if not consents or not heard.listens:
        return None
    ways = get_args(ConsentWay)
    surer = {*ways[: ways.index(heard.consent) + 1]} if heard.consent else set()
    for own in consents:
        on_tool = own.rule.tools[tool.name]
        if own.how in surer:
            continue
        (seen,) = _looked_at(surroundings, heard, [(own.rule, on_tool)], deadline, explain=False)
        found, _ = _settled(surroundings, seen, own.rule, on_tool, deadline, budget)
        if found.status not in ("holds", "does not apply"):
            return own
    return None


def _settled(
    surroundings: Surroundings, seen: Finding | _Open, rule: Rule, own: RuleOnTool, deadline: Deadline, budget: Budget
) -> tuple[Finding, tuple[FactKey, ...]]:
    """Return the finding on a rule, by proof where what is seen does not settle it, and the records that would."""
    if isinstance(seen, Finding):
        return seen, ()
    if surroundings.is_quick:
        raise TakesLong
    if deadline.passed:
        return _late(rule), ()
    proved = _tried(_by_proof, surroundings, seen, rule, own, budget)
    return (proved, ()) if isinstance(proved, Finding) else proved


def _late(rule: Rule) -> Finding:
    return replace(rule.found["undecided"], why=OUT_OF_TIME, by="limit")


def _looked_at(
    surroundings: Surroundings,
    heard: Listening,
    rules: Sequence[tuple[Rule, RuleOnTool]],
    deadline: Deadline,
    explain: bool,
) -> list[Finding | _Open]:
    """Return the findings on rules that what is seen settles, and why it does not settle the others.

    What is seen settles most rules at once; proofs of the others share the time that is left. A rule is compiled when
    it is looked at first, which takes long where there are thousands.
    """
    began, is_late, seen, known = time.thread_time(), False, list[Finding | _Open](), surroundings.known
    for place, (rule, own) in enumerate(rules):
        if place % _OFTEN == 0 and deadline.passed and not is_late:
            if surroundings.is_quick:
                raise TakesLong
            is_late = time.thread_time() - began >= AT_LEAST_S
        if not explain and own.when is None and not is_late:
            try:  # What is seen keeps most rules that are for every call, and this is the quick way to tell.
                if own.hold_closure(known) is True:
                    seen.append(rule.found["holds"])
                    continue
            except Exception:  # noqa: BLE001  it is told below
                pass
        seen.append(_late(rule) if is_late else _tried(_seen, surroundings, heard, rule, own, explain))
    return seen


def _unfounded(heard: Listening, tool: Tool, surroundings: Surroundings) -> list[Finding]:
    """Return the findings on arguments that nobody agreed to and nothing shows, as the policy has it."""
    how = surroundings.policy.unfounded
    severity: Severity = "ask" if how == "ask" or (how == "unasked" and heard.unasked) else "warn"
    call = surroundings.known.get(tool.root, {})
    found = []
    for name in heard.unfounded:
        say = f"Nobody agreed to the {name.replace('_', ' ')}, and nothing shows it."
        why = f"it is {cut(show(call[name], tool.arguments.fields[name].type))}" if name in call else ""
        found.append(Finding(UNFOUNDED, "undecided", severity, say, why, origin=Origin("nobody", 0, "", name)))
    return found


def _agreed(own: Finding, heard: Listening) -> Finding:
    """Return a finding, kept if it is of those that a person is asked about, was asked, and said yes."""
    open_now = own.severity == "ask" and own.status in ("broken", "undecided")
    by_word = own.origin is not None or own.status == "broken"
    if not open_now or not by_word or finding_key(own) not in heard.agreed:
        return own
    return replace(own, status="holds", why="a person was asked and said yes")


def finding_key(own: Finding) -> str:
    """Return the name by which an answer to a question is kept: the rule, with the argument where it is about one."""
    return f"{own.rule}:{own.origin.argument}" if own.origin is not None and own.origin.argument else own.rule


def listed(tool: Tool, surroundings: Surroundings) -> tuple[str, ...]:
    """Return the arguments of a call as a user is told them, whole: who says yes has to have heard it all."""
    call = surroundings.known[tool.root]
    fields = tool.arguments.fields
    return tuple(f"{name.replace('_', ' ')}: {show(own, fields[name].type, None)}" for name, own in call.items())


def _tried(
    work: Callable[..., Result], surroundings: Surroundings, given: Any, rule: Rule, *more: Any
) -> Result | Finding:
    """Return what looking at a rule found; what fails leaves the rule undecided."""
    try:
        return work(surroundings, given, rule, *more)
    except Exception as error:  # noqa: BLE001  whatever it was, the call must not be allowed
        _log.warning("rule %s could not be checked", rule.id, exc_info=True)
        return replace(rule.found["undecided"], why=failed(error))


def failed(error: Exception) -> str:
    """Return in words that a check ended in an error of the program's own."""
    return f"checking it ended in an error of the program: {type(error).__name__}"


@dataclass(frozen=True, slots=True)
class _Open:
    """An `_Open` is why what is seen does not settle a rule, in the surroundings in which it is to be proved."""

    error: Undecided | None
    env: Env
    unsaid: tuple[str, ...]


def _seen(surroundings: Surroundings, heard: Listening, rule: Rule, own: RuleOnTool, explain: bool) -> Finding | _Open:
    """Return the finding on a rule that what is seen settles, or why it does not."""
    status, error = _evaluated(own, surroundings.known)
    if status is not None:
        return _by_evaluation(rule, own, surroundings, status, (), explain)
    unsaid = surroundings.unheard(own.whole) if heard.unsaid == "false" else ()
    env = surroundings.known
    if unsaid:
        env = surroundings.assumed
        status, error = _evaluated(own, env)
        if status is not None:
            needed = _needed(unsaid, lambda fewer: _evaluated(own, surroundings.assuming(fewer))[0] == status)
            return _by_evaluation(rule, own, surroundings, status, needed, explain)
    return _Open(error, env, unsaid)


def _by_proof(
    surroundings: Surroundings, open: _Open, rule: Rule, own: RuleOnTool, budget: Budget
) -> tuple[Finding, tuple[FactKey, ...]]:
    """Return the finding on a rule that what is seen does not settle, and the records that would settle it."""
    error, env, unsaid = open.error, open.env, open.unsaid
    proof = prove(own.whole, env, budget, own.compiled)
    base = rule.found["undecided"]
    if rule.needs == "facts" and proof.truth != "undecided":
        seen = error.what if isinstance(error, Unseen) else None
        missing = () if seen is None else (seen.path,)
        records = () if seen is None or seen.fact is None else (seen.fact,)
        return replace(base, why=str(error), missing=missing), records
    if isinstance(error, NoSuchRecord) and proof.truth == "undecided" and not proof.missing:
        # What asks for a record that does not exist is not kept; whether a rule applies that asks so, nobody knows.
        applies = own.when_closure is None or _true(own.when_closure, env)
        return replace(rule.found["broken" if applies else "undecided"], why=str(error)), ()
    if proof.truth == "undecided":
        return replace(base, why=_undecided(surroundings, proof, error), missing=proof.missing), proof.records
    needed = _needed(unsaid, lambda fewer: _proved(own, surroundings.assuming(fewer), budget, proof.truth))
    why = "it holds whatever turns out" if proof.truth == "holds" else "it is broken whatever turns out"
    shown = values_in_words(own.whole, env)
    found = replace(base, status=proof.truth, why=f"{why}: {shown}" if shown else why, by="solver")
    return replace(found, assumptions=(*needed, *proof.assumptions)), ()


def _proved(own: RuleOnTool, env: Env, budget: Budget, truth: str) -> bool:
    return prove(own.whole, env, budget, own.compiled).truth == truth


def _needed(unsaid: Sequence[str], suffices: Callable[[Sequence[str]], bool]) -> tuple[str, ...]:
    """Return, in words, those of what counts as not said without any one of which nothing would be found."""
    needed = list(unsaid)
    for path in reversed(unsaid):
        fewer = [own for own in needed if own != path]
        if suffices(fewer):
            needed = fewer
    return tuple(map(_assumed, needed))


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
    if (status == "broken" or explain) and not surroundings.known[DEADLINE].passed:
        node = own.when if status == "does not apply" and own.when is not None else own.whole
        why = values_in_words(node, surroundings.assumed)
    return replace(base, why=why, assumptions=assumptions)


def _assumed(path: str) -> str:
    if path == WRITTEN:
        return "what nobody was heard to write was not written"
    return f"nobody was heard to say {path}, so it counts as not said"


def _undecided(surroundings: Surroundings, proof: Proof, error: Undecided | None) -> str:
    if proof.reason:
        return f"{proof.reason} ({error})" if error is not None and str(error) != proof.reason else proof.reason
    reasons = []
    for path in proof.missing:
        stale = next((why for own, why in surroundings.stale.items() if is_within(path, own)), "")
        if any(is_within(path, own) for own in surroundings.claims):
            reasons.append(f"{cut(path)} was claimed, and no tool can show it")
        else:
            reasons.append(f"{cut(path)} was not seen" + (f": {stale}" if stale else ""))
    if not reasons and error is not None:
        reasons.append(str(error))
    return "; ".join(reasons[:6]) + (f"; and {len(reasons) - 6} more" if len(reasons) > 6 else "")
