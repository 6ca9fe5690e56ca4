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
    """The weights of one fit.

    Attributes:
        weights: The weight of each feature.
        provenance: Where they come from: the data, and the model whose views were among the features.
        scale: What makes a probability of a chosen candidate, which has beaten its rivals, of that of a single one,
            together with `shift`: both are applied to log odds.
        accepted: An event at least so probable is read.
    """

    weights: Mapping[str, float]
    provenance: str = ""
    scale: float = 1.0
    shift: float = 0.0
    accepted: float = 0.4

    def probability(self, features: Mapping[str, float]) -> float:
        """Return how probable a candidate with these features is; a feature that no data had counts nothing."""
        return _logistic(sum(value * self.weights.get(name, 0.0) for name, value in features.items()))

    def sureness(self, probability: float) -> float:
        """Return how probable a candidate of this probability is, once it is chosen before all its rivals."""
        return _logistic(self.scale * math.log(probability / (1 - probability)) + self.shift)

    def to_json(self) -> dict[str, object]:
        """Return the fit as the package keeps it."""
        return {
            "provenance": self.provenance,
            "scale": self.scale,
            "shift": self.shift,
            "accepted": self.accepted,
            "weights": dict(sorted(self.weights.items())),
        }


def _logistic(odds: float) -> float:
    return 1 / (1 + math.exp(-max(-30.0, min(30.0, odds))))


def read_weights(text: str) -> SlotWeights:
    """Return a fit that `to_json` gave, as JSON. Raises `InputError` for a text that is none."""
    try:
        found = json.loads(text)
        weights = {str(name): float(value) for name, value in found["weights"].items()}
        scale, shift, accepted = (float(found[name]) for name in ("scale", "shift", "accepted"))
        return SlotWeights(weights, str(found["provenance"]), scale, shift, accepted)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise InputError(f"these are no weights of a reader: {error!r:.120}") from error


@cache
def shipped_weights(name: str) -> SlotWeights:
    """Return the weights that come with the package: `rules`, or `model` for readings with a model's view.

    Raises `InputError` for another name.
    """
    text = files("holdtrue.language.slots").joinpath(PATH).read_text(encoding="utf-8")
    found = json.loads(text)
    if name not in found:
        raise InputError(f"there are weights {' and '.join(found)}, not {name!r}")
    return read_weights(json.dumps(found[name]))
