"""Describe findings about claims and premises in sentences for people."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from holdtrue.record import AnswerStatus
from holdtrue_claims.claim_record import (
    AlertRecord,
    CheckRecord,
    ClaimRecord,
    ClaimVerdict,
    ContextRecord,
    JointRecord,
    JointVerdict,
    PremiseRecord,
)
from holdtrue_claims.fol.vocabulary import ANY
from holdtrue_claims.kind.acceptance import REPEATED, is_checked, judged_claims, open_claims
from holdtrue_claims.kind.prompts.statements import refers_back
from holdtrue_claims.kind.record import ClaimAttempt

_SOURCES: Mapping[str, str] = {"user": "the user", "claim": "said before", "bridge": "assumed"}
_REFUSED: Mapping[str, str] = {
    JointVerdict.CONFLICT: "its claims clash",
    JointVerdict.UNKNOWN: "its claims may clash",
    JointVerdict.INCONSISTENT_CONTEXT: "the premises cannot all hold",
}


class Sayings:
    """`Sayings` quote premises, bridging axioms and claims by id. An unknown id is quoted as the id itself."""

    def __init__(self, context: ContextRecord | None, check: CheckRecord | None = None) -> None:
        premises = context.premises if context is not None else ()
        self._said = {each.id: (each.text, describe_source(each)) for each in premises}
        if check is not None:
            self._said |= {each.id: (each.text, describe_source(each)) for each in check.joint.bridges}
            self._said |= {each.id: (each.text, "") for each in check.claims}

    def quote(self, id: str) -> str:
        """Return a quotation such as `P2 "All cats purr"`, or `B1 "What purrs is happy" (assumed)`."""
        text, whose = self._said.get(id, ("", ""))
        if not text:
            return id
        return f'{id} "{text.rstrip(".")}"' + (f" ({whose})" if whose else "")

    def quote_all(self, ids: Iterable[str]) -> str:
        return "; ".join(map(self.quote, ids))


def describe_no_answer(attempt: ClaimAttempt) -> list[str]:
    """Return why an attempt is no answer; empty if it is one."""
    lacks, reason = attempt.verdict.answer, attempt.verdict.reason
    if lacks == AnswerStatus.REFUSED:
        return [f"There is no answer: {reason or 'the model refused'}."]
    read = f"No answer could be read: {reason or 'there is no claim in the text'}."
    return [read] if lacks == AnswerStatus.UNPARSED else []


LEAST_READ = 0.5
"""The least share of texts that a model has to formalize. Below it most proofs, which need several texts, fail."""


@dataclass(frozen=True, slots=True)
class ReadCounts:
    """`ReadCounts` say how many `sentences` of the context, and how many `claims` of an answer, have a formula.

    `confirmed` counts sentences whose formula was chosen among near variants, which happens if a verdict needs it.
    `too_small`: the model formalized less than `LEAST_READ` of the texts that it had to formalize.
    """

    sentences: int
    read: int
    confirmed: int
    claims: int
    claims_read: int
    too_small: bool

    def describe(self) -> list[str]:
        """Return the counts in a sentence, and a warning if the model is too small."""
        count = f"Read: {self.read} of {self.sentences} sentences of the context, {self.confirmed} of them confirmed"
        lines = [f"{count}; {self.claims_read} of {self.claims} claims."]
        if self.too_small:
            lines += [
                "The model is too small for this text: it read less than half of what it was asked about.",
                "A larger one can be named with --model, or with --formalizer for the formulas of claims.",
            ]
        return lines


def count_read(context: ContextRecord, check: CheckRecord) -> ReadCounts:
    """Return how much of a context and of an answer has a formula. Claims that repeat a premise are ignored when the
    model is judged too small.
    """
    told = [each for each in context.premises if each.source != "claim"]
    asked = [each for each in told if each.confirmed or any(alert.kind == "refused" for alert in each.alerts)]
    tried = [*asked, *(each for each in told if each.formula is None and each not in asked)] if asked else told
    claims = [claim.formalization for claim in check.claims if claim.formalization is not None]
    fresh = [each.formalization for each in check.claims if each.formalization is not None and each.routed != REPEATED]
    sure = sum(each.formula is not None for each in tried) + sum(each.formula is not None for each in fresh)
    return ReadCounts(
        sentences=len(told),
        read=sum(each.formula is not None for each in told),
        confirmed=sum(each.confirmed for each in told),
        claims=len(check.claims),
        claims_read=sum(each.formula is not None for each in claims),
        too_small=sure < LEAST_READ * (len(tried) + len(fresh)),
    )


def list_context(context: ContextRecord) -> list[str]:
    """Return the vocabulary, each premise with its formula, and the findings about all premises."""
    sayings = Sayings(context)
    lines = ["Things:" if context.things else "Things: none"]
    lines += [f"  {name}: {sort}" for name, sort in context.things.items()]
    for sort in context.closed:
        other = "other " if sort in context.things.values() else ""
        no_other = "nothing else" if sort == ANY else f"no {other}{sort.replace('_', ' ')}"
        lines.append(f"  There is {no_other}.")
    lines += ["Words:" if context.words else "Words: none"]
    lines += [f"  {word}: {meaning}" for word, meaning in context.words.items()]
    lines += ["Premises:" if context.premises else "Premises: none"]
    for premise in context.premises:
        lines.append(f"  {sayings.quote(premise.id)}")
        lines += [f"    {line}" for line in describe_premise(premise)]
    lines += describe_context(context, sayings)
    if context.status == "consistent" and any(premise.formula is not None for premise in context.premises):
        lines.append("All premises that have a formula can hold.")
    return lines


def list_claims(check: CheckRecord, sayings: Sayings, least_score: float | None = None) -> list[str]:
    """Return the findings claim by claim, then about all of them; `least_score` is the required score, if known."""
    lines: list[str] = []
    for claim in check.claims:
        made = claim.formalization
        formula = made.formula if made is not None else None
        lines.append(f'{claim.id} {in_words(claim.verdict)}: "{claim.text}"')
        lines.append(f"  {describe_route(claim)}" + (f": {formula}" if formula is not None else ""))
        lines += [f"  {line}" for line in describe_claim(claim, sayings)]
    for part in check.untested:
        lack = "refers back" if refers_back(part) else "is no statement by itself"
        why = "it asks" if part.endswith("?") else f"no claim says all of it, and it {lack}"
        lines.append(f'Not tested, since {why}: "{part}"')
    lines += [f'States nothing: "{part}"' for part in check.idle]
    lines += [
        f"Not in what was told: {word}" + (f" (told: {near})" if near else "") for word, near in check.unheard.items()
    ]
    return [*lines, *describe_joint(check.joint, sayings), describe_score(check, least_score)]


def describe_premise(premise: PremiseRecord) -> list[str]:
    """Return a premise's formula, or that it has none, and then its changes and faults."""
    refined = describe_refined(premise)
    lines = [premise.formula if premise.formula is not None else "no formula", *([refined] if refined else [])]
    return lines + [describe_alert(alert) for alert in premise.alerts]


