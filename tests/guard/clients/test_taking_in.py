"""A history is taken in to the same ledger as by hand, in the form of any client and however it is cut."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import pytest

from holdtrue.errors import RecordError
from holdtrue.guard.clients.message_history import read_history
from holdtrue.guard.conversation.guarded_conversation import GuardedConversation
from holdtrue.guard.guard import Guard
from tests.guard.clients.histories import FORMS, Called, Said
from tests.guard.conversation.shop import ScriptedReader, Utterance, policy

POLICY = policy(limits=[{"id": "ONE", "on": "Table.Reserve", "most": 2, "say": "Two tables in a conversation."}])
READINGS: dict[str, Utterance] = {
    **{f"for {n} on friday": {"day": "2026-03-06", "guests": n} for n in range(2, 6)},
    **{f"{n}": {"guests": n} for n in range(2, 6)},
}


def random_step(rng: random.Random, number: int) -> Said:
    """Return one message of an assistant with up to three calls. Some clients count ids anew in each message."""
    calls = []
    for place in range(rng.choice([0, 1, 1, 2, 3])):
        tool = rng.choice(["Table.Find", "Table.Reserve", "Table.SendConfirmation"])
        arguments: dict[str, Any] = {"day": "2026-03-06", "guests": rng.randint(2, 5)}
        if tool == "Table.SendConfirmation":
            arguments = {"email": f"{rng.choice('ab')}@x.org"}
        id = f"call_{place}" if number % 2 else f"call_{number}_{place}"
        result = rng.choice(['{"ok": true}', "plain words", f'{{"free": {place}}}'])
        calls.append(Called(id, tool, arguments, result, failed=rng.random() < 0.15, doubly=rng.random() < 0.15))
    return Said("assistant", f"step {number}" if not calls or rng.random() < 0.4 else "", calls)


def random_talk(rng: random.Random) -> list[Said]:
    found: list[Said] = []
    for turn in range(rng.randint(1, 4)):
        found.append(Said("user", rng.choice([*READINGS, f"turn {turn}", f"turn {turn}"])))
        found += [random_step(rng, 10 * turn + number) for number in range(rng.randint(0, 3))]
    return found


async def ledger(talk: GuardedConversation) -> dict[str, Any]:
    """Return all that follows from the events of a conversation."""
    await talk.known_refs()
    state = talk._events.state
    return {
        "words": [(own.who, own.text) for own in state.words.all],
        "done": {tool: list(calls) for tool, calls in state.facts.done.items()},
        "requests": [(own.act, own.status) for own in state.ledger.requests.values()],
        "entries": [(own.argument, own.value) for own in await talk.entries()],
        "pending": sorted((own.tool, str(own.arguments)) for own in await talk.pending()),
    }


async def played(talk: GuardedConversation, said: Said) -> Said:
    """Decide on the calls of a message, and return it with what the app got for each call."""
    calls = []
    for own in said.calls:
        outcome = await talk.decide(own.tool, own.arguments, call=own.id)
        calls.append(own if outcome.goes_on else replace(own, result=outcome.for_model, failed=False))
    return replace(said, calls=calls)


async def by_hand(whole: list[Said]) -> dict[str, Any]:
    talk = Guard(POLICY, reader=ScriptedReader(READINGS)).conversation("c")
    for said in whole:
        if said.text:
            await (talk.heard(user=said.text) if said.who == "user" else talk.heard(assistant=said.text))
        for own in (await played(talk, said)).calls:
            if "[holdtrue: stopped" not in own.result:
                await talk.saw(
                    own.tool, own.arguments, own.result, call=own.id, outcome="failed" if own.failed else None
                )
    return await ledger(talk)


async def in_a_form(whole: list[Said], form: str, rng: random.Random) -> dict[str, Any]:
    """Play the conversation with histories as an app sends them: whole, cut at the front, or sent twice.

    An app that says the same words twice sends whole histories. In a part, they could be the first ones sent again.
    """
    texts = [own.text for own in whole if own.text]
    is_whole = len({*texts}) < len(texts)
    guard = Guard(POLICY, reader=ScriptedReader(READINGS))
    talk, history, taken = guard.conversation("c"), list[Any](), 0
    for said in whole:
        own = await played(talk, said)
        history += FORMS[form](own)
        for _ in range(rng.choice([1, 1, 2])):
            cut = 0 if is_whole or rng.random() < 0.5 else rng.randint(max(0, taken - 6), taken)
            await talk.take_in(history[cut:])
        taken = len(history)
        if rng.random() < 0.1:
            assert not await talk.take_in(history)
    assert not await talk.take_in(history)
    return await ledger(talk)


async def check_seed(seed: int, form: str) -> None:
    whole = random_talk(random.Random(seed))
    assert await in_a_form(whole, form, random.Random(seed)) == await by_hand(whole), f"seed {seed}, {form}"


@pytest.mark.parametrize("form", FORMS)
async def test_a_history_gives_the_ledger_that_it_gives_by_hand(form: str) -> None:
    for seed in range(12):
        await check_seed(seed, form)


@pytest.mark.slow
@pytest.mark.parametrize("form", FORMS)
async def test_two_thousand_histories_give_the_ledger_that_they_give_by_hand(form: str) -> None:
    for seed in range(100, 434):
        await check_seed(seed, form)


BROKEN: dict[str, tuple[Any, str]] = {
    "no list": (5, "messages: a list of messages is needed"),
    "no role": ([{"content": "hello"}], r"messages\[0\]: role is missing"),
    "an unknown role": ([{"role": "oracle", "content": "hello"}], "the role 'oracle' is not known"),
    "an unknown part": (
        [{"role": "user", "content": [{"type": "spell", "x": 1}]}],
        r"messages\[0\].content\[0\]: a part",
    ),
    "an unknown kind of part": (
        [{"kind": "request", "parts": [{"part_kind": "spell", "content": "x"}]}],
        r"messages\[0\].parts\[0\]: a part of kind 'spell' is not understood",
    ),
    "a text among messages": ([{"role": "user", "content": "a"}, 7], r"messages\[1\]: "),
}


@pytest.mark.parametrize("broken", BROKEN)
async def test_a_message_that_is_not_understood_is_told_with_its_place_and_nothing_is_taken_in(broken: str) -> None:
    given, why = BROKEN[broken]
    talk = Guard(POLICY, reader=ScriptedReader(READINGS)).conversation("c")
    with pytest.raises(RecordError, match=why):
        await talk.take_in(given)
    assert (await ledger(talk))["words"] == []


def test_a_call_in_the_words_of_a_message_is_no_call() -> None:
    said = "Action: refund\nAction Input: {} <tool_call>{}</tool_call>"
    assert [own.kind for own in read_history([{"role": "assistant", "content": said}])] == ["assistant"]


async def test_parallel_results_count_once_in_whatever_order_they_came() -> None:
    talk = Guard(POLICY, reader=ScriptedReader(READINGS)).conversation("c")
    calls = [Called(f"c{n}", "Table.Find", {"day": "2026-03-06", "guests": n}, f'{{"free": {n}}}') for n in (2, 3)]
    outcomes = [await talk.decide(own.tool, own.arguments, call=own.id) for own in calls]
    for outcome, own in reversed([*zip(outcomes, calls, strict=True)]):
        await talk.ran(outcome, own.result)
    await talk.take_in(FORMS["chat"](Said("assistant", "", calls)))
    assert len(talk._events.state.facts.done["Table.Find"]) == 2
