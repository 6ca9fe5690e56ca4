"""The names of simulated models for the claims suites: which faults they have, how often, and with which seed.

`sim/claims` has none; `sim/claims:wrong=0.2,misread=0.1,drop=0.1,confuse=0.1@7` has them at these rates, with seed 7.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from holdtrue.lab.kit.simulation.names import RatedCharacter


@dataclass(frozen=True, slots=True)
class ClaimCharacter(RatedCharacter):
    """What a reasoner is like: the probabilities of its faults.

    `wrong`: an answer gives another option than the right one; `misread`: a formula is another one of the same words;
    `drop`: a claim is left out where an answer is taken apart; `confuse`: a judge, a critic or a rater says something
    else than it should.
    """

    KIND: ClassVar[str] = "sim/claims"
    FORMS: ClassVar[str] = "a reasoner is sim/claims, or has rates up to 1, such as sim/claims:wrong=0.2,misread=0.1@7"

    wrong: float = 0.0
    misread: float = 0.0
    drop: float = 0.0
    confuse: float = 0.0