def describe_refined(premise: PremiseRecord) -> str:
    """Return how often another formula was requested for the premise; "" for never."""
    if not premise.refined:
        return ""
    return f"asked for again {premise.refined} time{'' if premise.refined == 1 else 's'}, because of a clash"


def describe_source(premise: PremiseRecord) -> str:
    """Return the source of the premise; "" for a sentence of the context."""
    return _SOURCES.get(premise.source, "")


def describe_context(context: ContextRecord, sayings: Sayings) -> list[str]:
    """Return sentences about whether the premises can all hold, which ones clash, and which ones do not count."""
    lines: list[str] = []
    if context.status == "inconsistent":
        lines.append(f"The premises cannot all hold{_doubt(context.minimal)}: {sayings.quote_all(context.conflict)}.")
        if context.set_aside:
            lines.append(f"The others can hold without {', '.join(context.set_aside)}.")
    elif context.status != "consistent":
        lines.append("Whether the premises can all hold could not be found out in time.")
    unread = [premise.id for premise in context.premises if premise.formula is None]
    if unread:
        lines.append(f"Without a formula, and so counted for nothing: {sayings.quote_all(unread)}.")
    return lines + [f"{describe_alert(alert)}." for alert in context.alerts]


def describe_alert(alert: AlertRecord) -> str:
    """Return the fault and its place; places in the text count from 1."""
    where = "" if alert.position is None else f", at {alert.position + 1}"
    shown = f' in "{alert.text}"' if alert.text else ""
    return f"{alert.kind.replace('_', ' ')}: {alert.message.rstrip('.')}{where}{shown}"


