"""What a context says about one claim, by proof, and which premises say it."""

from __future__ import annotations

from dataclasses import dataclass

from holdtrue.budget import Budget
from holdtrue.claim_record import ClaimVerdict
from holdtrue.kinds.claims.context import CANNOT_HOLD, Context, InconsistentContext
from holdtrue.logic.formula import Formula
from holdtrue.solving.explain.classify import QUERY, classify
from holdtrue.solving.explain.smallest_mus import smallest_mus
from holdtrue.solving.result import Core, Entailed, Id, Independent, Mus, Refuted, Unknown, Witness


@dataclass(frozen=True, slots=True)
class ClaimFinding:
    """The verdict on a claim, and what shows it.

    `premises` are those that entail or contradict the claim, or, in an inconsistent context, that clash; there may be
    none, where the laws are enough. `minimal`: proved that none of them can be spared. `holds` and `fails` satisfy the
    context, one with the claim and one without it: both where it is possible, else the one that there can be.
    `reason` tells why nothing could be proved.
    """

    verdict: ClaimVerdict
    premises: tuple[Id, ...] = ()
    minimal: bool = True
    holds: Witness | None = None
    fails: Witness | None = None
    reason: str | None = None


def verify_claim(context: Context, claim: Formula) -> ClaimFinding:
    """Whether the context entails the claim, contradicts it or leaves it open.

    The context's budget is for verdict and premises together. Of several sets of premises it is a smallest one.
    Raises `FormulaError` for a variable that the context does not have.
    """
    status = context.status
    if isinstance(status, InconsistentContext):
        return ClaimFinding(ClaimVerdict.INCONSISTENT_CONTEXT, status.premises, status.minimal, reason=CANNOT_HOLD)
    if isinstance(status, Unknown):
        return ClaimFinding(ClaimVerdict.UNKNOWN, reason=status.reason)
    deadline = context.budget.start()
    found = classify(context.engine, context.premises, claim, context.budget, witness=status.witness)
    match found:
        case Independent(holds, fails):
            return ClaimFinding(ClaimVerdict.POSSIBLE, holds=holds, fails=fails)
        case Entailed():
            premises, minimal = _needed(context, claim.negation, context.budget.until(deadline))
            return ClaimFinding(ClaimVerdict.ENTAILED, premises, minimal, holds=status.witness)
        case Refuted():
            premises, minimal = _needed(context, claim, context.budget.until(deadline))
            return ClaimFinding(ClaimVerdict.CONTRADICTORY, premises, minimal, fails=status.witness)
    # `Inconsistent` cannot be: there is a witness.
    return ClaimFinding(ClaimVerdict.UNKNOWN, reason=found.reason if isinstance(found, Unknown) else None)


def _needed(context: Context, impossible: Formula, budget: Budget) -> tuple[tuple[Id, ...], bool]:
    """As few premises as possible that rule this out, and whether it was proved that none of them can be spared."""
    found = smallest_mus(context.engine, {**context.premises, QUERY: impossible}, budget)
    if not isinstance(found, Mus | Core):  # that all premises together do is proved already
        return tuple(context.premises), False
    return tuple(id for id in found.ids if id != QUERY), isinstance(found, Mus)
