"""German and Spanish are read like English: values by code in the locale, and what they are for by a local model."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest
import pytest_asyncio

from holdtrue.language.extract import LlmExtractor
from holdtrue.language.readers import TemplateExtractor
from holdtrue.language.reading import Extractor
from holdtrue.models.catalogue import find_model
from holdtrue.models.chat import ChatModel
from holdtrue.models.model_registry import open_model
from tests.language.slots.worlds import clinic, heard

NAME = "qwen2.5-coder-1.5b"
WORLD = clinic()
DAY, HOUR, PATIENTS = "Clinic.day", "Clinic.hour", "Clinic.patients"
NAMED = "Clinic.dentist_name"
Said = tuple[str, str | None, str, dict[str, object]]
"""The locale, what the assistant said before, the message, and what it settles."""

SAID: list[Said] = [
    ("de-DE", "An welchem Tag?", "Am 9. Mai bitte", {DAY: "2023-05-09"}),
    ("de-DE", "Um wie viel Uhr?", "um halb drei nachmittags", {HOUR: "14:30"}),
    ("de-DE", "Wann soll es sein?", "morgen um 10 Uhr", {DAY: "2023-05-06", HOUR: "10:00"}),
    ("de-DE", "Und um welche Uhrzeit?", "um 15:15 Uhr", {HOUR: "15:15"}),
    ("es-ES", "\u00bfQu\u00e9 d\u00eda?", "el 9 de mayo, por favor", {DAY: "2023-05-09"}),
    ("es-ES", "\u00bfA qu\u00e9 hora?", "a las dos y media de la tarde", {HOUR: "14:30"}),
    ("es-ES", "\u00bfCu\u00e1ndo?", "ma\u00f1ana a las 10:00", {DAY: "2023-05-06", HOUR: "10:00"}),
    ("es-ES", "\u00bfY a qu\u00e9 hora?", "a las 15:15", {HOUR: "15:15"}),
]


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def model() -> AsyncIterator[ChatModel]:
    if not find_model(NAME).downloaded:
        pytest.skip(f"{NAME} is not downloaded: holdtrue models pull {NAME}")
    opened = open_model(f"local/{NAME}")
    yield opened
    await opened.aclose()


async def read(said: Said, reader: Extractor) -> tuple[dict[str, object], Any]:
    locale, before, message, _ = said
    found = await reader.read(WORLD, message, heard(before, locale=locale, groups=("Clinic",)))
    return {own.slot.slot: own.slot.value for own in found.readings if own.slot is not None}, found


@pytest.mark.parametrize("said", SAID, ids=lambda said: said[2])
async def test_values_are_read_by_code_in_their_locale_or_not_at_all(said: Said) -> None:
    found, _ = await read(said, TemplateExtractor())
    assert all(said[3].get(slot) == value for slot, value in found.items())


@pytest.mark.model
@pytest.mark.asyncio(loop_scope="module")
async def test_most_of_what_is_said_is_read_and_no_value_is_another_one(model: ChatModel) -> None:
    right = wanted = 0
    for said in SAID:
        found, reading = await read(said, LlmExtractor(model))
        assert len(reading.calls) == 1
        assert all(said[3].get(slot, value) == value for slot, value in found.items()), (said, found)
        right += sum(found.get(slot) == value for slot, value in said[3].items())
        wanted += len(said[3])
    assert right >= 0.6 * wanted, f"{right} of {wanted}"  # 7 of 10; code alone reads all of them
