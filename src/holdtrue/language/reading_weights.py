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
    """Conditional logits over the constraints that a sentence can have stated, fitted for one model.

    Attributes:
        alone: The weights where the constraints were only scored.
        with_view: The weights where the model was also asked what the sentence states.
        settled: A constraint at least so probable by its score needs no view beside it.
        accepted: A reading at least so probable is accepted, and a less probable one is doubtful.
        provenance: The data that they were fitted on, and the model that scored them.
    """

    alone: Mapping[str, float]
    with_view: Mapping[str, float]
    settled: float
    accepted: float
    provenance: str


def choose(weights: Mapping[str, float], candidates: Sequence[Mapping[str, float]]) -> tuple[int, float]:
    """Return the place of the most probable of the candidates, given by their features, and its probability."""
    odds = [sum(value * weights.get(name, 0.0) for name, value in own.items()) for own in candidates]
    highest = max(odds)
    parts = [math.exp(one - highest) for one in odds]
    best = odds.index(highest)
    return best, parts[best] / sum(parts)


@cache
def shipped_reading_weights() -> ReadingWeights:
    """Return the weights that come with the package."""
    found = json.loads(files("holdtrue.language").joinpath(PATH).read_text(encoding="utf-8"))
    alone, with_view = found["likelihood alone"], found["with a view"]
    return ReadingWeights(alone, with_view, found["settled"], found["accepted"], found["provenance"])
