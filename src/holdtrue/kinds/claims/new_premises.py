"""Add premises in a conversation about claims: the user's statements, and claims of answers that break nothing."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from holdtrue.claim_record import ClaimRecord, ClaimVerdict, JointVerdict, Route
from holdtrue.kinds.claims.context import InconsistentContext
from holdtrue.kinds.claims.premise_preparation import extend, stated
from holdtrue.kinds.claims.premises import EARLIER, Premise, Premises, grounded
from holdtrue.kinds.claims.settings import FormalSettings
from holdtrue.kinds.claims.turn import ClaimPlayed
from holdtrue.language.asking import Asking
from holdtrue.ledger.entries import EventKind, Source
from holdtrue.ledger.statement_ledger import Statements
from holdtrue.logic.fol.notation import read_fol
from holdtrue.logic.fol.syntax import Sentence
from holdtrue.solving.result import Satisfiable

_COUNTS = (ClaimVerdict.ENTAILED, ClaimVerdict.POSSIBLE)


async def tell_premises(
    asking: Asking, settings: FormalSettings, premises: Premises, ledger: Statements, turn: int
) -> Premises:
    """Return the premises with the user's new statements in `ledger`, and without those that were withdrawn.

    The user's words count more than accepted claims: a claim that cannot hold beside them is set aside, the latest
    first, and this becomes an event in `ledger`. Raises `ModelError`.
    """
    held = ledger.active
    premises = premises.without([premise.id for premise in premises.entries if premise.id not in held])
    claims = [premise for premise in premises.entries if premise.source == EARLIER]
    new = {id: sentence for id, sentence in ledger.sentences(Source.USER).items() if id not in premises.texts}
    if not new:
        return premises
    # Without the claims first: a formula of the user's sentence is not to be bent until it fits them.
    wider = await extend(asking, settings, premises.without([claim.id for claim in claims]), new, "user")
    return _with_claims(wider, claims, ledger, turn)


def commit_claims(ledger: Statements, premises: Premises, played: ClaimPlayed, turn: int) -> Premises:
    """Return the premises with the claims of an answer that a solver found entailed or possible, and its new names.

    Later claims have to hold beside them, and none follows from them. An answer that contradicts the premises or itself
    adds nothing. Its score does not matter here, because a claim that says something new is possible at best.
    """
    check = played.attempts[-1].check
    if check is None or check.change or check.joint.verdict != JointVerdict.CONSISTENT:
        return premises
    sentences = {f"T{turn}.{claim.id}": (claim.text, said) for claim in check.claims if (said := _meant(claim))}
    for id, (text, _) in sentences.items():
        ledger.add(id, text, turn, Source.ASSISTANT)
    return stated(played.premises or premises, sentences, EARLIER)


def _with_claims(premises: Premises, claims: Iterable[Premise], ledger: Statements, turn: int) -> Premises:
    """Return the premises with as many of the claims as can hold beside them, the earlier ones first."""
    claims = tuple(grounded(claim, premises) for claim in claims)
    everything = replace(premises, entries=(*premises.entries, *claims))
    if not premises.consistent or isinstance(everything.with_earlier.status, Satisfiable):
        return everything
    for claim in claims:
        tried = replace(premises, entries=(*premises.entries, claim))
        status = tried.with_earlier.status
        if isinstance(status, InconsistentContext):
            because = tuple(id for id in status.premises if id != claim.id)
            ledger.end(EventKind.SET_ASIDE, claim.id, turn, because)
        else:
            premises = tried
    return premises


def _meant(claim: ClaimRecord) -> Sentence | None:
    """The accepted formula of a claim that a solver found entailed or possible; None for any other claim."""
    made = claim.formalization
    if claim.route != Route.HARD or claim.verdict not in _COUNTS or made is None or made.formula is None:
        return None
    return read_fol(made.formula).sentence
