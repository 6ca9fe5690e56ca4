"""The names of simulated models for the claims suites: which faults they have, how often, and with which seed.

`sim/claims` has none; `sim/claims:wrong=0.2,misread=0.1,drop=0.1,confuse=0.1@7` has them at these rates, with seed 7.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from holdtrue.lab.kit.simulation.names import RatedCharacter


@dataclass(frozen=True, slots=True)
class ClaimCharacter(RatedCharacter):
    """The probabilities of the faults of a simulated model of the claims suites.

    Attributes:
        wrong: An answer gives a wrong option.
        misread: A formula is a wrong one with the same names.
        drop: A claim is left out when an answer is split into claims.
        confuse: A judge, a critic or a rater says the wrong thing.
    """

    KIND: ClassVar[str] = "sim/claims"
    FORMS: ClassVar[str] = "a reasoner is sim/claims, or has rates up to 1, such as sim/claims:wrong=0.2,misread=0.1@7"

    wrong: float = 0.0
    misread: float = 0.0
    drop: float = 0.0
    confuse: float = 0.0
