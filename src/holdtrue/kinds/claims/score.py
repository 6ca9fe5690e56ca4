"""The score of an answer: one number from the verdicts on its claims (VERGE, equations 5 and 6).

It is the mean weight of the verdicts, lowered by up to a half if they differ. The mean never falls when a verdict gets
better, but the score can: one entailed claim among possible ones makes them differ.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields
from math import fsum, sqrt

from holdtrue.claim_record import ClaimVerdict, SoftVerdict
from holdtrue.errors import SettingsError

LOWEST_FACTOR = 0.5
SMOOTHING = 0.01
"""Added to the mean where it divides, which may be 0."""


@dataclass(frozen=True, slots=True)
class Weights:
    """The weight of each verdict, in 0..1; `other` is for all that have no field here, such as contradictory.

    Only these four are published; what is `assumed` is worth nothing unless somebody says so.

    Raises `SettingsError` for a weight outside 0 to 1.
    """

    entailed: float = 1.0
    supported: float = 0.9
    possible: float = 0.7
    other: float = 0.0
    assumed: float = 0.0

    def __post_init__(self) -> None:
        for field in fields(self):
            weight = getattr(self, field.name)
            if not 0 <= weight <= 1:
                raise SettingsError(f"the weight of {field.name} is not between 0 and 1: {weight}")

    def value(self, verdict: ClaimVerdict | SoftVerdict) -> float:
        match verdict:
            case ClaimVerdict.ENTAILED:
                return self.entailed
            case SoftVerdict.SUPPORTED:
                return self.supported
            case ClaimVerdict.POSSIBLE:
                return self.possible
            case ClaimVerdict.ASSUMED:
                return self.assumed
        return self.other


PUBLISHED = Weights()


@dataclass(frozen=True, slots=True)
class Score:
    """An answer's `score` and what it is made of; all from 0 to 1. `deviation` is that of the whole population."""

    score: float
    mean: float
    deviation: float


def claim_score(verdicts: Iterable[ClaimVerdict | SoftVerdict], weights: Weights = PUBLISHED) -> Score:
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
