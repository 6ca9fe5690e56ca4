"""Decide whether an answer is accepted, and say what stands against it: proof and the word of judges are kept apart.

The score of an answer is one number from the verdicts on its claims (VERGE, equations 5 and 6): their mean weight,
lowered by up to a half if they differ. The mean never falls when a verdict gets better, but the score can: one entailed
claim among possible ones makes them differ.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import fsum, sqrt

from holdtrue_claims.claim_record import CheckRecord, ClaimRecord, ClaimVerdict, SoftVerdict
from holdtrue_claims.kind.settings import PUBLISHED, CheckSettings, Weights

AnyVerdict = ClaimVerdict | SoftVerdict

REPEATED = "premise"
"""The reason for the route of a claim in the words of a premise, whose formula it has."""
NEVER_ACCEPTED = (ClaimVerdict.UNPROVED, ClaimVerdict.ASSUMED)
"""An answer with such a claim is accepted by nobody."""


def read_verdict(verdict: str) -> AnyVerdict:
    """The verdict that a record names."""
    return ClaimVerdict(verdict) if verdict in frozenset(ClaimVerdict) else SoftVerdict(verdict)


def accepts(
    verdicts: Sequence[AnyVerdict], score: float, settings: CheckSettings, *, together: bool, whole: bool = True
) -> bool:
    """Return whether an answer is accepted whose claims got these verdicts, and this `score`.

    `together`: all claims that are not contradictory can hold together. `whole`: they are all that the answer states,
    and more than repeats. Where only proof is accepted, every claim has to be entailed, so that no score makes up for
    one that is not.
    """
    if not verdicts or not together:
        return False
    if settings.accept == "proved":
        return whole and all(verdict is ClaimVerdict.ENTAILED for verdict in verdicts)
    return score >= settings.least_score and not any(verdict in NEVER_ACCEPTED for verdict in verdicts)


def only_repeats(claims: Sequence[ClaimRecord]) -> bool:
    """Return whether an answer says nothing but what premises say word by word, and so answers nothing."""
    return bool(claims) and all(claim.routed == REPEATED for claim in claims)


def is_checked(check: CheckRecord) -> bool:
    """Return whether a solver or judges decided any claim, so that the score says anything."""
    undecided = (ClaimVerdict.UNPROVED, ClaimVerdict.UNKNOWN, ClaimVerdict.INCONSISTENT_CONTEXT)
    return any(claim.verdict not in undecided for claim in check.claims)


def open_claims(check: CheckRecord, *, possible: bool = True) -> list[str]:
    """Return in words, without a full stop, what was not proved and is therefore not accepted; empty if there is none.

    What is refuted and what clashes is not among it, nor, where judges are accepted, what is only possible. Without
    `possible`, it is what is not decided of the claims: what is possible, unless a premise that could not be read may
    settle it, is.
    """
    found = []
    for claim in check.claims:
        match claim.verdict:
            case ClaimVerdict.UNPROVED:
                made = claim.formalization
                reason = (made.reason if made is not None else None) or claim.reason
                found.append(f"{claim.id} could not be proved" + (f" ({reason.rstrip('.')})" if reason else ""))
            case ClaimVerdict.ASSUMED:
                settled = "ruled out" if claim.assuming == ClaimVerdict.CONTRADICTORY else "proved"
                found.append(f"{claim.id} is {settled} only if something is assumed that nobody stated")
            case ClaimVerdict.POSSIBLE if check.accept == "proved" and (possible or claim.reason):
                found.append(f"{claim.id} is only possible" + (f": {claim.reason.rstrip('.')}" if claim.reason else ""))
            case ClaimVerdict.UNKNOWN if check.accept == "proved":
                found.append(f"whether {claim.id} follows could not be found out in time")
            case _:
                pass
    if check.accept == "proved":
        found += [f'"{part}" was not tested in full' for part in check.untested if possible]
        found += ["the answer states more than was tested"] if check.clipped else []
        found += ["every claim only repeats what was told"] if possible and only_repeats(check.claims) else []
    return found


def judged_claims(check: CheckRecord) -> tuple[str, ...]:
    """Return the ids of the claims that judges decided."""
    return tuple(claim.id for claim in check.claims if claim.verdict in frozenset(SoftVerdict))


LOWEST_FACTOR = 0.5
SMOOTHING = 0.01
"""Added to the mean where it divides, which may be 0."""


@dataclass(frozen=True, slots=True)
class Score:
    """An answer's `score` and what it is made of; all from 0 to 1. `deviation` is that of the whole population."""

    score: float
    mean: float
    deviation: float


def claim_score(verdicts: Iterable[ClaimVerdict | SoftVerdict], weights: Weights = PUBLISHED.weights) -> Score:
    """Return the score of an answer whose claims got these verdicts; without claims it is 0."""
    return score_values([weights.value(verdict) for verdict in verdicts])


def score_values(values: Iterable[float]) -> Score:
    """Return the score of claims with these weights in 0..1; it does not depend on their order."""
    values = tuple(values)
    if not values:
        return Score(0.0, 0.0, 0.0)
    mean = fsum(values) / len(values)
    deviation = sqrt(fsum((value - mean) ** 2 for value in values) / len(values))
    return Score(mean * max(LOWEST_FACTOR, 1.0 - deviation / (mean + SMOOTHING)), mean, deviation)
