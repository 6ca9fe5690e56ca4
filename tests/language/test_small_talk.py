"""Words that say nothing of what is agreed, and the record of all others."""

from __future__ import annotations

import pytest

from holdtrue.language.extract import LlmExtractor
from holdtrue.language.readers import TemplateExtractor
from holdtrue.language.reading import MessageContext
from holdtrue.language.small_talk import is_small_talk, without_courtesy
from holdtrue.models.scripted import ScriptModel
from tests.language.rota import ACTIVE, WEEK, made


@pytest.mark.parametrize(
    ("text", "so"),
    [
        ("Thank you so much!", True),
        ("Ok, great.", True),
        ("Hi there", True),
        ("Hello Ann", False),
        ("No Gala", False),
    ],
)
def test_small_talk_is_told_from_words_that_may_mean_something(text: str, so: bool) -> None:
    assert is_small_talk(text) is so


def test_courtesies_are_cut_from_the_end_alone() -> None:
    assert without_courtesy("Cancel it, if you don't mind, thanks a lot!") == "Cancel it"
    assert without_courtesy("Thanks Ann") == "Thanks Ann"


async def test_every_sentence_that_was_not_used_is_recorded_with_its_reason() -> None:
    message = "Hello! Zoe should have fewer shifts. The weather is fine. Thanks!"
    found = await LlmExtractor(ScriptModel([])).read(WEEK, message, MessageContext(4, ACTIVE))
    assert [reading.sentence for reading in found.readings] == [
        "Zoe should have fewer shifts",
        "The weather is fine",
    ]
    assert all(reading.status == "rejected" and reading.reason for reading in found.readings) and found.nothing_read


@pytest.mark.parametrize(
    "message", ["The Ann works on day 1, please", "Bob works on day 1, and the Cy works before Dee. Thanks!"]
)
async def test_templates_read_through_articles_and_politeness_and_joined_sentences(message: str) -> None:
    found = await TemplateExtractor().read(WEEK, message, MessageContext())
    stated = [one for one, _ in found.stated]
    assert stated in ([made("on_day", "Ann", 1)], [made("on_day", "Bob", 1), made("before", "Cy", "Dee")])
