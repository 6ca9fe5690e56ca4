"""What a promise says of the arguments of its call."""

from __future__ import annotations

import pytest

from holdtrue.guard import make_policy
from holdtrue.guard.guard import Guard
from tests.guard.conversation.shop import NOW, ScriptedReader

TEXT = {"type": "string"}
BOOK = {
    "name": "Gym.BookVisit",
    "description": "Book a visit",
    "parameters": {
        "type": "object",
        "properties": {
            "trainer": {**TEXT, "description": "Name of the trainer"},
            "room": {**TEXT, "description": "Name of the room"},
            "day": {**TEXT, "format": "date", "description": "Day of the visit"},
            "guests": {"type": "integer", "description": "How many come"},
            "court": {"type": "integer", "description": "Number of the court"},
            "mat": {"type": "boolean", "description": "With a mat"},
        },
        "required": ["day"],
    },
}
MAIL = {
    "name": "Gym.SendGallery",
    "description": "Send pictures",
    "parameters": {"type": "object", "properties": {"email": {**TEXT, "description": "Address"}}},
}


async def promised(message: str) -> dict[str, object]:
    tools = {"definitions": [BOOK, MAIL], "writes": ["Gym.BookVisit", "Gym.SendGallery"]}
    talk = Guard(make_policy("gym", now=NOW, tools=tools), reader=ScriptedReader({})).conversation("c")
    await talk.heard(assistant=message, at=NOW)
    unmet = await talk.unmet()
    calls = {"trainer": "Olga", "room": "Blue Hall", "guests": 3, "court": 5, "mat": True}
    decision = await talk.check("Gym.BookVisit", {"day": "2026-03-05", **calls})
    return {"unmet": [own.name for own in unmet], "disputed": set(decision.disputed)}


@pytest.mark.parametrize(
    ("message", "disputed"),
    [
        ("I'll book you in with Malik.", {"trainer"}),
        ("I'll book you in with Olga.", set()),
        ("I'll book you the Old Chapel.", {"room"}),
        ("I'll book you in for Friday.", {"day"}),
        ("I'll book the visit for 4 guests.", {"guests"}),
        ("I'll book you court 2, that's the shady one.", {"court"}),
        ("I'll book it without a mat.", {"mat"}),
    ],
)
async def test_a_promise_holds_the_arguments_it_names(message: str, disputed: set[str]) -> None:
    found = await promised(message)
    assert found == {"unmet": ["Gym.BookVisit"], "disputed": disputed}


async def test_two_promises_stand_in_one_sentence() -> None:
    found = await promised("I'll book you court 2 and afterwards I'll send you the link by email.")
    assert found == {"unmet": ["Gym.BookVisit", "Gym.SendGallery"], "disputed": {"court"}}


@pytest.mark.parametrize(("called", "kind"), [("Olga", "allow"), ("Malik", "ask")])
async def test_somebody_can_be_what_is_promised_where_nothing_else_can(called: str, kind: str) -> None:
    trainer = {"trainer": {**TEXT, "description": "Name of the trainer"}}
    tool = {"name": "Gym.BookVisit", "parameters": {"type": "object", "properties": trainer}}
    policy = make_policy("gym", now=NOW, tools={"definitions": [tool], "writes": ["Gym.BookVisit"]})
    talk = Guard(policy, reader=ScriptedReader({})).conversation("c")
    await talk.heard(assistant="Both are free. I'll book Olga for you.", at=NOW)
    # Without a model nobody knows whether a name is another one of the same person.
    assert (await talk.check("Gym.BookVisit", {"trainer": called})).kind == kind


@pytest.mark.parametrize(
    ("message", "unmet"),
    [
        ("I'll email you the gallery, where should it go?", ["Gym.SendGallery"]),
        ("And I'll send you the link by email.", ["Gym.SendGallery"]),
        ("Shall I book it?", []),
        ("I'll book it if you like, ok?", []),
        ("I'll email you the gallery once it is booked.", ["Gym.SendGallery"]),
        ("I'll email you the gallery once you have paid.", []),
        ("I'll email you the gallery when you are ready.", []),
    ],
)
async def test_a_question_behind_a_promise_asks_for_more(message: str, unmet: list[str]) -> None:
    assert (await promised(message))["unmet"] == unmet
