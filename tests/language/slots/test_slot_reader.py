"""The reader of slots: by code, with a model's view, and with a probability for each event."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdtrue.errors import InputError
from holdtrue.language.reading import Extraction
from holdtrue.language.slots.slot_reader import ScoredSlotReader
from holdtrue.language.slots.slot_weights import SlotWeights, shipped_weights
from holdtrue.models.scripted import ScriptModel
from tests.language.slots.worlds import clinic, heard

WORLD = clinic()
RULES = ScoredSlotReader()


def values(read: Extraction) -> dict[str, object]:
    return {own.slot.slot: own.slot.value for own in read.readings if own.slot is not None}


async def test_code_alone_reads_what_is_asked_for() -> None:
    talk = heard("On which day, and at what time?", groups=("Clinic",))
    read = await RULES.read(WORLD, "On May 9th at half past two", talk)
    assert values(read) == {"Clinic.day": "2023-05-09", "Clinic.hour": "14:30"}
    assert read.calls == () and all(0.4 <= own.confidence < 1 for own in read.readings)


async def test_code_alone_takes_another_value_without_a_cue() -> None:
    held = {"Clinic.hour": "14:00", "Clinic.day": "2023-05-09"}
    talk = heard("So that is May 9th at 2 pm?", held=held, groups=("Clinic",))
    assert values(await RULES.read(WORLD, "Actually make it 3 pm", talk)) == {"Clinic.hour": "15:00"}
    assert values(await RULES.read(WORLD, "Yes, that is right", talk)) == {}


async def test_a_view_speaks_for_what_it_says() -> None:
    said = "I want to go to Old Mill by taxi"
    alone = await RULES.read(WORLD, said, heard())
    reply = json.dumps({"events": [["Old Mill", "Taxi.address"]]})
    seen = await ScoredSlotReader(ScriptModel([reply])).read(WORLD, said, heard())
    assert values(seen) == {"Taxi.address": "Old Mill"}
    sure = [own.confidence for own in alone.readings if own.slot is not None and own.slot.slot == "Taxi.address"]
    assert max(sure, default=0.0) < seen.readings[0].confidence
    assert len(seen.calls) == 1 and alone.calls == ()


async def test_each_slot_and_each_word_counts_once() -> None:
    sure = ScoredSlotReader(weights=SlotWeights({"bias": 5.0}))
    read = await sure.read(WORLD, "Ines Falk on May 9th or May 10th", heard())
    slots = [own.slot.slot for own in read.readings if own.slot is not None]
    assert len(slots) == len(set(slots))
    quotes = [own.sentence for own in read.readings]
    assert len(quotes) == len(set(quotes))


async def test_nothing_is_read_where_nothing_is_probable() -> None:
    never = ScoredSlotReader(weights=SlotWeights({"bias": -9.0}))
    assert (await never.read(WORLD, "Ines Falk on May 9th", heard())).readings == ()


def test_weights_are_data_with_their_provenance() -> None:
    for name in ("rules", "model"):
        assert len(shipped_weights(name).weights) > 50
        assert "60 dialogues" in shipped_weights(name).provenance
    with pytest.raises(InputError, match="rules"):
        shipped_weights("other")


@given(st.text(max_size=120), st.one_of(st.none(), st.text(max_size=120)))
@settings(max_examples=60)
async def test_any_text_is_read_without_an_error(message: str, assistant: str | None) -> None:
    read = await RULES.read(WORLD, message, heard(assistant))
    for own in read.readings:
        assert own.slot is not None and own.slot.slot in WORLD.slots
        assert own.sentence in (message if own.source == "user" else assistant or "")
