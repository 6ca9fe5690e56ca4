"""A call is checked against the request that it serves, which has the same act and the same object."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import pytest

from holdtrue.guard import Guard, make_policy
from holdtrue.language.requests.operation import Operation
from tests.guard.conversation.shop import NOW, ScriptedReader
from tests.patience import counted

TEXT = {"type": "string"}


def _tool(name: str, *need: str, **properties: Any) -> dict[str, Any]:
    return {"name": name, "parameters": {"type": "object", "properties": properties, "required": list(need)}}


POLICY = make_policy(
    "requests",
    now=NOW,
    unfounded="tell",
    tools={
        "definitions": [
            _tool("refund", "order", "amount", order=TEXT, amount={"type": "number"}, email=TEXT),
            _tool("move", "order", "day", order=TEXT, day={**TEXT, "format": "date"}, email=TEXT),
        ],
        "writes": ["refund", "move"],
        "errors": ["error"],
        "types": {"*": {"order": "id of order"}},
    },
)


def wants(request: str, act: str = "refund", **values: Any) -> list[Operation]:
    return [Operation("set", act, request, name, value=value, quote=str(value)) for name, value in values.items()]


BOTH = [*wants("new 1", order="A-1", amount=10), *wants("new 2", order="A-2", amount=25)]


def talking(**readings: list[Operation]) -> Any:
    return Guard(POLICY, reader=ScriptedReader(readings)).conversation("c")


async def kind(talk: Any, order: str, amount: float = 10, **more: Any) -> str:
    decision = await talk.check("refund", {"order": order, "amount": amount, **more}, mend=False)
    return str(decision.kind)


@pytest.mark.parametrize("order", list(permutations([("A-1", 10), ("A-2", 25)])))
async def test_two_objects_are_served_in_either_order(order: Any) -> None:
    talk = talking(both=BOTH)
    await talk.heard(user="both")
    for id, amount in order:
        assert await kind(talk, id, amount) == "allow"
        await talk.saw("refund", {"order": id, "amount": amount}, {"ok": True})
    assert [own.status for own in await talk.requests()] == ["done", "done"]


async def test_sums_that_are_swapped_are_stopped() -> None:
    talk = talking(both=BOTH)
    await talk.heard(user="both")
    assert [await kind(talk, id, amount) for id, amount in (("A-1", 25), ("A-2", 10))] == ["block", "block"]


async def test_two_requests_of_one_message_are_two_whatever_they_are_on() -> None:
    both = [
        *wants("new 1", "move", order="A-1", day="2026-03-04"),
        *wants("new 2", "move", order="A-1", day="2026-03-09"),
    ]
    talk = talking(both=both)
    await talk.heard(user="both")
    for day in ("2026-03-04", "2026-03-09"):
        assert (await talk.check("move", {"order": "A-1", "day": day}, mend=False)).kind == "allow"
    assert (await talk.check("move", {"order": "A-1", "day": "2026-03-05"}, mend=False)).kind == "block"


async def test_all_requests_of_an_act_are_taken_back_and_no_other() -> None:
    moved = wants("new 3", "move", order="A-3", day="2026-03-04")
    talk = talking(all=[*BOTH, *moved], none=[Operation("withdraw", "refund", "*", quote="no refunds")])
    await talk.heard(user="all")
    await talk.heard(user="none")
    assert [(own.act, own.status) for own in await talk.requests()] == [
        ("refund", "withdrawn"),
        ("refund", "withdrawn"),
        ("move", "open"),
    ]


async def test_another_sum_amends_its_own_request_alone() -> None:
    talk = talking(both=BOTH, more=wants("Q001", amount=12))
    await talk.heard(user="both")
    await talk.heard(user="more")
    assert [await kind(talk, *own) for own in (("A-1", 10), ("A-1", 12), ("A-2", 25))] == ["block", "allow", "allow"]


async def test_a_request_that_is_done_is_closed_and_the_same_wish_is_a_new_one() -> None:
    talk = talking(first=wants("new 1", order="A-1", amount=10), again=wants("Q001", order="A-1", amount=3))
    await talk.heard(user="first")
    await talk.saw("refund", {"order": "A-1", "amount": 10}, {"ok": True})
    await talk.heard(user="again")
    assert [(own.id, own.status) for own in await talk.requests()] == [("Q001", "done"), ("Q002", "open")]
    assert [await kind(talk, "A-1", amount) for amount in (10, 3)] == ["block", "allow"]


async def test_of_a_request_that_names_no_thing_the_same_call_is_done_once() -> None:
    talk = talking(all_of_them=wants("new 1", amount=10), again=wants("new 2", amount=10))
    await talk.heard(user="all_of_them")
    await talk.saw("refund", {"order": "A-1", "amount": 10}, {"ok": True})
    assert [await kind(talk, id, 10) for id in ("A-1", "A-2")] == ["ask", "allow"]
    await talk.heard(user="again")
    assert await kind(talk, "A-1", 10) == "allow"


async def test_a_call_that_failed_leaves_its_request_open() -> None:
    talk = talking(both=BOTH)
    await talk.heard(user="both")
    await talk.saw("refund", {"order": "A-1", "amount": 10}, {"error": "no money"})
    assert [own.status for own in await talk.requests()] == ["open", "open"]


async def test_what_is_said_for_all_requests_is_said_of_each_open_one() -> None:
    talk = talking(both=BOTH, all=wants("*", amount=7))
    await talk.heard(user="both")
    await talk.heard(user="all")
    assert [await kind(talk, id, amount) for id in ("A-1", "A-2") for amount in (7, 10)] == ["allow", "block"] * 2


async def test_an_address_of_the_user_is_offered_to_each_request_that_takes_one() -> None:
    address = wants("*", email="ann@x.org")
    talk = talking(address=address, both=BOTH, move=wants("new 1", "move", order="A-3", day="2026-03-06"))
    for message in ("address", "both", "move"):
        await talk.heard(user=message)
    assert await kind(talk, "A-1", email="ann@x.org") == "allow"
    assert await kind(talk, "A-1", email="eve@x.org") == "block"
    call = {"order": "A-3", "day": "2026-03-06", "email": "eve@x.org"}
    assert (await talk.check("move", call, mend=False)).disputed == ("email",)


async def test_what_was_taken_back_is_stopped_until_it_is_asked_for_again() -> None:
    back = Operation("withdraw", "refund", "Q001", quote="forget about it")
    talk = talking(both=BOTH, back=[back], again=wants("new 3", order="A-1", amount=10))
    await talk.heard(user="both")
    await talk.heard(user="back")
    decision = await talk.check("refund", {"order": "A-1", "amount": 10}, mend=False)
    assert decision.kind == "block" and "forget about it" in decision.for_model
    assert await kind(talk, "A-2", 25) == "allow"
    await talk.heard(user="again")
    assert await kind(talk, "A-1") == "allow"


async def test_an_object_that_must_not_be_is_none_of_any_request() -> None:
    never = Operation("set", "refund", "", "order", "not", "A-2", quote="never that one")
    talk = talking(both=wants("new 1", order="A-1", amount=10), never=[never], after=wants("new 2", order="A-2"))
    await talk.heard(user="both")
    await talk.heard(user="never")
    assert [await kind(talk, id) for id in ("A-1", "A-2")] == ["allow", "block"]
    await talk.heard(user="after")
    assert await kind(talk, "A-2") == "allow"


async def test_another_object_that_the_user_never_named_is_asked_about() -> None:
    talk = talking(both=BOTH)
    await talk.heard(user="both")
    decision = await talk.check("refund", {"order": "A-9", "amount": 10}, mend=False)
    assert decision.kind == "ask" and "A-1 and A-2" in decision.for_model
    await talk.heard(user="There is A-9 as well.")
    assert await kind(talk, "A-9") == "allow"


async def test_who_frees_an_argument_beside_a_denial_means_both() -> None:
    free = Operation("free", "move", "Q001", "day", quote="any other day")
    denied = Operation("set", "move", "Q001", "day", "not", "2026-03-06")
    talk = talking(move=wants("new 1", "move", order="A-1", day="2026-03-04"), other=[denied, free])
    await talk.heard(user="move")
    await talk.heard(user="other")
    days = {
        day: (await talk.check("move", {"order": "A-1", "day": day}, mend=False)).kind
        for day in ("2026-03-04", "2026-03-06", "2026-03-07")
    }
    assert days == {"2026-03-04": "allow", "2026-03-06": "block", "2026-03-07": "allow"}


async def test_an_override_outranks_what_was_read_once() -> None:
    talk = talking(both=BOTH)
    await talk.heard(user="both")
    decision = await talk.check("refund", {"order": "A-1", "amount": 11}, mend=False)
    await talk.override(decision, by="kim", reason="by phone")
    assert [await kind(talk, "A-1", 11), await kind(talk, "A-1", 11)] == ["allow", "block"]


async def test_many_open_requests_make_a_check_cost_little_more() -> None:
    many = [own for place in range(10) for own in wants(f"new {place}", order=f"A-{place}", amount=10)]
    made = []
    for readings in ({}, {"many": many}):
        talk = talking(**readings)
        await talk.heard(user="many")
        await kind(talk, "A-3")
        with counted() as calls:
            assert await kind(talk, "A-4") == "allow"
        made.append(calls.made)
    assert made[1] < 2 * made[0], made


@pytest.mark.parametrize("confidence", [0.79, 0.8])
async def test_what_is_in_doubt_takes_nothing_back(confidence: float) -> None:
    back = [Operation("withdraw", "refund", "Q001", confidence=confidence, quote="forget it")]
    talk = talking(wish=wants("new", order="A-1", amount=10), back=back)
    await talk.heard(user="wish")
    heard = await talk.heard(user="back")
    assert [own.status for own in await talk.requests()] == (["withdrawn"] if confidence >= 0.8 else ["open"])
    assert bool(heard.unread) is (confidence < 0.8)
