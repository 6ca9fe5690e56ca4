"""A model's view: one call, grammar-bound, and nothing in it that nobody said."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from holdtrue.language.slots.model_view import ask_view, offers_in
from holdtrue.language.slots.slot_prompts import slot_request
from holdtrue.language.slots.slot_reading import SlotReading
from holdtrue.models.scripted import ScriptedReply, ScriptModel
from holdtrue.record import ReplyKind
from tests.language.slots.worlds import clinic, context

WORLD = clinic()


async def view(message: str, reply: Any, assistant: str | None = None, **more: Any) -> SlotReading:
    text = reply if isinstance(reply, str | ScriptedReply) else json.dumps({"events": reply})
    return await ask_view(ScriptModel([text]), WORLD, message, context(assistant, **more))


async def test_events_have_values_by_code() -> None:
    said = "Ines Falk next Tuesday at half past 9 in the morning, someone for braces"
    read = await view(
        said,
        [
            ["Ines Falk", "Clinic.dentist_name"],
            ["half past 9 in the morning", "Clinic.hour"],
            ["someone for braces", "Clinic.speciality", "Orthodontist"],
            [None, "Clinic.patients"],
        ],
    )
    assert [(own.act, own.slot, own.value, own.said, own.grounding) for own in read.events] == [
        ("set", "Clinic.dentist_name", "Ines Falk", "user", "literal"),
        ("set", "Clinic.hour", "09:30", "user", "code"),
        ("set", "Clinic.speciality", "Orthodontist", "user", "chosen"),
        ("free", "Clinic.patients", None, "user", "none"),
    ]
    assert len(read.calls) == 1 and read.unread == ()


async def test_an_offer_is_taken_by_number_or_by_its_words() -> None:
    asked = "Ines Falk is free on May 9th."
    for item in ([1, "Clinic.dentist_name"], ["Ines Falk", "Clinic.dentist_name"]):
        read = await view("Sounds good", [item], asked)
        assert [(own.value, own.said, own.grounding) for own in read.events] == [("Ines Falk", "assistant", "offer")]


@pytest.mark.parametrize(
    ("item", "why"),
    [
        (["Paula Ode", "Clinic.dentist_name"], "the message does not say this"),
        (["Ines", "Clinic.nothing"], "it names no slot"),
        (["Ines", "Clinic.day"], "'Ines' is no date that can be read whole"),
        ("Ines", "it is no event"),
        ([9, "Clinic.dentist_name"], "no words are quoted"),
        ([True, "Clinic.dentist_name"], "the message does not say this"),
    ],
)
async def test_what_nobody_said_is_told_and_no_event(item: Any, why: str) -> None:
    read = await view("Ines it is", [item])
    assert read.events == () and [own.why for own in read.unread] == [why]


@pytest.mark.parametrize("reply", ["no json", '{"events": 3}', "[]", "", "[" * 9_000])
async def test_a_reply_that_is_no_list_leaves_the_message_unread(reply: str) -> None:
    read = await view("In Aldermoor", reply)
    assert read.events == () and [own.quote for own in read.unread] == ["In Aldermoor"]
    assert read.calls


async def test_a_refusal_is_no_reading() -> None:
    read = await view("In Aldermoor", ScriptedReply("I cannot", kind=ReplyKind.REFUSED))
    assert read.events == () and read.unread[0].why


def test_offers_are_what_does_not_hold_yet() -> None:
    talk = context(
        "Ines Falk, who works in Aldermoor, May 9th at 2 pm?", held={"Clinic.town": "Aldermoor", "Clinic.hour": "14:00"}
    )
    assert offers_in(talk) == ("Ines Falk", "May 9th")
    assert offers_in(context(None)) == ()


def test_the_prompt_holds_only_what_was_said() -> None:
    talk = context("Which town?", earlier=("EARLIER",), held={"Clinic.patients": 2})
    request = slot_request(WORLD, "Aldermoor\nUser: and more", talk, ())
    said = request.messages[-1].content
    assert said == "Settled: Clinic.patients = 2\nAssistant: Which town?\nUser: Aldermoor User: and more"
    assert request.frame == len(request.messages) - 1
    again = slot_request(WORLD, "Other", context(), ())
    assert again.messages[: again.frame] == request.messages[: request.frame]


def test_the_grammar_admits_words_of_the_message_and_no_others() -> None:
    schema = slot_request(WORLD, 'in "Aldermoor" at 9 (or 10?)', context(), ("Ines Falk",)).schema
    assert schema is not None
    items = [own["prefixItems"] for own in schema["properties"]["events"]["items"]["anyOf"]]
    quote = items[0][0]["pattern"]
    for good in ("Aldermoor", "at 9", "in Aldermoor at 9 (or 10?)"):
        assert re.fullmatch(quote, good)
    for bad in ("Elsewhere", "", "at  9", "Alder", '"'):
        assert not re.fullmatch(quote, bad)
    assert {"enum": [1]} in [own[0] for own in items]
    choice = next(own for own in items if own[1] == {"enum": ["Clinic.speciality"]})
    assert choice[2] == {"enum": ["General", "Orthodontist", "Surgeon"]}


def test_a_message_without_words_has_a_grammar_too() -> None:
    schema = slot_request(WORLD, '"\\"', context(), ()).schema
    assert schema is not None and schema["properties"]["events"]["maxItems"] > 0
