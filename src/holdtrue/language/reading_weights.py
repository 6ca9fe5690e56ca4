"""The weights by which a reading is chosen from all that a sentence can have stated: fitted, data of the package."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

PATH = "reading_weights.json"


@dataclass(frozen=True)
class ReadingWeights:
    """The fit of one model's readings: a conditional logit over the constraints that a sentence can have stated.

    Attributes:
        weights: The weight of each feature (`likelihood`, `view`, `cue`, `words left`).
        provenance: The data that it was fitted on, and the model that scored them.
        settled: A constraint at least so probable by likelihood alone needs no view beside it.
        accepted: A reading at least so probable is accepted, and a less probable one is doubtful.
    """

    weights: Mapping[str, float]
    provenance: str
    settled: float
    accepted: float

    def probabilities(self, candidates: Sequence[Mapping[str, float]]) -> list[float]:
        """Return the probability of each candidate, from its features; together they are 1."""
        odds = [sum(value * self.weights.get(name, 0.0) for name, value in own.items()) for own in candidates]
        highest = max(odds)
        parts = [math.exp(one - highest) for one in odds]
        return [part / sum(parts) for part in parts]


@cache
def shipped_reading_weights(view: bool) -> ReadingWeights:
    """Return the weights that come with the package: with a model's view beside the likelihoods, or without it."""
    text = files("holdtrue.language").joinpath(PATH).read_text(encoding="utf-8")
    found = json.loads(text)
    weights = found["with view" if view else "likelihood alone"]
    return ReadingWeights(weights, found["provenance"], found["settled"], found["accepted"])
