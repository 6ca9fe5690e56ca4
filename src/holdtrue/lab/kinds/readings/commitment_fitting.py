"""Ask a model which sentences commit their users, and fit by which signs they do: a logistic regression with a ridge.

Of a message with one sentence, the constraint in gold is asked about, or else the one that the fitted choice takes. A
sentence whose words leave nothing open is not asked about, as the reader does not; of these the share that commits is
counted. The figures are of families of messages that the weights have not seen.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from holdtrue.errors import SettingsError
from holdtrue.lab.kinds.readings.calibration import calibration_of
from holdtrue.lab.kinds.readings.entry import Judged
from holdtrue.lab.kinds.readings.regression import logistic_regression
from holdtrue.lab.kinds.readings.sentence_scores import SentenceChoice, read_odds
from holdtrue.language.agreement import score_agreement
from holdtrue.language.channel_reading import agreement_features, is_open_to_doubt, weighed_words
from holdtrue.language.reading_weights import BIAS, agreement
from holdtrue.models.chat import ChatModel
from holdtrue.record import CallRecord
from holdtrue.world.instance import Constraint

RIDGE = 0.3


@dataclass(frozen=True, eq=False)
class Commitment:
    """A `Commitment` says whether a sentence commits to a constraint; `features` are None where no model is asked."""

    family: str
    agreed: bool
    features: Mapping[str, float] | None


@dataclass(frozen=True, slots=True)
class CommitmentFit:
    """The weights of sentences with open words, how many of the `plain` others commit, and what held-out ones show."""

    weights: Mapping[str, float]
    asked: int
    plain: int
    agreed_plainly: float
    error: float | None


async def ask_commitments(
    model: ChatModel,
    choices: Sequence[tuple[SentenceChoice, Constraint]],
    path: Path,
    told: Callable[[int, int], None],
) -> list[Commitment]:
    """Return for each sentence with its constraint what speaks for it; what the file has is not asked again.

    `right` of a choice is negative where the sentence commits to nothing. Raises `ModelError`, `RecordError`, and
    `SettingsError` for a model that gives no probabilities.
    """
    known, found = read_odds(path), []
    with path.open("a", encoding="utf-8") as file:
        for number, (choice, made) in enumerate(choices, 1):
            left = weighed_words(choice.instance, choice.sentence, made)
            features = None
            if is_open_to_doubt(choice.instance, choice.sentence, choice.among, left):
                key = (choice.message, choice.sentence, json.dumps(made.to_json()))
                if key not in known:
                    known[key] = await _ask(model, choice, made)
                    record = {"message": choice.message, "sentence": choice.sentence, "of": made.to_json()}
                    file.write(json.dumps({**record, "odds": known[key]}) + "\n")
                    file.flush()
                features = agreement_features(known[key], left)
            found.append(Commitment(choice.family, choice.right >= 0, features))
            told(number, len(choices))
    return found


async def _ask(model: ChatModel, choice: SentenceChoice, made: Constraint) -> float:
    calls: list[CallRecord] = []
    odds = await score_agreement(model, choice.instance, choice.sentence, made, calls)
    if odds is None:
        raise SettingsError(f"model {model.name} gives no probabilities of a sentence, and needs no weights of them")
    return odds


def fit_commitments(examples: Sequence[Commitment]) -> CommitmentFit | None:
    """Return the fit of all examples; None where those with open words do not differ in whether they commit."""
    asked = [own for own in examples if own.features is not None]
    plain = [own for own in examples if own.features is None]
    if len({own.agreed for own in asked}) < 2:
        return None
    judged = []
    for family in sorted({own.family for own in asked}):
        rest = [own for own in asked if own.family != family]
        weights = weights_of(rest)
        judged.append([Judged(probability(weights, own), own.agreed) for own in asked if own.family == family])
    share = (sum(own.agreed for own in plain) + 1) / (len(plain) + 2)
    return CommitmentFit(weights_of(asked), len(asked), len(plain), round(share, 3), calibration_of(judged).error)


def weights_of(examples: Sequence[Commitment]) -> dict[str, float]:
    """Return the weights of a logistic regression of the examples, with a ridge on all but its constant."""
    names = sorted({name for own in examples for name in own.features or {}})
    table = np.array([[*((own.features or {}).get(name, 0.0) for name in names), 1.0] for own in examples])
    agreed = np.array([float(own.agreed) for own in examples])
    ridge = np.array([RIDGE] * len(names) + [1e-3])
    weights = logistic_regression(table, agreed, ridge)
    return {name: round(float(value), 3) for name, value in zip((*names, BIAS), weights, strict=True)}


def probability(weights: Mapping[str, float], example: Commitment) -> float:
    """Return how probably the sentence commits to its constraint."""
    return agreement(weights, example.features or {})
