"""The weights of features, which say how much each speaks for a candidate: fitted on dialogues, data of the package."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from holdtrue.errors import InputError

PATH = "slot_weights.json"


@dataclass(frozen=True)
class SlotWeights:
    """The weights of one fit, and where they come from: the data, the model whose views were among the features."""

    weights: Mapping[str, float]
    provenance: str = ""

    def probability(self, features: Mapping[str, float]) -> float:
        """Return how probable a candidate with these features is; a feature that no data had counts nothing."""
        total = sum(value * self.weights.get(name, 0.0) for name, value in features.items())
        return 1 / (1 + math.exp(-max(-30.0, min(30.0, total))))


@cache
def shipped_weights(name: str) -> SlotWeights:
    """Return the weights that come with the package: `rules`, or `model` for readings with a model's view.

    Raises `InputError` for another name.
    """
    text = files("holdtrue.language.slots").joinpath(PATH).read_text(encoding="utf-8")
    found = json.loads(text)
    if name not in found:
        raise InputError(f"there are weights {' and '.join(found)}, not {name!r}")
    return SlotWeights(found[name]["weights"], found[name]["provenance"])