def describe_claim(claim: ClaimRecord, sayings: Sayings) -> list[str]:
    """Return in sentences why a claim has its verdict, most important first."""
    lines: list[str] = []
    shown = sayings.quote_all(claim.premises) or "what holds of the words alone"
    reason = (claim.reason or "no reason is told").rstrip(".")
    match claim.verdict:
        case ClaimVerdict.ENTAILED:
            lines.append(f"It follows from{_doubt(claim.minimal)}: {shown}.")
        case ClaimVerdict.CONTRADICTORY:
            lines.append(f"It is ruled out by{_doubt(claim.minimal)}: {shown}.")
        case ClaimVerdict.POSSIBLE:
            lines.append("It neither follows nor is it ruled out.")
            if claim.holds or claim.fails:
                holds, fails = (
                    ", ".join(f"{name} = {value}" for name, value in facts.items()) or "nothing of it"
                    for facts in (claim.holds, claim.fails)
                )
                lines.append(f"It would hold with {holds}, and fail with {fails}.")
        case ClaimVerdict.ASSUMED:
            how = "be ruled out by" if claim.assuming == ClaimVerdict.CONTRADICTORY else "follow from"
            assumed = "; ".join(each.rstrip(".") for each in claim.assumptions) or "it is not told what"
            lines.append(f"It would {how}{_doubt(claim.minimal)}: {shown}.")
            lines.append(f"But that needs what nobody stated: {assumed}.")
        case ClaimVerdict.UNKNOWN:
            lines.append(f"Whether it follows could not be found out: {reason}.")
        case ClaimVerdict.INCONSISTENT_CONTEXT:
            lines.append(f"It was not tested: {reason}.")
    lines += describe_clauses(claim)
    if claim.restated:
        lines.append("A premise alone says the same.")
    made = claim.formalization
    if made is not None and made.formula is None:
        why = (made.reason or "no reason is told").rstrip(".")
        left = "It could not be proved" if claim.verdict == ClaimVerdict.UNPROVED else "Left to judges"
        lines.append(f"{left}, no formula was sure enough: {why}.")
        lines += [f"{describe_alert(alert)}." for alert in made.alerts]
    if made is not None and made.corrected:
        lines.append("A stronger formula replaced the first one.")
    if claim.votes:
        votes = ", ".join(f"{count} {verdict}" for verdict, count in claim.votes.items() if count)
        sure = ", which proves nothing" if claim.judged is not None else f", confidence {claim.confidence:.2f}"
        lines.append(f"The judges: {votes}{sure}.")
    # This reason is no part of the sentence about the verdict.
    if claim.reason and claim.verdict not in (ClaimVerdict.UNKNOWN, ClaimVerdict.INCONSISTENT_CONTEXT):
        unasked = "Judges were not asked: " if claim.verdict == ClaimVerdict.UNPROVED else ""
        lines.append(f"{'Their word does not count: ' if claim.votes else unasked}{reason}.")
    return lines


def describe_clauses(claim: ClaimRecord) -> list[str]:
    """Return which parts of a compound claim have to go and which can stay."""
    found = claim.clauses
    if found is None:
        return []
    drop, keep = " ".join(found.drop), " ".join(found.keep) or "nothing of it."
    if claim.verdict == ClaimVerdict.POSSIBLE:
        return [f"Of what it states does not follow: {drop} It follows: {keep}"]
    few = "as few as can be" if found.minimum else "none of which can be spared, but fewer might do"
    return [f"Of what it states has to go ({few}): {drop} It can stay: {keep}"]


def describe_joint(joint: JointRecord, sayings: Sayings) -> list[str]:
    """Return in sentences whether the claims can hold together, and which ones would have to go."""
    lines: list[str] = []
    if joint.verdict == JointVerdict.CONFLICT:
        clash = sayings.quote_all(joint.conflict)
        lines.append(f"These cannot all be true together{_doubt(joint.minimal)}: {clash}.")
        if joint.set_aside:
            lines.append(f"The others can hold without the least sure ones: {', '.join(joint.set_aside)}.")
        if joint.smallest is not None and joint.smallest != joint.set_aside:
            lines.append(f"They can hold without as few as these: {', '.join(joint.smallest)}.")
        if joint.without_bridges == JointVerdict.CONSISTENT:
            lines.append("Without what was assumed there is no conflict.")
    elif joint.verdict == JointVerdict.UNKNOWN:
        reason = (joint.reason or "no reason is told").rstrip(".")
        lines.append(f"Whether the claims can all be true could not be found out: {reason}.")
    return lines


def describe_score(check: CheckRecord, least_score: float | None = None) -> str:
    """Return the score, the reason if it does not suffice, and the claims to change."""
    if not check.claims:
        return "No claim was found in the answer."
    if check.accepted:
        judged = judged_claims(check)
        standing = "accepted" + (f". Only judged, not proved: {', '.join(judged)}" if judged else "")
    else:  # first a clash, then unproved claims, and otherwise the low score
        clash = _REFUSED.get(check.joint.verdict)
        found = open_claims(check, possible=clash is None and not check.change)
        low = "too low" if least_score is None else f"{least_score:g} is needed"
        standing = f"not accepted, {'; '.join(filter(None, (clash, *found))) or low}"
    change = f" To change: {', '.join(check.change)}." if check.change else ""
    more = " The answer states more than these claims." if check.clipped and check.accept == "judged" else ""
    score = f"Score {check.score:.2f}" if is_checked(check) else "Not checked"
    return f"{score}: {standing}.{change}{more}"


def describe_route(claim: ClaimRecord) -> str:
    """Return a claim's type, its route and the reason for the route: `temporal, hard (type)`. If the formula was
    refused, `describe_claim` gives the reason instead.
    """
    refused = claim.formalization is not None and claim.formalization.formula is None
    return f"{claim.type}, {claim.route}" + ("" if refused else f" ({claim.routed})")


def in_words(verdict: str) -> str:
    """Return the code of a verdict with spaces for underscores."""
    return verdict.replace("_", " ")


def _doubt(minimal: bool) -> str:
    return "" if minimal else " (perhaps some could be spared)"
