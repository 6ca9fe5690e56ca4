"""Whether sentences commit is fitted on signs and words, and judged on families that were left out."""

from __future__ import annotations

import numpy as np
import pytest

from holdtrue.language.channel_reading import WORDS
from holdtrue.language.reading_weights import BIAS
from holdtrue.world.instance import Constraint
from holdtrue.world.seating import SEATING
from holdtrue_lab.kinds.readings.commitment_fitting import (
    RIDGE,
    Commitment,
    commitment_of,
    fit_commitments,
    probability,
    weights_of,
)
from holdtrue_lab.kinds.readings.sentence_scores import SentenceChoice

TABLE = SEATING.instance(["Nora", "Omar", "Tara"])
BESIDE = Constraint("adjacent", ("Nora", "Omar"))


def example(family: str, *, agreed: bool, sign: float, word: str = "E") -> Commitment:
    return Commitment(family, agreed, {"open": sign}, frozenset({"E", word}))


def test_the_weights_are_the_minimum_of_their_loss() -> None:
    """A naive twin: no small step from the solution makes the loss smaller."""
    generator = np.random.default_rng(3)
    signs = generator.normal(size=80)
    examples = [
        example("f", agreed=bool(generator.random() < 1 / (1 + np.exp(-2 * value))), sign=float(value))
        for value in signs
    ]
    found = weights_of(examples)

    def loss(weights: dict[str, float]) -> float:
        chances = [probability(weights, own) if own.agreed else 1 - probability(weights, own) for own in examples]
        squares = sum(value**2 for name, value in weights.items() if name != BIAS)
        return -float(np.sum(np.log(chances))) + RIDGE / 2 * squares

    for _ in range(100):
        step = {name: value + generator.normal(scale=0.01) for name, value in found.items()}
        assert loss(found) <= loss(step) + 1e-4  # weights are rounded


def test_signs_and_words_are_learned_and_judged_on_families_that_were_left_out() -> None:
    examples = [
        example(f"f{place}", agreed=place % 2 == 0, sign=float(place % 2), word="maybe" if place % 2 else "please")
        for place in range(40)
    ]
    found = fit_commitments(examples)
    assert found is not None and found.sentences == 40 and found.error is not None and found.error < 0.2
    assert found.words["please"] > 0 > found.words["maybe"] and found.weights[WORDS] > 0 > found.weights["open"]


def test_what_does_not_differ_is_not_fitted() -> None:
    assert fit_commitments([example("f", agreed=True, sign=0.0), example("g", agreed=True, sign=1.0)]) is None


@pytest.mark.parametrize(("sentence", "is_open"), [("Nora sits by Omar", 0.0), ("Maybe Nora sits by Omar", 1.0)])
def test_a_sentence_is_told_by_the_words_that_its_constraint_leaves(sentence: str, is_open: float) -> None:
    choice = SentenceChoice("m", "f", TABLE, sentence, (BESIDE, Constraint("not_adjacent", ("Nora", "Omar"))), -1)
    found = commitment_of(choice, BESIDE)
    signs = found.signs
    assert not found.agreed and signs["words left"] == signs["hedge"] == is_open and signs[WORDS] == 0.0
    assert ("maybe" in found.said) == bool(is_open)
