"""Servers without ids of calls, or with repeated ones: each call is decided on, mended and answered as itself."""

from __future__ import annotations

import json
from typing import Any

import pytest

from holdtrue.errors import InputError
from holdtrue.guard.clients.blocking import CallStopped
from tests.guard.clients.served import Raw, serving, tool_call
from tests.guard.clients.test_guarded_client import ASKED, FRIDAY, RIGHT, SATURDAY, USER, ask, chat_client
from tests.guard.conversation.shop import FOUR_ON_FRIDAY, guard, policy

TOOL, MAIL = "Table.Reserve", "Table.SendConfirmation"
TWICE = policy(limits=[{"id": "twice", "on": TOOL, "most": 2}])
ADDRESS = {"email": "a@example.org"}
IDS = (None, "", "0", "D001")


def state_of(own: Any) -> Any:
    return own.run(own.conversation("c")._opened())


def reserve(day: str = FRIDAY, **more: Any) -> dict[str, Any]:
    return {"day": day, "guests": 4, **more}


@pytest.mark.parametrize("id", IDS)
def test_only_calls_that_were_decided_come_out_mended_in_their_own_places(id: str | None) -> None:
    own = guard(policy=policy(rules=FOUR_ON_FRIDAY))
    calls = [
        tool_call(TOOL, reserve(SATURDAY), id),
        tool_call(MAIL, ADDRESS, id),
        tool_call(TOOL, reserve(SATURDAY, name="B"), id),
    ]
    with serving([Raw([{"tool_calls": calls}])]) as served:
        message = ask(chat_client(own, served.url, on_block="mend"), USER).choices[0].message
    made = [(call.function.name, json.loads(call.function.arguments)) for call in message.tool_calls]
    assert made == [(TOOL, reserve()), (MAIL, ADDRESS), (TOOL, reserve(name="B"))]
    assert [(call.tool, call.arguments) for call in own.run(own.conversation("c").pending())] == made
    own.close()


@pytest.mark.parametrize("id", IDS)
def test_a_limit_counts_every_call_of_a_message(id: str | None) -> None:
    own = guard(ASKED, policy=TWICE)
    calls = [tool_call(TOOL, reserve(), id)] * 5
    with serving([Raw([{"tool_calls": calls}]), "No."]) as served:
        answer = ask(chat_client(own, served.url), USER)
    assert answer.choices[0].message.tool_calls is None
    told = [own["tool_call_id"] for own in served.bodies[1]["messages"] if own["role"] == "tool"]
    assert len(set(told)) == 5 and all(told)
    assert not state_of(own).pending
    own.close()


@pytest.mark.parametrize("id", IDS)
def test_a_limit_counts_the_calls_of_several_messages(id: str | None) -> None:
    own = guard(ASKED, policy=TWICE)
    says = [Raw([{"tool_calls": [tool_call(TOOL, reserve(name=name), id)]}]) for name in "ABC"]
    with serving([*says, "No."]) as served:
        client = chat_client(own, served.url)
        kinds = [ask(client, USER).choices[0].message.tool_calls is not None for _ in range(3)]
    assert kinds == [True, True, False]
    assert len(state_of(own).pending) == 2
    own.close()


@pytest.mark.parametrize("id", [None, "", "0"])
def test_each_result_is_that_of_its_own_call(id: str | None) -> None:
    own = guard({**ASKED, "again": ASKED["for 4 on friday"]}, policy=TWICE)
    said = {
        "role": "assistant",
        "content": None,
        "tool_calls": [tool_call(TOOL, reserve(), id), tool_call(MAIL, ADDRESS, id)],
    }
    results = [
        {"role": "tool", "tool_call_id": id, "content": '{"booking": 1}'},
        {"role": "tool", "tool_call_id": id, "content": '{"error": "no mail"}'},
    ]
    with serving([Raw([said]), "Reserved.", Raw([said]), "Reserved."]) as served:
        client = chat_client(own, served.url)
        history = [USER, said, *results]
        ask(client, USER)
        ask(client, *history)
        # The same ids once more.
        history += [{"role": "assistant", "content": "Reserved."}, {"role": "user", "content": "again"}]
        ask(client, *history)
        ask(client, *history, said, *results)
    state = state_of(own)
    assert {tool: len(done) for tool, done in state.facts.done.items()} == {TOOL: 2}
    assert not state.pending
    own.close()


def test_a_result_that_the_app_shortens_later_is_the_same_one() -> None:
    own = guard(ASKED, policy=TWICE)
    with serving([RIGHT, "Reserved.", "Bye."]) as served:
        client = chat_client(own, served.url)
        said = ask(client, USER).choices[0].message
        id = said.tool_calls[0].id
        ask(client, USER, said, {"role": "tool", "tool_call_id": id, "content": '{"booking": 1, "much": "more"}'})
        ask(
            client,
            USER,
            said,
            {"role": "tool", "tool_call_id": id, "content": "{}"},
            {"role": "user", "content": "bye"},
        )
    assert len(state_of(own).facts.done[TOOL]) == 1
    own.close()


