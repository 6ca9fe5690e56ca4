"""The refund desk through a wrapped client of Anthropic's library, whose model is a server on loopback."""

from __future__ import annotations

import json
from typing import Any

import pytest

from holdtrue.guard.clients.blocking import CallStopped
from tests.adapters.desk import ALLOWED, STOPPED, Tools, desk, turns
from tests.guard.clients.served import Say, Told, serving
from tests.guard.clients.stream_forms import Part, message_stream

anthropic = pytest.importorskip("anthropic")


@pytest.mark.parametrize("is_streamed", [False, True])
def test_the_desk_is_held_to_the_same_decisions(is_streamed: bool) -> None:
    guard, tools, stopped = desk(), Tools(), list[tuple[str, dict[str, Any]]]()
    said = [step for turn in turns() for step in turn.steps]
    says: list[Say] = [own["text"] if own["role"] == "assistant" else [(own["tool"], own["arguments"])] for own in said]
    if is_streamed:
        says = [Told(message_stream([_part(own)], "end_turn", 5)) for own in says]
    messages: list[Any] = []
    with serving(says) as served:
        http = anthropic.DefaultHttpxClient(verify=False)
        inner = anthropic.Anthropic(api_key="none", base_url=served.url, max_retries=0, http_client=http)
        client = guard.wrap(inner, conversation="desk", on_block="raise")
        for turn in turns():
            messages.append({"role": "user", "content": turn.user})
            for step in turn.steps:
                try:
                    content = _content(client, messages, is_streamed)
                except CallStopped:
                    # The model of the desk goes on with its next answer.
                    stopped.append((step["tool"], step["arguments"]))
                    continue
                messages.append({"role": "assistant", "content": content})
                calls = [own for own in content if own.type == "tool_use"]
                results = [json.dumps(tools.run(own.name, own.input)) for own in calls]
                pairs = zip(calls, results, strict=True)
                shown = [{"type": "tool_result", "tool_use_id": own.id, "content": result} for own, result in pairs]
                messages += [{"role": "user", "content": shown}] if shown else []
    state = guard.run(guard.conversation("desk")._opened())
    guard.close()
    assert tools.made == ALLOWED and stopped == STOPPED
    assert sum(map(len, state.facts.done.values())) == len(ALLOWED) and not state.pending


def _part(said: Any) -> Part:
    return ("text", said) if isinstance(said, str) else ("call", said[0])


def _content(client: Any, messages: list[Any], is_streamed: bool) -> list[Any]:
    request = {"model": "m", "max_tokens": 100, "messages": messages}
    if not is_streamed:
        return list(client.messages.create(**request).content)
    with client.messages.stream(**request) as stream:
        return list(stream.get_final_message().content)
