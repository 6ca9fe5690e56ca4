"""Weights of sentences are fitted as conditional logits, and judged on families of messages that they have not seen."""

from __future__ import annotations

import json

import numpy as np
import pytest

from holdtrue.language.reading_weights import read_reading_weights, shipped_reading_weights
from holdtrue.world.seating import SEATING
from holdtrue_lab.kinds.readings.sentence_fitting import (
    LIKELIHOOD,
    PHRASING,
    RIDGE,
    VIEW,
    WAYS,
    ChoiceExample,
    _loss,
    conditional_logit,
    fit_choices,
    weights_of,
)
from tests.language.rota import ROTA


def example(family: str, right: int, scores: list[float], view: int) -> ChoiceExample:
    features = [
        {PHRASING: score / 10, LIKELIHOOD: score, "cue": 0.0, "words left": 0.0, VIEW: float(place == view)}
        for place, score in enumerate(scores)
    ]
    return ChoiceExample(family, features, right)


CLEAR = [
    example(f"f{number % 4}", number % 2, [-20.0, -26.0][:: 1 if number % 2 == 0 else -1], 0) for number in range(12)
]


def test_the_weights_are_the_minimum_of_their_loss() -> None:
    """A naive twin: no small step from the solution makes the loss smaller."""
    generator = np.random.default_rng(5)
    tables = [generator.normal(size=(generator.integers(2, 5), 3)) for _ in range(60)]
    wanted = np.array([1.5, -0.5, 0.0])
    right = [int(np.argmax(table @ wanted + generator.gumbel(size=len(table)))) for table in tables]
    found = conditional_logit(tables, right, RIDGE, 3)
    least = _loss(tables, right, RIDGE, found)
    for _ in range(200):
        assert least <= _loss(tables, right, RIDGE, found + generator.normal(scale=1e-3, size=3)) + 1e-12
    assert found[0] > 0.5 and found[1] < 0


def test_a_shift_of_all_scores_changes_nothing() -> None:
    shifted = [example(own.family, own.right, [each[LIKELIHOOD] - 40 for each in own.features], 0) for own in CLEAR]
    assert weights_of(shifted, {LIKELIHOOD}) == pytest.approx(weights_of(CLEAR, {LIKELIHOOD}), abs=2e-3)


def test_families_are_judged_by_the_others() -> None:
    told: list[str] = []
    found = fit_choices(CLEAR, told.append)
    assert len(told) == 4 and set(found.figures) == set(WAYS)
    assert all(own.right.hits == own.right.of == len(CLEAR) for own in found.figures.values())
    assert found.choice.by_words is None and set(found.choice.alone) == {LIKELIHOOD, "cue", "words left"}
    assert set(found.phrased.by_words or {}) == {PHRASING, "cue", "words left"}
    assert set(found.phrased.with_view) == {PHRASING, LIKELIHOOD, VIEW, "cue", "words left"}
    whole = found.weights("said", {SEATING.fingerprint: {"x": 1.0}}, None)
    assert (whole.choice, whole.phrased, whole.provenance) == (found.choice, found.phrased, "said")
    assert whole.committed == shipped_reading_weights().committed
    assert read_reading_weights(json.dumps(whole.to_json())) == whole
    assert whole.choice_in(SEATING) == (found.phrased, {"x": 1.0})
    assert whole.choice_in(ROTA) == (found.choice, {})
    odd = [*CLEAR, *(example("against", 1, [-20.0, -26.0], 0) for _ in range(3))]
    assert fit_choices(odd).figures["likelihood, no phrasings"].right.hits == len(CLEAR)
    assert fit_choices(CLEAR) == found


def test_sentences_that_no_model_was_asked_about_teach_words_alone() -> None:
    unasked = [
        ChoiceExample(own.family, [{PHRASING: each[PHRASING]} for each in own.features], own.right, asked=False)
        for own in CLEAR
    ]
    both, alone = fit_choices([*CLEAR, *unasked]), fit_choices(CLEAR)
    assert both.choice == alone.choice and both.phrased.by_words != alone.phrased.by_words
    assert both.figures["words alone"].right.of == 2 * len(CLEAR)
    assert both.figures["with all"].right.of == both.figures["as a reader uses them"].right.of == len(CLEAR)


def test_extreme_scores_end_in_finite_weights() -> None:
    wide = [example(f"f{number}", 0, [-5.0, -900.0, -400.0], 1) for number in range(6)]
    assert all(np.isfinite(value) for value in weights_of(wide, {LIKELIHOOD, VIEW}).values())
