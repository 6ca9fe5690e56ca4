"""The names of simulated models that answer with labels: how often they are wrong, and how sure they say they are.

`sim/labels` is always right; `sim/labels:wrong=0.2,unknown=0.1,contradict=0.1,confidence=0.9/0.6@7` has faults and
seed 7. `sim/labels:cross_query` and `sim/labels:belief` are short for `PRESETS`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import ClassVar

from holdtrue.lab.kit.simulation.names import RatedCharacter

PRESETS: Mapping[str, str] = MappingProxyType(
    {
        "cross_query": "wrong=0.2,confidence=0.9/0.6",
        "belief": "wrong=0.3,confidence=0.9/0.6",
    }
)
"""The usual answerers of both suites: wrong at these rates, and less sure where they are wrong."""


@dataclass(frozen=True, slots=True)
class LabelCharacter(RatedCharacter):
    """The rates of a simulated model that answers with labels; an answer has at most one fault.

    `wrong` is the probability of one of the other two labels, `unknown` that of UNKNOWN, and `contradict` that of a
    label that cannot be right with an earlier answer and the premises, if there is one. `confidence` has the mean
    confidence of right answers, and that of wrong ones. `unclosed` and `cut` are the probabilities that a reply lacks
    its last brackets, or is ended by the token limit.

    The others are effects: the probability that a fault is avoided where the prompt asks for reasons (`think`), has an
    example (`shots`), or names answers that clash (`names`) or a whole conflict (`quoted`) in a repair; that the
    brackets are closed where clean JSON is asked for (`tidy`), or a schema is (`bound`); and that a further draw at
    temperature 0 repeats the first one (`greedy`).
    """

    KIND: ClassVar[str] = "sim/labels"
    FORMS: ClassVar[str] = (
        f"an answerer is sim/labels, sim/labels:PRESET with one of {', '.join(PRESETS)}, or faults with rates up to 1, "
        "such as sim/labels:wrong=0.2,confidence=0.9/0.6@7"
    )
    PRESETS: ClassVar[Mapping[str, str]] = PRESETS

    wrong: float = 0.0
    unknown: float = 0.0
    contradict: float = 0.0
    confidence: tuple[float, float] = (0.8, 0.8)
    unclosed: float = 0.0
    cut: float = 0.0
    think: float = 0.0
    shots: float = 0.0
    names: float = 0.0
    quoted: float = 0.0
    tidy: float = 0.0
    bound: float = 0.0
    greedy: float = 0.0

    def avoids(self, frame: str, told: str) -> float:
        """Return the probability that a fault is avoided under a frame, after a repair prompt that tells this."""
        framed = {"cot": self.think, "few_shot": self.shots}.get(frame, 0.0)
        return 1 - (1 - framed) * (1 - (getattr(self, told) if told else 0.0))

    def fault(self) -> str:
        faulty = self.wrong + self.unknown + self.contradict
        return "the rates of faults add up to more than 1" if faulty > 1 + 1e-9 else ""
