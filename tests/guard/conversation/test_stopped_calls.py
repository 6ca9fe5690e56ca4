"""A stopped call never happened: no text that comes back for it, in any form or order, is a result."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from holdtrue.guard.clients.chat_form import ChatForm
from holdtrue.guard.clients.history_intake import take_in
from holdtrue.guard.clients.responses_form import ResponsesForm
from holdtrue.guard.conversation.guarded_conversation import GuardedConversation
from holdtrue.guard.facts import Facts
from holdtrue.guard.guard import Guard
from holdtrue.guard.policy import Policy
from holdtrue.guard.policy_file import make_policy
from holdtrue.guard.recording import follow_calls, read_conversation
from holdtrue.guard.result_forms import is_stop
from tests.slow import first_of

NOW = "2026-03-02T09:00:00"


def shop() -> Policy:
    tools = [
        {"name": name, "parameters": {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}}
        for name in ("look", "verify", "pay")
    ]
    return make_policy(
        "shop",
        now=NOW,
        tools={"definitions": tools, "reads": ["look"], "errors": ["error"]},
        rules=[
            {"id": "small", "on": ["look", "verify", "pay"], "hold": "call.n % 3 != 0", "say": "No threes."},
            {"id": "verified", "on": "pay", "hold": "size(done.verify) > 0", "say": "Verify first."},
        ],
    )


@dataclass
class Made:
    """A call as it was decided on, the result that comes back for it, and whether it was made."""

    id: str
    tool: str
    n: int
    result: Any
    executed: bool


def wrapped(rng: random.Random, text: str) -> Any:
    """Return the guard's words as apps and frameworks hand them back."""
    cut = text[: rng.randint(40, 200)]
    return rng.choice(
        (
            text,
            cut,
            f"ToolMessage: {cut} ...",
            json.dumps({"status": "success", "output": cut}),
            json.dumps(json.dumps(text)),
            {"content": [{"type": "text", "text": text}], "isError": False},
            [{"type": "text", "text": text}],
            {"structuredContent": {"result": cut}, "content": []},
        )
    )


async def decided(rng: random.Random, talk: GuardedConversation, *, ids: bool, known: bool, unique: bool) -> list[Made]:
    """Return random calls with their decisions. If `known` is true, the guard itself has stopped them."""
    found: list[Made] = []
    for place in range(rng.randint(2, 8)):
        tool, n = rng.choice(("look", "verify", "pay")), rng.randint(1, 6)
        if not ids and any((own.tool, own.n) == (tool, n) for own in found):
            n += 60 * (place + 1)  # Without an id nobody tells calls apart that are alike.
        id = f"call_{place}" if unique or rng.random() < 0.8 else "call_0"
        if any((own.id, own.tool) == (id, tool) for own in found):
            id = f"again_{place}"
        decision = await talk.check(tool, {"n": n}, call=id if ids else None)
        if decision.stops:
            nothing = rng.choice(("", None, "cancelled", {"ok": False}, "error: rejected"))
            result = nothing if known and rng.random() < 0.5 else wrapped(rng, decision.for_model)
            found.append(Made(id, tool, n, result, False))
        else:
            result = rng.choice(({"ok": True}, '{"ok": true}', "done", None, "error: no", {"error": "no"}))
            found.append(Made(id, tool, n, result, "error" not in str(result)))
            if rng.random() < 0.6:  # Its result comes at once, so that later calls may rest on it.
                await talk.saw(tool, {"n": n}, result, call=id if ids else None)
                found[-1].id = ""
    return found


def counts(facts: Facts) -> Counter[tuple[str, int]]:
    return Counter((tool, call["n"]) for tool, calls in facts.done.items() for call in calls)


def expected(calls: list[Made]) -> Counter[tuple[str, int]]:
    return Counter((own.tool, own.n) for own in calls if own.executed)


async def told(rng: random.Random, talk: GuardedConversation, calls: list[Made]) -> None:
    for own in rng.sample(calls, len(calls)):
        if own.id:
            for _ in range(1 if own.tool == "look" else rng.randint(1, 2)):  # Each answer of a reading call counts.
                await talk.saw(own.tool, {"n": own.n}, own.result, call=own.id)


async def told_without_ids(rng: random.Random, talk: GuardedConversation, calls: list[Made]) -> None:
    for own in rng.sample(calls, len(calls)):
        if own.id:
            await talk.saw(own.tool, json.dumps({"n": own.n}), own.result)


