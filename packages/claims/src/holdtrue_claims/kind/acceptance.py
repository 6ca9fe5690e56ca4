"""Decide whether an answer is accepted, and list the reasons against it.

The score of an answer (VERGE, equations 5 and 6) is the mean weight of its verdicts. It is lowered by up to a half if
the weights differ. A better verdict never lowers the mean, but it can lower the score: one entailed claim among
possible ones increases the deviation.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import fsum, sqrt

from holdtrue_claims.claim_record import CheckRecord, ClaimRecord, ClaimVerdict, SoftVerdict
from holdtrue_claims.kind.settings import PUBLISHED, CheckSettings, Weights

AnyVerdict = ClaimVerdict | SoftVerdict

REPEATED = "premise"
"""The reason for the route of a claim that repeats a premise word by word and takes over its formula."""
NEVER_ACCEPTED = (ClaimVerdict.UNPROVED, ClaimVerdict.ASSUMED)
"""Verdicts that prevent acceptance under every setting."""


def read_verdict(verdict: str) -> AnyVerdict:
    """Return the verdict with this recorded value."""
    return ClaimVerdict(verdict) if verdict in frozenset(ClaimVerdict) else SoftVerdict(verdict)


def accepts(
    verdicts: Sequence[AnyVerdict], score: float, settings: CheckSettings, *, together: bool, whole: bool = True
) -> bool:
    """Return whether an answer with these verdicts on its claims, and this `score`, is accepted.

    `together`: all claims that are not contradictory can hold together. `whole`: the claims cover the whole answer, and
    not all of them repeat premises. If only proof is accepted, every claim has to be entailed, whatever the score.
    """
    if not verdicts or not together:
        return False
    if settings.accept == "proved":
        return whole and all(verdict is ClaimVerdict.ENTAILED for verdict in verdicts)
    return score >= settings.least_score and not any(verdict in NEVER_ACCEPTED for verdict in verdicts)


def only_repeats(claims: Sequence[ClaimRecord]) -> bool:
    """Return whether every claim repeats a premise word by word, so that the answer says nothing new."""
    return bool(claims) and all(claim.routed == REPEATED for claim in claims)


def is_checked(check: CheckRecord) -> bool:
    """Return whether a solver or judges decided any claim. Otherwise the score means nothing."""
    undecided = (ClaimVerdict.UNPROVED, ClaimVerdict.UNKNOWN, ClaimVerdict.INCONSISTENT_CONTEXT)
    return any(claim.verdict not in undecided for claim in check.claims)


def open_claims(check: CheckRecord, *, possible: bool = True) -> list[str]:
    """Return the reasons, without full stops, why claims are not proved; empty if there is none.

    Contradictory and clashing claims are not listed. Possible claims are listed only if `accept` is `proved`. If
    `possible` is false, untested parts of the answer are not listed. A possible claim is then listed only if an unread
    premise may decide it.
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
"""A constant that avoids division by a mean of 0."""


@dataclass(frozen=True, slots=True)
class Score:
    """The `score` of an answer, with the `mean` and the population `deviation` of its weights; all in 0..1."""

    score: float
    mean: float
    deviation: float


def claim_score(verdicts: Iterable[ClaimVerdict | SoftVerdict], weights: Weights = PUBLISHED.weights) -> Score:
    """Return the score of an answer whose claims got these verdicts; it is 0 without claims."""
    return score_values([weights.value(verdict) for verdict in verdicts])


def score_values(values: Iterable[float]) -> Score:
    """Return the score of claims with these weights in 0..1, in any order."""
    values = tuple(values)
    if not values:
        return Score(0.0, 0.0, 0.0)
    mean = fsum(values) / len(values)
    deviation = sqrt(fsum((value - mean) ** 2 for value in values) / len(values))
    return Score(mean * max(LOWEST_FACTOR, 1.0 - deviation / (mean + SMOOTHING)), mean, deviation)
