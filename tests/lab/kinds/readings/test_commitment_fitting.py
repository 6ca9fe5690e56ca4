"""Whether sentences commit is fitted on odds that are asked for once, and judged on families that were left out."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from holdtrue.errors import RecordError
from holdtrue.lab.kinds.readings.commitment_fitting import (
    RIDGE,
    Commitment,
    ask_commitments,
    fit_commitments,
    probability,
    weights_of,
)
from holdtrue.lab.kinds.readings.message_item import MessageItem
from holdtrue.lab.kinds.readings.sentence_scores import commitments_in, read_odds
from holdtrue.lab.suites.reading.files import load_items
from holdtrue.language.reading_weights import BIAS
from tests.lab.suites.reading.messages import message, write_messages
from tests.language.test_likelihood import Channel, prefers

TABLE: dict[str, Any] = {"domain": "seating", "entities": ["Nora", "Omar", "Tara"], "context": {}}
PLAIN = message("plain", "single", "Nora has the chair by Omar's", ["adjacent", "Nora", "Omar"], **TABLE)
OPEN = message("open", "hedged", "Nora maybe has the chair by Omar's", **TABLE)


def example(family: str, agreed: bool, odds: float) -> Commitment:
    return Commitment(family, agreed, {"odds": odds, "surely open": float(odds < 0)})


def test_the_weights_are_the_minimum_of_their_loss() -> None:
    """A naive twin: no small step from the solution makes the loss smaller."""
    generator = np.random.default_rng(3)
    odds = generator.normal(size=80)
    examples = [example("f", bool(generator.random() < 1 / (1 + np.exp(-2 * value))), float(value)) for value in odds]
    found = weights_of(examples)

    def loss(weights: dict[str, float]) -> float:
        chances = [probability(weights, own) if own.agreed else 1 - probability(weights, own) for own in examples]
        squares = sum(value**2 for name, value in weights.items() if name != BIAS)
        return -float(np.sum(np.log(chances))) + RIDGE / 2 * squares

    for _ in range(100):
        step = {name: value + generator.normal(scale=0.01) for name, value in found.items()}
        assert loss(found) <= loss(step) + 1e-4  # weights are rounded


def test_figures_are_of_families_that_were_left_out() -> None:
    examples = [example(f"f{place % 4}", place % 2 == 0, 2.0 if place % 2 == 0 else -2.0) for place in range(16)]
    found = fit_commitments([*examples, Commitment("plain", True, None)])
    assert found is not None and (found.asked, found.plain) == (16, 1)
    assert found.agreed_plainly == pytest.approx(2 / 3, abs=1e-3) and found.error is not None and found.error < 0.2
    assert probability(found.weights, examples[0]) > 0.8 > 0.2 > probability(found.weights, examples[1])


def test_what_does_not_differ_is_not_fitted() -> None:
    assert fit_commitments([example("f", True, 1.0), Commitment("g", False, None)]) is None


async def test_only_sentences_with_open_words_are_asked_about_and_each_once(tmp_path: Path) -> None:
    items = [own for own in load_items(write_messages(tmp_path, PLAIN, OPEN)) if isinstance(own, MessageItem)]
    choices, path = await commitments_in(items), tmp_path / "odds"
    assert [own.right >= 0 for own in choices] == [True, False]
    model = Channel(prefers("must sit next to", 9.0), firm=-2.0)
    made = [(own, own.among[0]) for own in choices]
    first = await ask_commitments(model, made, path, lambda number, of: None)
    assert len(model.asked) == 1 and len(read_odds(path)) == 1
    assert [own.features is None for own in first] == [True, False]
    again = await ask_commitments(model, made, path, lambda number, of: None)
    assert len(model.asked) == 1 and [own.features for own in again] == [own.features for own in first]
    path.write_text('{"message": "x"}\n', encoding="utf-8")
    with pytest.raises(RecordError, match="line 1: these are no odds"):
        read_odds(path)
