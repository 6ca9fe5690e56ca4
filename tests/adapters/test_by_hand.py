"""The refund desk by hand: the decisions that every adapter has to give, too."""

from __future__ import annotations

import pytest

from tests.adapters.desk import ALLOWED, STOPPED, Tools, desk, turns


async def test_the_desk_catches_five_calls_and_stops_no_right_one() -> None:
    guard, tools, stopped = desk(), Tools(), list[tuple[str, dict[str, object]]]()
    talk = guard.conversation("desk")
    history: list[dict[str, object]] = []
    number = 0
    for turn in turns():
        history.append({"role": "user", "content": turn.user})
        for step in turn.steps:
            if step["role"] == "assistant":
                history.append({"role": "assistant", "content": step["text"]})
                continue
            number += 1
            await talk.take_in(history)
            outcome = await talk.decide(step["tool"], step["arguments"], call=f"c{number}")
            if outcome.goes_on:
                result = tools.run(step["tool"], outcome.arguments)
                await talk.ran(outcome, result)
            else:
                stopped.append((step["tool"], step["arguments"]))
                result = outcome.for_model
            call = {"id": f"c{number}", "function": {"name": step["tool"], "arguments": step["arguments"]}}
            history.append({"role": "assistant", "content": None, "tool_calls": [call]})
            history.append({"role": "tool", "tool_call_id": f"c{number}", "content": result})
    assert tools.made == ALLOWED
    assert stopped == STOPPED


@pytest.mark.parametrize("order", ["ab", "ba"])
async def test_results_that_a_history_does_not_show_yet_make_no_message_of_it_new(order: str) -> None:
    """Frameworks decide on parallel calls one by one, and show their results together."""
    talk = desk().conversation("desk")
    booked = {"a": "HN4T8R", "b": "PX6W1K"}
    calls = [{"id": own, "function": {"name": "get_booking", "arguments": {"booking": booked[own]}}} for own in "ab"]
    history = [{"role": "user", "content": "Hello"}, {"role": "assistant", "content": None, "tool_calls": calls}]
    for own in (*order, *order):  # A framework may run an interrupted call anew.
        await talk.take_in(history)
        outcome = await talk.decide("get_booking", {"booking": booked[own]}, call=own)
        await talk.ran(outcome, Tools().get_booking(booked[own]))
    assert await talk.known_words() == [("user", "Hello")]
    results = [{"role": "tool", "tool_call_id": own, "content": Tools().get_booking(booked[own])} for own in "ab"]
    taken = await talk.take_in([*history, *results, {"role": "user", "content": "And now?"}])
    assert [own.turn for own in taken.heard] == [2] and not taken.seen
