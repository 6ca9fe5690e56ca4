"""An id identifies a call together with its tool and arguments. With any ids, no call is lost or counted twice."""

from __future__ import annotations

from typing import Any

import pytest

from holdtrue.errors import InputError
from holdtrue.guard.conversation.calls import GivenCall
from holdtrue.guard.guard import Guard
from holdtrue.guard.policy import Policy
from holdtrue.guard.store.event import in_words
from holdtrue.guard.store.memory import MemoryStore
from tests.guard.conversation.shop import guard, policy

FRIDAY, SATURDAY = "2026-03-06", "2026-03-07"
RESERVE, FIND = "Table.Reserve", "Table.Find"
FULL = {"error": "full"}


def call(**arguments: Any) -> dict[str, Any]:
    return {"day": FRIDAY, "guests": 4, **arguments}


def most(number: int) -> Policy:
    return policy(limits=[{"id": "most", "on": RESERVE, "most": number}])


@pytest.mark.parametrize("limit", [1, 2, 3])
async def test_other_calls_with_one_id_are_all_pending_and_count(limit: int) -> None:
    talk = guard(policy=most(limit)).conversation("c")
    kinds = [(await talk.check(RESERVE, call(guests=own), call="call_0", mend=False)).kind for own in range(1, 6)]
    assert kinds == ["allow"] * limit + ["block"] * (5 - limit)
    pending = await talk.pending()
    assert [own.arguments["guests"] for own in pending] == list(range(1, limit + 1))
    assert len({own.id for own in pending}) == limit
    # A result ends its call by the id of the check, or by the key that `pending` returns.
    await talk.saw(RESERVE, pending[-1].arguments, FULL, call="call_0")
    assert [own.id for own in await talk.pending()] == [own.id for own in pending[:-1]]
    for own in pending[:-1]:
        await talk.saw(RESERVE, own.arguments, FULL, call=own.id)
    assert await talk.pending() == ()


async def test_the_same_call_with_the_same_id_takes_one_place_and_is_let_through_once() -> None:
    store = MemoryStore()
    talk = guard(policy=most(2), store=store).conversation("c")
    assert (await talk.check(RESERVE, call(), call="call_0")).kind == "allow"
    for _ in range(3):
        again = await talk.check(RESERVE, call(), call="call_0")
        assert (again.kind, again.rules, again.id) == ("ask", ("pending",), "")
        assert "under way already" in again.for_model and "D001" in again.for_model
    assert len(await talk.pending()) == 1
    assert (await talk.check(RESERVE, call(), call="call_1")).kind == "allow"  # There is place for one more.
    # Once its result has come, the id may be used again, as servers do that number each answer's calls from 0.
    await talk.saw(RESERVE, call(), FULL, call="call_0")
    assert (await talk.check(RESERVE, call(), call="call_0")).kind == "allow"
    assert (await talk.check(RESERVE, call(), call="call_2")).kind == "block"


@pytest.mark.parametrize(
    "other", [(FIND, {"day": FRIDAY}), (RESERVE, call(guests=5)), ("Table.SendConfirmation", call())]
)
async def test_a_result_of_another_call_does_not_end_the_one_that_has_its_id(other: tuple[str, Any]) -> None:
    talk = guard(policy=most(1)).conversation("c")
    await talk.check(RESERVE, call(), call="call_0")
    await talk.saw(*other, FULL, call="call_0")
    assert [own.tool for own in await talk.pending()] == [RESERVE]
    assert (await talk.check(RESERVE, call(), call="call_1")).kind == "block"


@pytest.mark.parametrize("result", [FULL, {"booking": 1}])
async def test_a_result_that_is_told_again_counts_once_and_ends_no_other_call(result: Any) -> None:
    store = MemoryStore()
    talk = guard(policy=most(3), store=store).conversation("c")
    for id in ("x", "y"):
        await talk.check(RESERVE, call(), call=id)
    for ref in ("first", "again", "once more"):
        await talk.saw(RESERVE, call(), result, call="x", ref=ref)
    assert [own.id for own in await talk.pending()] == ["y"]
    assert {"first", "again", "once more"} <= await talk.known_refs()
    # A success has taken one place of three, the pending call another one.
    kinds = [(await talk.check(RESERVE, call(), call=f"z{own}", mend=False)).kind for own in range(3)]
    assert kinds.count("allow") == (2 if result is FULL else 1)
    again = guard(policy=most(3), store=store).conversation("c")
    assert (await again._opened()).pending.keys() == (await talk._opened()).pending.keys()


async def test_a_result_that_is_told_again_counts_once_in_another_process_too() -> None:
    store = MemoryStore()
    talk = guard(policy=most(2), store=store).conversation("c")
    await talk.check(RESERVE, call(), call="x")
    await talk.saw(RESERVE, call(), {"booking": 1}, call="x")
    other = guard(policy=most(2), store=store).conversation("c")
    await other.saw(RESERVE, call(), {"booking": 1}, call="x")
    assert (await other.check(RESERVE, call())).kind == "allow"
    told = [own for own in await store.read("", "c") if own.kind == "told again"]
    assert [line[29:] for own in told for line in in_words(own)] == [
        "Table.Reserve: the result of 'x' was told again, and counts once"
    ]


async def test_a_call_that_succeeded_after_all_counts() -> None:
    talk = guard(policy=most(1)).conversation("c")
    await talk.check(RESERVE, call(), call="x")
    await talk.saw(RESERVE, call(), "no connection", call="x", outcome="failed")
    await talk.saw(RESERVE, call(), {"booking": 1}, call="x", outcome="succeeded")
    assert (await talk.check(RESERVE, call(), call="y")).kind == "block"