def test_the_result_of_a_reading_call_is_seen_where_only_its_id_is_told() -> None:
    own = guard({})
    find = {"type": "function_call", "call_id": "0", "name": "Table.Find", "arguments": json.dumps({"day": FRIDAY})}
    other = {**find, "arguments": json.dumps({"day": SATURDAY})}
    with serving([Raw([find, other]), "Two are free."]) as served:
        # Web apps wrap a new client for each request.
        first = chat_client(own, served.url).responses.create(model="m", input="for 4 on friday")
        results = [
            {"type": "function_call_output", "call_id": "0", "output": text} for text in ('{"a": 1}', '{"b": 2}')
        ]
        chat_client(own, served.url).responses.create(model="m", input=results, previous_response_id=first.id)
    seen = [each.content for each in own.run(own.store.read("", "c")) if each.kind == "saw"]
    assert [(each["arguments"]["day"], each["result"]) for each in seen] == [(FRIDAY, {"a": 1}), (SATURDAY, {"b": 2})]
    own.close()


def test_a_call_without_arguments_is_one_with_none() -> None:
    tools = {
        "definitions": [{"name": "ping", "description": "Ping", "parameters": {"type": "object", "properties": {}}}],
        "reads": [],
        "writes": ["ping"],
    }
    own = guard({}, policy=policy(tools=tools))
    with serving([Raw([{"tool_calls": [tool_call("ping", "")]}]), "Done."]) as served:
        client = chat_client(own, served.url)
        said = ask(client, USER).choices[0].message
        assert said.tool_calls[0].function.name == "ping"
        ask(client, USER, said, {"role": "tool", "tool_call_id": "call_1", "content": "{}"})
    assert not state_of(own).pending
    own.close()


@pytest.mark.parametrize("tool", [TOOL, "Table.Find"])
@pytest.mark.parametrize("is_whole", [True, False])
@pytest.mark.parametrize("is_made", [True, False])
@pytest.mark.parametrize("times", [1, 2])
def test_each_call_of_an_id_that_is_used_again_is_answered(
    tool: str, is_whole: bool, is_made: bool, times: int
) -> None:
    again = {f"once more {number}": ASKED["for 4 on friday"] for number in range(3)}
    own = guard({**ASKED, **again}, policy=policy(limits=[{"id": "many", "on": TOOL, "most": 9}]))
    call = {"role": "assistant", "content": None, "tool_calls": [tool_call(tool, reserve(), "call_0")]}
    made: Any = own.tool(name=tool)(lambda day, guests: "ok")
    history: list[dict[str, Any]] = [USER]
    sent = 0
    with serving([*[Raw([{"tool_calls": call["tool_calls"]}])] * 3, "Bye."]) as served:
        client = chat_client(own, served.url)
        for number, result in enumerate(("ok", "ok", '{"error": "full"}')):
            ask(client, *history[0 if is_whole else sent :])
            sent = len(history)
            if is_made and number == 0:
                with own.inside("c"):
                    made(**reserve())
            history += [call, *[{"role": "tool", "tool_call_id": "call_0", "content": result}] * times]
            history += [{"role": "user", "content": f"once more {number}"}]
        ask(client, *history[0 if is_whole else sent :])
    assert len(state_of(own).facts.done[tool]) == 2 and not state_of(own).pending
    own.close()


def test_calls_of_a_message_that_is_held_back_are_not_made_and_foreign_parts_are_refused() -> None:
    own = guard(ASKED, policy=policy(rules=FOUR_ON_FRIDAY))
    parts = [
        tool_call(MAIL, ADDRESS, "a"),
        tool_call("Table.Find", {"day": FRIDAY}, "b"),
        tool_call(TOOL, reserve(SATURDAY), "c"),
    ]
    results = [{"role": "tool", "tool_call_id": id, "content": "cancelled"} for id in "abc"]
    said = {"role": "assistant", "content": None, "tool_calls": parts}
    with serving([Raw([{"tool_calls": parts}]), "Bye."]) as served:
        client = chat_client(own, served.url, on_block="raise")
        with pytest.raises(CallStopped):
            ask(client, USER)
        ask(client, USER, said, *results, {"role": "user", "content": "go on"})
        for kind in ("tool_use", "tool_result"):
            with pytest.raises(InputError, match=kind):
                ask(client, {"role": "user", "content": [{"type": kind, "id": "1"}]})
    assert not state_of(own).facts.done and not state_of(own).pending
    own.close()


@pytest.mark.parametrize("rejected", [0, 1])
def test_a_function_made_the_one_of_like_calls_whose_result_it_gave(rejected: int) -> None:
    own = guard(ASKED, policy=TWICE)
    made: Any = own.tool(name=TOOL)(lambda day, guests: {"booking": 1})
    said = {"role": "assistant", "content": None, "tool_calls": [tool_call(TOOL, reserve(), id) for id in "ab"]}
    contents = ['{"error": "no"}' if place == rejected else "{'booking': 1}" for place in range(2)]
    results = [{"role": "tool", "tool_call_id": id, "content": own} for id, own in zip("ab", contents, strict=True)]
    with serving([Raw([{"tool_calls": said["tool_calls"]}]), "Bye."]) as served:
        client = chat_client(own, served.url)
        ask(client, USER)
        with own.inside("c"):
            made(**reserve())
        ask(client, USER, said, *results)
    assert len(state_of(own).facts.done[TOOL]) == 1 and not state_of(own).pending
    own.close()
