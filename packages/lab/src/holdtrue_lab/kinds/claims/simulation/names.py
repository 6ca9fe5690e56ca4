"""The names of simulated models of the claims suites: how often they fail, and what makes them do better.

`sim/claims` has no faults. `sim/claims:wrong=0.4,think=0.5,mend=0.6,mend_core=0.3@7` answers wrongly with probability
0.4, or 0.2 where it is asked to reason first. A wrong answer is mended with probability 0.6 where a report says that it
has to be changed, and with 0.3 where a report only says what it clashes with. Its seed is 7.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import ClassVar

from holdtrue_lab.kit.simulation.names import RatedCharacter

MENDING: Mapping[str, str] = MappingProxyType(
    {
        "mend": "the report names its claim among those that are to be changed",
        "mend_verdicts": "it says what its claim clashes with and what was found of others, not what to change",
        "mend_core": "the report says only what its claim clashes with",
        "mend_minimal": "the report says only that something is wrong",
        "mend_critique": "the model's own critique found a problem",
    }
)
"""What a model can be told of a wrong answer; each has a probability of its own that the next answer is right."""


_NEWER = ("weaken", "mistype", "bridge", "think", "heat", "spoil", "garble")
_HEATED = frozenset({"wrong", "misread", "confuse"})


@dataclass(frozen=True, slots=True)
class ClaimCharacter(RatedCharacter):
    """The probabilities of the faults of a simulated model of the claims suites, and of what works against them.

    Attributes:
        wrong: An answer gives a wrong option.
        misread: A formula is a wrong one with the same names.
        garble: A program has a formula that cannot be read.
        drop: A claim is left out when an answer is split into claims.
        confuse: A judge, a critic or a rater says the wrong thing.
        weaken: A formula says less than its sentence: that it holds, or something else does.
        mistype: A claim gets a type that goes to judges.
        bridge: A rule is found that ties a claim without a formula to its formula.
        think: One step of reasoning puts an answer right that would have been wrong.
        heat: At temperature 1 an answer is wrong, a formula misread or a judge confused that would not be at 0; in
            between, in proportion.
        mend: A wrong answer is put right that the feedback says to change; for the others see `MENDING`.
        mend_verdicts: The same where verdicts are told.
        mend_core: The same where conflicts are told.
        mend_minimal: The same where nothing is told but that something is wrong.
        mend_critique: The same where the model criticised itself.
        spoil: A right answer gets wrong after feedback.
    """

    KIND: ClassVar[str] = "sim/claims"
    FORMS: ClassVar[str] = "a reasoner is sim/claims, or has rates up to 1, such as sim/claims:wrong=0.2,misread=0.1@7"

    wrong: float = 0.0
    misread: float = 0.0
    garble: float = 0.0
    drop: float = 0.0
    confuse: float = 0.0
    weaken: float = 0.0
    mistype: float = 0.0
    bridge: float = 0.0
    think: float = 0.0
    heat: float = 0.0
    mend: float = 0.0
    mend_verdicts: float = 0.0
    mend_core: float = 0.0
    mend_minimal: float = 0.0
    mend_critique: float = 0.0
    spoil: float = 0.0

    @property
    def reads_whole_chat(self) -> bool:
        """Return whether chances depend on all messages of a request, so that they are independent between items.

        A character with the first four rates alone goes by the last message, as its recorded runs do. Where that asks
        for a critique, or for an answer after thoughts, it is the same text for every item.
        """
        return any(getattr(self, name) > 0 for name in (*MENDING, *_NEWER))

    @property
    def revises(self) -> bool:
        """Return whether an answer after feedback is the last one, mended or spoilt; otherwise it is drawn anew."""
        return self.spoil > 0 or any(getattr(self, kind) > 0 for kind in MENDING)

    def probability(self, fault: str, temperature: float, steps: int = 0) -> float:
        """Return the probability of a fault at a temperature, after so many steps of reasoning.

        Above temperature 1 it grows no more.
        """
        rate = float(getattr(self, fault)) * (1 - self.think) ** steps
        return rate + (1 - rate) * self.heat * min(temperature, 1.0) if fault in _HEATED else rate
