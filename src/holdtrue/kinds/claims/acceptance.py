"""Decide whether an answer is accepted, and say what stands against it: proof and the word of judges are kept apart."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from holdtrue.claim_record import CheckRecord, ClaimRecord, ClaimVerdict, SoftVerdict
from holdtrue.kinds.claims.score import Score, claim_score
from holdtrue.kinds.claims.settings import CheckSettings

AnyVerdict = ClaimVerdict | SoftVerdict

PROVED = (ClaimVerdict.ENTAILED, ClaimVerdict.CONTRADICTORY, ClaimVerdict.POSSIBLE)
"""The verdicts that a solver proved without assuming anything."""
NEVER_ACCEPTED = (ClaimVerdict.UNPROVED, ClaimVerdict.ASSUMED)
"""An answer with such a claim is accepted by nobody."""
OPEN = (
    ClaimVerdict.UNPROVED,
    ClaimVerdict.ASSUMED,
    ClaimVerdict.UNKNOWN,
    SoftVerdict.UNSUPPORTED,
    SoftVerdict.UNCERTAIN,
    SoftVerdict.UNASKED,
)
"""The verdicts that leave a claim open: a claim that is possible is not among them, as it may well be so."""
_PASSES = (ClaimVerdict.ENTAILED, ClaimVerdict.POSSIBLE)
_DOUBTED = (SoftVerdict.UNSUPPORTED, SoftVerdict.UNCERTAIN, SoftVerdict.UNASKED)


def read_verdict(verdict: str) -> AnyVerdict:
    """The verdict that a record names."""
    return ClaimVerdict(verdict) if verdict in frozenset(ClaimVerdict) else SoftVerdict(verdict)


def score_answer(verdicts: Iterable[AnyVerdict], settings: CheckSettings) -> Score:
    """Return the score of an answer; where only proof is accepted, it is that of the claims that are for a solver."""
    if settings.accept == "proved":
        verdicts = [verdict for verdict in verdicts if isinstance(verdict, ClaimVerdict)]
    return claim_score(verdicts, settings.weights)


def accepts(
    verdicts: Sequence[AnyVerdict], score: float, settings: CheckSettings, *, together: bool, unread: bool = False
) -> bool:
    """Return whether an answer is accepted whose claims got these verdicts, and this `score` by `score_answer`.

    `together`: all claims that are not contradictory can hold together. Where only proof is accepted, at least one
    claim must have been decided by the solver, none for the solver may be open or refuted, and the judges may doubt
    none of the others; and if a premise is `unread`, which may settle what is only possible, all have to be entailed.
    """
    if not verdicts or not together or score < settings.least_score or is_hopeless(verdicts, settings):
        return False
    if settings.accept == "judged":
        return True
    if unread and ClaimVerdict.POSSIBLE in verdicts:
        return False
    return any(isinstance(verdict, ClaimVerdict) for verdict in verdicts) and not any(
        verdict in _DOUBTED for verdict in verdicts
    )


def is_hopeless(verdicts: Iterable[AnyVerdict], settings: CheckSettings) -> bool:
    """Return whether these verdicts of single claims alone rule out that the answer is accepted."""
    if settings.accept == "judged":
        return any(verdict in NEVER_ACCEPTED for verdict in verdicts)
    return any(isinstance(verdict, ClaimVerdict) and verdict not in _PASSES for verdict in verdicts)


def rests_on_judges(verdicts: Iterable[AnyVerdict]) -> bool:
    """Return whether a claim among these was decided by judges alone."""
    return any(isinstance(verdict, SoftVerdict) for verdict in verdicts)


def open_claims(check: CheckRecord) -> list[str]:
    """Return in words, without a full stop, what was not proved and is therefore not accepted; empty if there is none.

    What is refuted and what clashes is not among it, nor what is possible, unless a premise that could not be read may
    settle it.
    """
    found = []
    for claim in check.claims:
        match claim.verdict:
            case ClaimVerdict.UNPROVED:
                found.append(f"{claim.id} could not be proved{_because(claim)}")
            case ClaimVerdict.ASSUMED:
                found.append(f"{claim.id} is {_settled(claim)} only if something is assumed that nobody stated")
            case _:
                pass
    if check.accept != "proved":
        return found
    for claim in check.claims:
        if claim.verdict == ClaimVerdict.POSSIBLE and claim.reason:
            found.append(f"{claim.id} is only possible: {claim.reason.rstrip('.')}")
        elif claim.verdict == ClaimVerdict.UNKNOWN:
            found.append(f"whether {claim.id} follows could not be found out in time")
        elif claim.verdict == SoftVerdict.UNSUPPORTED:
            found.append(f"judges find nothing for {claim.id}")
        elif claim.verdict == SoftVerdict.UNCERTAIN:
            found.append(f"judges could not tell whether {claim.id} holds")
    if check.claims and all(claim.verdict in frozenset(SoftVerdict) for claim in check.claims):
        found.append("nothing of it was proved, only judged")
    return found


def judged_claims(check: CheckRecord) -> tuple[str, ...]:
    """Return the ids of the claims that judges decided."""
    asked = frozenset(SoftVerdict) - {SoftVerdict.UNASKED}
    return tuple(claim.id for claim in check.claims if claim.verdict in asked)


def _because(claim: ClaimRecord) -> str:
    made = claim.formalization
    reason = made.reason if made is not None and made.reason else claim.reason
    return f" ({reason.rstrip('.')})" if reason else ""


def _settled(claim: ClaimRecord) -> str:
    return "ruled out" if claim.assuming == ClaimVerdict.CONTRADICTORY else "proved"
