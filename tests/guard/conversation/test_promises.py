"""A promise is an act that the assistant announces for itself, with the tool and its arguments."""

from __future__ import annotations

from pathlib import Path

import pytest

from holdtrue.guard import make_policy
from holdtrue.guard.conversation.plain_words import promises_in
from holdtrue.guard.guard import Guard
from holdtrue.guard.policy import Policy
from tests.data import read_jsonl
from tests.guard.conversation.shop import NOW, ScriptedReader
from tests.patience import count_calls


def policy_of(writes: str, reads: str) -> Policy:
    """Return a policy with tools of these names."""
    nothing = {"type": "object", "properties": {}}
    made = [{"name": own, "description": own, "parameters": nothing} for own in f"{writes} {reads}".split()]
    return make_policy("p", tools={"definitions": made, "writes": writes.split(), "reads": reads.split()})


TABLE = policy_of("Table.Reserve Table.SendConfirmation Table.CancelReservation", "Table.Find")
SHOP = policy_of(
    "Shop.PlaceOrder Shop.SendInvoice Shop.IssueRefund Shop.UpdateAddress Shop.CancelOrder",
    "Shop.GetOrder Shop.ListOrders Shop.CheckStock",
)
HOTEL = policy_of("create_booking send_email make_payment", "get_booking search_hotels")
POLICIES = {"table": TABLE, "shop": SHOP, "hotel": HOTEL}
SAID = read_jsonl(Path(__file__).parent / "data" / "promises.jsonl")


@pytest.mark.parametrize(("policy", "said", "promised"), [tuple(own.values()) for own in SAID])
def test_a_promise_names_its_tool_and_what_is_denied_or_depends_is_none(policy: str, said: str, promised: str) -> None:
    assert " ".join(own.tool for own in promises_in(said, POLICIES[policy].tools.values())) == promised


@pytest.mark.parametrize("words", ["choose ", "I'll book it ", "I'll not ", "I'll quickly ", "wish I'll ", "be "])
def test_long_messages_take_little_work(words: str) -> None:
    assert count_calls(lambda: promises_in((words * 20_000)[:50_000], HOTEL.tools.values())) < 500_000


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
            "level": {**TEXT, "enum": ["sea", "hill"], "description": "How high"},
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
    calls = {"trainer": "Olga", "room": "Blue Hall", "guests": 3, "court": 5, "level": "hill"}
    decision = await talk.check("Gym.BookVisit", {"day": "2026-03-05", **calls})
    return {"unmet": [own.name for own in unmet], "disputed": set(decision.disputed)}


@pytest.mark.parametrize(
    ("message", "disputed"),
    [
        ("I'll book you in for Friday.", {"day"}),
        ("I'll book you in for Thursday.", set()),
        ("I'll book the visit at sea level.", {"level"}),
        ("I'll book the visit for 4.", set()),  # It may be the court as well.
        ("I'll book the visit for Friday or Saturday.", set()),
    ],
)
async def test_a_promise_holds_the_arguments_it_names(message: str, disputed: set[str]) -> None:
    found = await promised(message)
    assert found == {"unmet": ["Gym.BookVisit"], "disputed": disputed}


async def test_two_promises_stand_in_one_sentence() -> None:
    found = await promised("I'll book the visit for Friday and afterwards I'll send you the gallery by email.")
    assert found == {"unmet": ["Gym.BookVisit", "Gym.SendGallery"], "disputed": {"day"}}


@pytest.mark.parametrize(
    ("message", "unmet"),
    [
        ("And I'll send you the link by email.", ["Gym.SendGallery"]),
        ("Shall I book it?", []),
        ("I'll book it if you like, ok?", []),
        ("I'll send you the gallery once you have paid.", []),
        ("I'll send you the gallery when you are ready.", []),
    ],
)
async def test_a_question_behind_a_promise_asks_for_more(message: str, unmet: list[str]) -> None:
    assert (await promised(message))["unmet"] == unmet