async def test_results_without_an_id_end_the_oldest_call_like_them() -> None:
    talk = guard(policy=most(5)).conversation("c")
    for id in ("x", None, "y"):
        await talk.check(RESERVE, call(), call=id)
    await talk.saw(RESERVE, call(), FULL)
    assert [own.id for own in await talk.pending()] == ["D002", "y"]
    # An id that nobody has is of no call that has another one.
    await talk.saw(RESERVE, call(), FULL, call="unknown")
    assert [own.id for own in await talk.pending()] == ["y"]
    await talk.saw(RESERVE, call(), FULL, call="unknown")
    assert [own.id for own in await talk.pending()] == ["y"]


async def test_an_id_that_looks_like_that_of_a_decision_hides_no_call() -> None:
    talk = guard(policy=most(5)).conversation("c")
    await talk.check(RESERVE, call(), call="D002")
    await talk.check(RESERVE, call(guests=5))
    await talk.check(RESERVE, call(guests=6), call="D002 (D002)")
    assert sorted(own.arguments["guests"] for own in await talk.pending()) == [4, 5, 6]


async def test_an_id_alone_names_a_call_only_if_it_is_the_only_one() -> None:
    talk = guard(policy=most(5)).conversation("c")
    await talk.check(RESERVE, call(), call="call_0")
    known = await talk.known_call(GivenCall("", None, "call_0"))
    assert known == GivenCall(RESERVE, call(), "call_0")
    await talk.check(RESERVE, call(guests=5), call="call_0")
    assert await talk.known_call(GivenCall("", None, "call_0")) is None


async def test_what_a_caller_changes_in_a_decision_or_a_pending_call_changes_nothing() -> None:
    talk = guard(policy=policy(tools={"consent": [RESERVE]})).conversation("c")
    given = call()
    decision = await talk.check(RESERVE, given)
    decision.arguments["guests"] = given["guests"] = 9
    await talk.heard(user="yes", answers=decision)
    assert (await talk.check(RESERVE, call(guests=9))).kind == "confirm"
    assert (await talk.check(RESERVE, call(), call="x")).kind == "allow"
    for own in (*await talk.pending(), await talk.known_call(GivenCall("", None, "x"))):
        assert own is not None
        own.arguments["guests"] = 9
    await talk.saw(RESERVE, call(), FULL, call="x")
    assert await talk.pending() == ()


async def test_a_decision_of_another_conversation_is_no_answer_here() -> None:
    own = guard(policy=policy(tools={"consent": [RESERVE]}))
    one, other, tenants = own.conversation("a"), own.conversation("b"), own.conversation("a", "acme")
    theirs = await one.check(RESERVE, call())
    for talk in (other, tenants):
        await talk.check(RESERVE, call())
        for given in (theirs, theirs.id):
            with pytest.raises(InputError, match="answers: D001 is a decision of another conversation, 'a'"):
                await talk.heard(user="yes", answers=given)
            with pytest.raises(InputError, match="of another conversation"):
                await talk.override(given, by="kim", reason="agreed")
        assert (await talk.check(RESERVE, call())).kind == "confirm"
    # An id from a browser is a plain text.
    await one.heard(user="yes", answers=str(theirs.id))
    assert (await one.check(RESERVE, call())).kind == "allow"


async def test_an_override_counts_once_for_tools_that_the_policy_does_not_name() -> None:
    talk = guard().conversation("c")
    wire = {"to": "x"}
    decision = await talk.check("Bank.Wire", wire)
    await talk.override(decision, by="kim", reason="agreed")
    kinds = []
    for number in range(3):
        kinds.append((await talk.check("Bank.Wire", wire, call=f"w{number}")).kind)
        await talk.saw("Bank.Wire", wire, {"ok": True}, call=f"w{number}")
    assert kinds == ["allow", "ask", "ask"]
    # Of one that failed, as somebody says, it counts once more.
    await talk.override(await talk.check("Bank.Wire", wire), by="kim", reason="agreed")
    for outcome in ("failed", "succeeded"):
        assert (await talk.check("Bank.Wire", wire, call=outcome)).kind == "allow"
        await talk.saw("Bank.Wire", wire, "told", call=outcome, outcome=outcome)
    assert (await talk.check("Bank.Wire", wire)).kind == "ask"


@pytest.mark.parametrize("tool", [RESERVE, "Bank.Wire"])
async def test_calls_that_json_cannot_say_are_not_the_same(tool: str) -> None:
    talk = guard().conversation("c")
    decision = await talk.check(tool, {"day": FRIDAY, "name": {"a"}})
    with pytest.raises(InputError, match="D001 is on a call whose arguments cannot be read"):
        await talk.override(decision, by="kim", reason="agreed")
    assert (await talk.check(tool, {"day": SATURDAY, "name": {"b"}})).kind in ("ask", "block")


async def test_consent_is_asked_for_even_if_nobody_reads() -> None:
    talk = Guard(policy(tools={"consent": [RESERVE]}), reads=False).conversation("c")
    decision = await talk.check(RESERVE, call())
    assert (decision.kind, len(decision.listing)) == ("confirm", 2)
    await talk.commit("Table.guests", 4)
    assert (await talk.check(RESERVE, call())).kind == "confirm"
    decision = await talk.check(RESERVE, call())
    await talk.heard(user="yes", answers=decision)
    assert (await talk.check(RESERVE, call())).kind == "allow"
