"""Turn the check of an answer's claims into a `VerdictRecord`, on the two axes that every turn has."""

from __future__ import annotations

from holdtrue.claim_record import CheckRecord, ClaimVerdict, ContextRecord, JointVerdict
from holdtrue.kinds.claims.acceptance import open_claims, read_verdict, score_answer
from holdtrue.kinds.claims.settings import CheckSettings
from holdtrue.record import AnswerStatus, Satisfiability, Trigger, VerdictRecord
from holdtrue.world.answer import Unparsed

NOT_CHECKED = "the answer was not checked"
_BASIS = {
    "consistent": Satisfiability.SAT,
    "inconsistent": Satisfiability.UNSAT,
    "unknown": Satisfiability.UNKNOWN,
}
_TRIGGERS = {
    AnswerStatus.UNPARSED: Trigger.ANSWER_PARSE_FAILED,
    AnswerStatus.REFUSED: Trigger.ANSWER_REFUSED,
    AnswerStatus.VIOLATING: Trigger.ANSWER_LEDGER_CONFLICT,
}


def claim_verdict(
    check: CheckRecord | None, context: ContextRecord | None, settings: CheckSettings, none: Unparsed | None = None
) -> VerdictRecord:
    """Return the verdict on an answer: undecided if it was not checked, and the status of `none` if it is no answer.

    `refuted` names claims that are contradictory by themselves. `mus` names premises and claims that clash together, or
    premises alone if these are inconsistent.
    """
    ledger = _BASIS[context.status] if context is not None else Satisfiability.UNKNOWN
    if none is not None:
        return _verdict(ledger, none.status, reason=none.reason)
    if check is None or context is None:
        return _verdict(ledger, AnswerStatus.UNDECIDED, reason=NOT_CHECKED)
    refuted = tuple(claim.id for claim in check.claims if claim.verdict == ClaimVerdict.CONTRADICTORY)
    clash = check.joint.verdict == JointVerdict.CONFLICT
    answer, reason = _status(check, ledger, refuted, settings)
    if ledger is Satisfiability.UNSAT:
        return _verdict(ledger, answer, mus=context.conflict, minimal=context.minimal, reason=reason)
    mus = check.joint.conflict if clash else None
    return _verdict(ledger, answer, refuted, mus, check.joint.minimal or not clash, reason)


def _status(
    check: CheckRecord, ledger: Satisfiability, refuted: tuple[str, ...], settings: CheckSettings
) -> tuple[AnswerStatus, str | None]:
    """Return the status of the answer, and the reason if it is undecided."""
    if not check.claims:
        return AnswerStatus.UNPARSED, None
    if ledger is not Satisfiability.SAT:
        return AnswerStatus.UNDECIDED, "what was said cannot all hold, or nothing could be found out about it in time"
    # Bridging axioms that clash with premises, or with each other, say nothing against a claim.
    to_blame = {claim.id for claim in check.claims} & set(check.joint.conflict)
    if refuted or (check.joint.verdict == JointVerdict.CONFLICT and to_blame):
        return AnswerStatus.VIOLATING, None
    if check.joint.verdict != JointVerdict.CONSISTENT:
        return AnswerStatus.UNDECIDED, check.joint.reason or "whether the claims can all hold is not known"
    still_open = open_claims(check)
    if still_open:
        return AnswerStatus.UNDECIDED, "; ".join(still_open)
    known = [verdict for claim in check.claims if (verdict := read_verdict(claim.verdict)) != ClaimVerdict.UNKNOWN]
    # Without the claims that nothing is known of, would it be enough?
    enough = not known or score_answer(known, settings).score >= settings.least_score
    if check.score < settings.least_score and enough and len(known) < len(check.claims):
        return AnswerStatus.UNDECIDED, "some claims could not be decided in time"
    if check.clipped:
        return AnswerStatus.UNDECIDED, "the answer states more than was tested"
    return AnswerStatus.RESPECTING, None


def _verdict(
    ledger: Satisfiability,
    answer: AnswerStatus,
    refuted: tuple[str, ...] = (),
    mus: tuple[str, ...] | None = None,
    minimal: bool = True,
    reason: str | None = None,
) -> VerdictRecord:
    codes = [Trigger.UNSAT_LEDGER] if ledger is Satisfiability.UNSAT else []
    codes += [_TRIGGERS[answer]] if answer in _TRIGGERS else []
    return VerdictRecord(
        ledger,
        answer,
        tuple(codes),
        refuted=refuted,
        mus=mus,
        mus_minimal=minimal,
        reason=reason,
    )
