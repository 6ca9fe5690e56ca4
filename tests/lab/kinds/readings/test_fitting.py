"""Weights are fitted on messages whose past was read rightly, and judged on services that they have not seen."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from holdtrue.lab.kinds.readings.calibration import logistic_regression
from holdtrue.lab.kinds.readings.fitting import context_of, examples_of, fit
from holdtrue.lab.kinds.readings.problem import Dialogue
from holdtrue.language.slots.slot_reading import SlotContext, SlotEvent, SlotReading
from holdtrue.language.slots.slot_weights import read_weights
from tests.lab.suites.reading.dialogues import load_dialogues, write


@pytest.fixture
def dialogues(tmp_path: Path) -> list[Dialogue]:
    return load_dialogues(write(tmp_path))


def test_the_context_is_what_gold_holds_before_a_message(dialogues: list[Dialogue]) -> None:
    found = context_of(dialogues[0], 2, "en-US")
    assert dict(found.held) == {
        "Clinic.town": "Aldermoor",
        "Clinic.dentist_name": "Ines Falk",
        "Clinic.day": "2023-05-09",
        "Clinic.hour": "14:30",
    }
    assert found.assistant == "May 9th at 2:30 pm?" and SlotContext.of(found).groups == ("Clinic",)
    assert found.earlier == ("Ines Falk is one. On which day, and at what time?",)
    assert context_of(dialogues[0], 0, "en-US").held == {}


def test_candidates_are_right_wrong_or_soft(dialogues: list[Dialogue]) -> None:
    examples = examples_of(dialogues, None, "en-US")
    assert len(examples) == sum(own.turns for own in dialogues)
    first = {
        str(own.value): is_right
        for own, is_right in zip(examples[0].candidates, examples[0].right, strict=True)
        if own.slot.id == "Clinic.town"
    }
    assert first["Aldermoor"] is True
    waived = examples[5]
    free = {own.slot.id: right for own, right in zip(waived.candidates, waived.right, strict=True) if own.act == "free"}
    assert free.pop("Clinic.town") is True and not any(free.values())
    assert all(own.gold == 0 for own in (examples[3], examples[6]))


def test_with_views_only_messages_that_a_model_read_count(dialogues: list[Dialogue]) -> None:
    view = SlotReading((SlotEvent("set", "Taxi.address", "Long Field", "Long Field"),))
    [own] = examples_of(dialogues, {("three", 0): view}, "en-US")
    assert own.dialogue == "three"
    assert any("view same" in name for features in own.features for name in features)


def test_a_fit_is_deterministic_and_reads_back(dialogues: list[Dialogue]) -> None:
    examples = examples_of(dialogues, None, "en-US")
    told: list[str] = []
    one, other = fit(examples, "three dialogues", told.append), fit(examples, "three dialogues")
    assert one == other and told == ["without Clinic", "without Taxi"]
    assert one.gold == 9 and one.weights.provenance == "three dialogues"
    assert read_weights(json.dumps(one.weights.to_json())) == one.weights


def test_the_regression_finds_the_minimum_of_its_loss() -> None:
    """A naive twin: no small step from the solution makes the loss smaller."""
    generator = np.random.default_rng(3)
    matrix = generator.normal(size=(80, 4))
    right = (generator.random(80) < 1 / (1 + np.exp(-matrix @ np.array([1.0, -2.0, 0.5, 0.0])))).astype(float)

    def loss(weights: np.ndarray) -> float:
        odds = matrix @ weights
        return float(np.sum(np.logaddexp(0, odds) - right * odds) + 0.25 * weights @ weights)

    found = logistic_regression(matrix, right, 0.5)
    for _ in range(200):
        assert loss(found) <= loss(found + generator.normal(scale=1e-3, size=4)) + 1e-12
