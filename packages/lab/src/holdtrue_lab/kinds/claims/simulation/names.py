"""The names of simulated models of the claims suites: they set fault rates, and effects that lower these rates.

`sim/claims` has no faults. `sim/claims:wrong=0.4,think=0.5,mend=0.6,mend_core=0.3@7` has seed 7. It answers wrongly
with probability 0.4, or 0.2 if it is asked to reason first. If feedback says that a wrong answer must change, the model
corrects it with probability 0.6. If feedback only names a conflict, the probability is 0.3.
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
"""The kinds of feedback on a wrong answer. For each kind, the next answer is right with a separate probability."""


_NEWER = ("weaken", "mistype", "bridge", "think", "heat", "spoil", "garble")
_HEATED = frozenset({"wrong", "misread", "confuse"})


@dataclass(frozen=True, slots=True)
class ClaimCharacter(RatedCharacter):
    """The fault rates of a simulated model of the claims suites, and the rates of effects against them.

    Attributes:
        wrong: An answer gives a wrong option.
        misread: A formula is a wrong one with the same names.
        garble: A program has a formula that cannot be read.
        drop: A claim is left out when an answer is split into claims.
        confuse: A judge, a critic or a rater says the wrong thing.
        weaken: A formula is a disjunction of the right one with another.
        mistype: A claim gets a type that goes to judges.
        bridge: A rule is found by which a claim without a formula implies its gold formula.
        think: One step of reasoning corrects an answer that would be wrong.
        heat: At temperature 1, one more answer is wrong, formula misread or judge confused, with this probability;
            below 1 in proportion.
        mend: Feedback that says to change a wrong answer corrects it; `MENDING` describes the other kinds.
        mend_verdicts: Feedback with verdicts corrects a wrong answer.
        mend_core: Feedback with conflicts corrects a wrong answer.
        mend_minimal: Feedback that only says that something is wrong corrects a wrong answer.
        mend_critique: The model's own critique corrects a wrong answer.
        spoil: A right answer becomes wrong after feedback.
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
        """Return whether chances depend on all messages of a request, which makes them independent between items.

        A character with only the first four rates depends on the last message alone, as its recorded runs do. A request
        for a critique, or for an answer after thoughts, has the same last message for every item.
        """
        return any(getattr(self, name) > 0 for name in (*MENDING, *_NEWER))

    @property
    def revises(self) -> bool:
        """Return whether an answer after feedback is the last one, mended or spoilt; otherwise the answer is drawn
        anew.
        """
        return self.spoil > 0 or any(getattr(self, kind) > 0 for kind in MENDING)

    def probability(self, fault: str, temperature: float, steps: int = 0) -> float:
        """Return the probability of a fault at a temperature, after this number of steps of reasoning.

        Temperatures above 1 count as 1.
        """
        rate = float(getattr(self, fault)) * (1 - self.think) ** steps
        return rate + (1 - rate) * self.heat * min(temperature, 1.0) if fault in _HEATED else rate
