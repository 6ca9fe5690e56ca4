"""Weights make probabilities, and are read and written whole."""

from __future__ import annotations

import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdtrue.errors import InputError
from holdtrue.language.slots.slot_weights import SlotWeights, read_weights

NUMBERS = st.floats(-50, 50)
WEIGHTS = st.builds(
    SlotWeights, st.dictionaries(st.text(max_size=5), NUMBERS), st.text(max_size=9), NUMBERS, NUMBERS, st.floats(0, 1)
)


@given(WEIGHTS)
def test_what_is_written_is_read_again(weights: SlotWeights) -> None:
    assert read_weights(json.dumps(weights.to_json())) == weights


@given(WEIGHTS, st.dictionaries(st.text(max_size=5), NUMBERS))
def test_every_probability_lies_between_0_and_1(weights: SlotWeights, features: dict[str, float]) -> None:
    probability = weights.probability(features)
    assert 0 < probability < 1 and 0 < weights.sureness(probability) < 1


def test_scale_and_shift_are_of_log_odds() -> None:
    weights = SlotWeights({"a": 1.0}, scale=2.0, shift=-1.0)
    assert weights.probability({"a": 1.0, "unknown": 9.0}) == pytest.approx(1 / (1 + math.exp(-1)))
    assert weights.sureness(weights.probability({"a": 1.0})) == pytest.approx(1 / (1 + math.exp(-1)))


@pytest.mark.parametrize("text", ["", "3", "{}", '{"weights": {"a": "b"}}', '{"weights": []}', "[" * 9_000])
def test_what_is_no_fit_is_refused(text: str) -> None:
    with pytest.raises(InputError, match="no weights"):
        read_weights(text)
