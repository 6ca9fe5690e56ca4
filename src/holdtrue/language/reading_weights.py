"""The weights by which a reading is chosen from all that a sentence can have stated: fitted, data of the package."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from holdtrue.errors import InputError

PATH = "reading_weights.json"
BIAS = "bias"
"""The name of the constant among the weights of a logistic regression."""
_FURTHEST = 30.0
_TABLES = ("alone", "with_view", "committed")
_FIGURES = ("agreed_plainly", "rejected", "settled", "accepted")
# What each is called in the file.
_NAMES = {
    "provenance": "provenance",
    "alone": "likelihood alone",
    "with_view": "with a view",
    **{name: name for name in ("committed", *_FIGURES)},
}


@dataclass(frozen=True)
class ReadingWeights:
    """Conditional logits over the constraints that a sentence can have stated, fitted for one model.

    Attributes:
        alone: The weights where the constraints were only scored.
        with_view: The weights where the model was also asked what the sentence states.
        committed: A logistic regression of whether a sentence commits to the constraint, with its constant as `bias`.
        agreed_plainly: The share of sentences that commit to it, where no word of theirs leaves that open.
        rejected: A constraint that is less probably agreed is rejected, and no doubt of it is told.
        settled: A constraint at least so probable by its score needs no view beside it.
        accepted: A reading at least so probable is accepted, and a less probable one is doubtful.
        provenance: The data that they were fitted on, and the model that scored them.
    """

    alone: Mapping[str, float]
    with_view: Mapping[str, float]
    committed: Mapping[str, float]
    agreed_plainly: float
    rejected: float
    settled: float
    accepted: float
    provenance: str

    def agreement(self, features: Mapping[str, float]) -> float:
        """Return the probability that a sentence with these features commits to the constraint."""
        return agreement(self.committed, features)

    def to_json(self) -> dict[str, object]:
        """Return the weights as the package keeps them."""
        return {own: _plain(getattr(self, name)) for name, own in _NAMES.items()}


def agreement(committed: Mapping[str, float], features: Mapping[str, float]) -> float:
    """Return the probability that a sentence commits, by the weights of a logistic regression with their `BIAS`."""
    odds = sum(value * committed.get(name, 0.0) for name, value in features.items()) + committed[BIAS]
    return 1 / (1 + math.exp(-max(-_FURTHEST, min(_FURTHEST, odds))))


def _plain(value: object) -> object:
    return dict(value) if isinstance(value, Mapping) else value


def read_reading_weights(text: str) -> ReadingWeights:
    """Return weights that `to_json` gave, as JSON. Raises `InputError` for a text that has none."""
    try:
        found = json.loads(text)
        alone, with_view, committed = (
            {str(key): float(value) for key, value in found[_NAMES[name]].items()} for name in _TABLES
        )
        plainly, rejected, settled, accepted = (float(found[name]) for name in _FIGURES)
        provenance = str(found["provenance"])
        made = ReadingWeights(alone, with_view, committed, plainly, rejected, settled, accepted, provenance)
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise InputError(f"these are no weights of sentences: {error!r:.100}") from error
    if BIAS not in made.committed:
        raise InputError(f"these are no weights of sentences: committed has no {BIAS!r}")
    return made


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
    return read_reading_weights(files("holdtrue.language").joinpath(PATH).read_text(encoding="utf-8"))
