"""Changes of a conversation by hand name the person and the role, and words that are passed on are never a yes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from holdtrue.errors import InputError, StoreError
from holdtrue.guard import Guard, SqliteStore
from holdtrue.guard.conversation.guarded_conversation import GuardedConversation
from holdtrue.guard.store.event import in_words
from tests.guard.conversation.shop import FOUR_ON_FRIDAY, ScriptedReader, guard, policy

T = "Table.Reserve"
CALL = {"day": "2026-03-06", "guests": 4}
SIGNED: Any = {"by": "Kim", "role": "operator"}


def asking() -> GuardedConversation:
    return Guard(policy(tools={"consent": [T]}), reader=ScriptedReader({})).conversation("c")


async def last(talk: GuardedConversation) -> tuple[dict[str, Any], str]:
    event = (await talk.guard.store.read(talk.tenant, talk.id))[-1]
    return event.content, "\n".join(in_words(event))


@pytest.mark.parametrize(("signed", "name"), [(SIGNED, "Kim (operator)"), ({"by": "Kim"}, "Kim")])
async def test_a_person_lets_a_call_through_that_lacks_its_yes(signed: dict[str, str], name: str) -> None:
    talk = asking()
    decision = await talk.check(T, CALL)
    assert decision.kind == "confirm"
    await talk.override(decision, reason="They said so on the phone.", **signed)
    body, words = await last(talk)
    assert body == {"decision": "D001", **signed, "reason": "They said so on the phone."}
    assert f"D001 is let through by {name}: They said so" in words
    first, second = [await talk.check(T, CALL) for _ in range(2)]
    assert (first.kind, second.kind) == ("allow", "confirm") and name in json.dumps(first.to_json())


async def test_a_person_withdraws_an_entry() -> None:
    talk = asking()
    both: tuple[dict[str, str], ...] = (SIGNED, {})
    for signed in both:
        id = await talk.commit("Table.guests", 4)
        await talk.withdraw(id, "It was misread.", **signed)
        body, words = await last(talk)
        assert body == {"id": id, "reason": "It was misread.", **signed}
        assert words.endswith(f"{id} is withdrawn{' by Kim (operator)' if signed else ''}: It was misread.")


@pytest.mark.parametrize("words", ["yes", "Yes, please go ahead!"])
async def test_a_yes_that_a_person_passes_on_is_none(words: str) -> None:
    talk = asking()
    decision = await talk.check(T, CALL)
    heard = await talk.heard(user=words, answers=decision, **SIGNED)
    assert not heard.yes and heard.turn == 0 and (await last(talk))[0]["decision"] == "D001"
    await talk.heard(assistant=decision.for_user, user=words, by="Kim")
    assert (await talk.check(T, CALL)).kind == "confirm"
    await talk.heard(user="For five, then.", answers=decision, **SIGNED)
    body, told = await last(talk)
    assert (body["by"], body["role"], body["user"]) == ("Kim", "operator", "For five, then.")
    assert "user (passed on by Kim (operator)): For five, then." in told


async def test_a_role_without_a_person_and_a_name_that_is_no_text_are_refused() -> None:
    talk = asking()
    id = await talk.commit("Table.guests", 4)
    wrong: list[dict[str, Any]] = [{"role": "operator"}, {"by": ""}, {"by": 5}, {"by": "Kim", "role": ["x"]}]
    for given in wrong:
        with pytest.raises(InputError, match=r"role|by"):
            await talk.withdraw(id, **given)
        with pytest.raises(InputError, match=r"role|by"):
            await talk.heard(user="Hello", **given)
    assert [own.kind for own in await talk.guard.store.read("", "c")] == ["committed"]


async def test_a_conversation_catches_up_with_another_process(tmp_path: Path) -> None:
    stores = [SqliteStore(tmp_path / "talks.db") for _ in range(2)]
    one, other = (guard(policy=policy(rules=FOUR_ON_FRIDAY), store=own) for own in stores)
    mine, theirs = one.conversation("c"), other.conversation("c")
    await mine.heard(user="Hello")
    await mine.catch_up()
    await theirs.check(T, {**CALL, "guests": 5})
    assert await mine.decided("D001") is None
    await mine.catch_up()
    assert (await mine.decided("D001")) is not None
    await mine.override("D001", reason="r", **SIGNED)
    await other.store.erase("", "c", "they asked")
    with pytest.raises((InputError, StoreError), match="erased"):
        await mine.catch_up()
    for own in stores:
        await own.aclose()
