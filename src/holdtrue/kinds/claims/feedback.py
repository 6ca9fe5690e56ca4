"""Choose what the model is told, in the next round, about the check of its answer.

It is told sentences only. It is never told a witness, or which option the premises prove: that would be the solver's
answer and no longer the model's.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from holdtrue.claim_record import CheckRecord, ClaimRecord, ClaimVerdict, ContextRecord, JointVerdict, SoftVerdict
from holdtrue.kinds.claims.method import ClaimFeedback
from holdtrue.kinds.claims.prompts.verification_report import SAID_BY, VERDICTS, YOURS, ClaimSignal, Refuted, Status

_KEPT: Mapping[str, tuple[str, ...]] = {
    "proved": (ClaimVerdict.ENTAILED,),
    "judged": (ClaimVerdict.ENTAILED, SoftVerdict.SUPPORTED),
}
"""The verdicts of claims that the model is told to keep, by what is accepted."""


def claim_signal(kind: ClaimFeedback, check: CheckRecord, context: ContextRecord) -> ClaimSignal:
    """Return what the model may be told of an answer that did not pass; `kind` limits it (`ClaimMethod.feedback`)."""
    if kind == "minimal":
        return ClaimSignal("failed")
    status, sentences = _status(check), _sentences(check, context)
    refuted = tuple(
        Refuted(claim.text, _quote(sentences, claim.premises))
        for claim in check.claims
        if claim.verdict == ClaimVerdict.CONTRADICTORY
    )
    conflict = context.conflict if status == "context" else check.joint.conflict
    clash = _quote(sentences, conflict)
    if kind == "core":
        return ClaimSignal(status, refuted, clash)
    texts, kept = {claim.id: claim.text for claim in check.claims}, _KEPT[check.accept]
    return ClaimSignal(
        status,
        refuted,
        clash,
        change=_quote(texts, check.change) if kind == "full" else (),
        keep=tuple(claim.text for claim in check.claims if claim.verdict in kept and claim.id not in check.change),
        weak=tuple(
            f"{claim.text.rstrip('.')} ({VERDICTS[claim.verdict]})"
            for claim in check.claims
            if claim.verdict in VERDICTS
        ),
        alerts=tuple(f"{claim.text.rstrip('.')} ({why})" for claim in check.claims if (why := _alert(claim))),
    )


def _status(check: CheckRecord) -> Status:
    verdicts = {claim.verdict for claim in check.claims}
    if not check.claims:
        return "no_claims"
    if check.joint.verdict == JointVerdict.INCONSISTENT_CONTEXT or ClaimVerdict.INCONSISTENT_CONTEXT in verdicts:
        return "context"
    if ClaimVerdict.CONTRADICTORY in verdicts:
        return "refuted"
    return "clash" if check.joint.verdict == JointVerdict.CONFLICT else "weak"


def _sentences(check: CheckRecord, context: ContextRecord) -> Mapping[str, str]:
    """Return by id everything that can be part of a conflict, in words that say who stated it."""
    said = {premise.id: (premise.text, SAID_BY.get(premise.source)) for premise in context.premises}
    said |= {bridge.id: (bridge.text, SAID_BY["bridge"]) for bridge in check.joint.bridges}
    said |= {claim.id: (claim.text, YOURS) for claim in check.claims}
    return {id: f"{text.rstrip('.')} ({whose})" if whose else text for id, (text, whose) in said.items()}


def _alert(claim: ClaimRecord) -> str:
    """Return why a claim has no formula, or '' if it has one or was not meant for the solver."""
    made = claim.formalization
    if made is None or made.formula is not None:
        return ""
    return made.reason or next((alert.message for alert in made.alerts), "it has no formula")


def _quote(sentences: Mapping[str, str], ids: Iterable[str]) -> tuple[str, ...]:
    return tuple(sentences[id] for id in ids if id in sentences)