def chat(calls: list[Made]) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = [{"role": "user", "content": "Go on"}]
    for own in calls:
        function = {"name": own.tool, "arguments": json.dumps({"n": own.n})}
        found.append({"role": "assistant", "tool_calls": [{"id": own.id, "type": "function", "function": function}]})
        content = own.result if isinstance(own.result, str) else json.dumps(own.result)
        found.append({"role": "tool", "tool_call_id": own.id, "content": content})
    return found


async def as_chat(rng: random.Random, talk: GuardedConversation, calls: list[Made]) -> None:
    left = [own for own in rng.sample(calls, len(calls)) if own.id]
    await take_in(talk, ChatForm().history({"messages": chat(left)}))
    await take_in(talk, ChatForm().history({"messages": chat(left)}))


async def as_responses(rng: random.Random, talk: GuardedConversation, calls: list[Made]) -> None:
    items: list[dict[str, Any]] = []
    left = [own for own in calls if own.id]
    for own in left:
        arguments = json.dumps({"n": own.n})
        items.append({"type": "function_call", "call_id": own.id, "name": own.tool, "arguments": arguments})
    for own in rng.sample(left, len(left)):
        output = own.result if isinstance(own.result, str) else json.dumps(own.result)
        items.append({"type": "function_call_output", "call_id": own.id, "output": output})
    await take_in(talk, ResponsesForm().history({"input": items}))


FORMS: dict[str, tuple[Callable[..., Any], bool]] = {
    "ids": (told, True),
    "no ids": (told_without_ids, False),
    "chat": (as_chat, True),
    "responses": (as_responses, True),
}


@pytest.mark.parametrize("start", first_of(range(0, 340, 10), 1))
@pytest.mark.parametrize("form", [*FORMS, "plain", "log"])
async def test_no_stopped_call_is_done_and_every_executed_one_is(form: str, start: int) -> None:
    policy = shop()
    own = Guard(policy)
    tell, ids = FORMS.get(form, (None, True))
    for seed in range(start, start + 10):
        rng = random.Random(f"{form} {seed}")
        talk = own.conversation(f"{form} {seed}")
        calls = await decided(rng, talk, ids=ids, known=tell is not None, unique=form == "responses")
        if tell is not None:
            await tell(rng, talk, calls)
            facts = (await talk._opened()).facts
        elif form == "plain":
            facts = Facts.none()
            for call in calls:
                facts = policy.saw(facts, call.tool, {"n": call.n}, call.result)
        else:
            for place, call in enumerate(calls):
                call.id = call.id or f"seen_{place}"
            messages = [*chat(calls), *chat([Made("end", "look", 1, "done", True)])]
            recorded = read_conversation({"messages": messages}, "log", policy.tools)
            facts = [each for _, each in follow_calls(policy, (), recorded.calls, NOW)][-1]
        assert counts(facts) == expected(calls), f"{form} {seed}: {calls}"
    await own.aclose()


async def test_a_stopped_call_that_is_allowed_later_counts_once_and_no_echo_hides_a_call() -> None:
    own = Guard(shop())
    talk = own.conversation("c")
    stopped = await talk.check("pay", {"n": 1}, call="x")
    await talk.saw("pay", {"n": 1}, "skipped", call="x")
    await talk.check("verify", {"n": 1}, call="v")
    await talk.saw("verify", {"n": 1}, "ok", call="v")
    assert (await talk.check("pay", {"n": 1}, call="x")).kind == "allow"
    await talk.saw("pay", {"n": 1}, stopped.for_model, call="x")
    assert [each.id for each in await talk.pending()] == ["x"], "the guard's own words end no wait"
    await talk.saw("pay", {"n": 1}, "paid", call="x")
    facts = (await talk._opened()).facts
    assert counts(facts) == {("pay", 1): 1, ("verify", 1): 1}
    assert any("is no result" in note for note in facts.notes)
    mark = stopped.for_model
    assert is_stop(mark) and not is_stop({"note": mark}, {"note": mark}), "an echo of the arguments proves nothing"
    observing = Guard(shop(), mode="observe").conversation("c")
    assert (await observing.check("pay", {"n": 1}, call="x")).kind == "block"
    await observing.saw("pay", {"n": 1}, "paid", call="x")
    assert counts((await observing._opened()).facts) == {("pay", 1): 1}
    await own.aclose()
