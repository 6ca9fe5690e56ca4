"""Tests that conversations are read in every recorder's form, and that no call is lost silently."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Iterator
from importlib import import_module
from random import Random
from typing import Any

import pytest

from holdtrue.errors import RecordError
from holdtrue.guard import hidden_calls, recorded_forms, recorded_words
from holdtrue.guard.policy_file import make_policy
from holdtrue.guard.recorded_forms import read_message
from holdtrue.guard.recorded_words import STOPPED
from holdtrue.guard.recording import Recording, follow_calls, read_conversation
from tests.guard.log_forms import FORMS, OPENAI, conversation
from tests.patience import no_hang
from tests.slow import first_of

TOOLS = ("get_order", "refund")
NEVER_READ = {"pythonic", "react", "xml", "bare", "own key"}
"""Forms in which calls stand in a text or under a key that nobody knows."""


def read(row: Any) -> Recording:
    return read_conversation(json.loads(json.dumps(row)), "row", TOOLS)


def value(text: str | None) -> Any:
    try:
        return text if text is None else json.loads(text)
    except ValueError:
        return text


def view(found: Recording) -> list[Any]:
    return [(own.said, own.tool, own.arguments, value(own.result)) for own in found.calls]


@pytest.mark.parametrize("name", FORMS)
def test_each_form_says_the_same_or_cannot_be_read(name: str) -> None:
    readable = 0
    for seed in range(40):
        steps = conversation(Random(seed), TOOLS)
        wanted = view(read(OPENAI.render(steps)))
        assert len(wanted) == sum(len(own.calls) for own in steps)
        try:
            found = view(read(FORMS[name].render(steps)))
        except RecordError:
            continue
        assert found == wanted, (name, seed)
        readable += 1
    # Where results have no ids and some calls have none, nobody can tell which one belongs to which.
    assert (readable == 0) is (name in NEVER_READ) and (readable > 20 or name in NEVER_READ)


@pytest.mark.parametrize("word", STOPPED)
def test_an_id_or_a_title_that_begins_with_a_word_of_failure_tells_of_none(word: str) -> None:
    id = f"{word}_booking-7"
    result = {"role": "tool", "tool_call_id": id, "title": f"{word} a booking", "content": "done"}
    call = {"id": id, "label": f"{word} it", "function": {"name": f"{word}_booking", "arguments": "{}"}}
    assert not read_message(result, "").results[0].failed
    assert not read_message({"role": "assistant", "tool_calls": [call]}, "").calls[0].failed
    assert read_message({**result, "status": word}, "").results[0].failed


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    pairs = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, own in pairs:
        if isinstance(value, dict):
            yield (*path, key)
        yield from places(own, (*path, key))


KEYS = ("xyz", "calls", "toolCalls", "msg", "data", "content2", "text", "function_call", "tool", "metadata", "thought")
ROLES = ("agent", "user", "system", "tool", "assistant", "assistant_2", "customer", "function", "", 5, None)
TYPES = ("blob2", "call", "text", "tool", "thinking", "image", "function", None, 7)


def bent(row: Any, random: Random) -> Any:
    """Return a row in which one key has another name, or one role or type is another."""
    row, what = copy.deepcopy(row), random.choice(("key", "key", "role", "type"))
    named = {"key": None, "role": ("role", "from"), "type": ("type",)}[what]
    found = [own for own in places(row) if named is None or own[-1] in named]
    if not found:
        return row
    *path, last = random.choice(found)
    inner = row
    for key in path:
        inner = inner[key]
    if what != "key":
        inner[last] = random.choice(ROLES if what == "role" else TYPES)
    elif (name := random.choice(KEYS)) not in inner:
        inner[name] = inner.pop(last)
    return row


@pytest.mark.parametrize("start", first_of(range(0, 3000, 300), 1))
def test_no_corruption_loses_a_call_in_silence(start: int) -> None:
    lost, unreadable = [], 0
    for seed in range(start, start + 300):
        random = Random(seed)
        name, steps = random.choice(list(FORMS)), conversation(random, TOOLS)
        row = json.loads(json.dumps(FORMS[name].render(steps)))
        try:
            wanted = len(read(row).calls)
        except RecordError:
            continue
        try:
            if len(read(other := bent(row, random)).calls) < wanted:
                lost.append((name, seed, other))
        except RecordError:
            unreadable += 1
    assert not lost and unreadable > 50


ARGS = '{"order": "A"}'
CALL = {"id": "c1", "type": "function", "function": {"name": "get_order", "arguments": ARGS}}
ASKED = {"role": "assistant", "content": None, "tool_calls": [CALL]}
HI, GAVE = {"role": "user", "content": "Hi"}, {"role": "tool", "tool_call_id": "c1", "content": "{}"}
HISTORY = [HI, {**ASKED, "thought": "t", "action": "get_order A"}, {**GAVE, "message_type": "observation"}]
SCHEMA = {"type": "object", "properties": {"order": {"type": "string"}}}
DECLARED = {"tools": [{"type": "function", "function": {"name": "get_order", "parameters": SCHEMA}}]}
REPLY = {"choices": [{"index": 0, "message": {"role": "assistant", "content": "Done"}}], "usage": {"total_tokens": 4}}
INVOKED = {"state": "result", "toolCallId": "c1", "toolName": "get_order", "args": {"order": "A"}, "result": {}}
WHOLE: dict[str, Any] = {
    "litellm": {
        "messages": [HI, ASKED, GAVE],
        "optional_params": {**DECLARED, "tool_choice": "auto"},
        "response": REPLY,
    },
    "vllm": {"messages": [HI, {**ASKED, "reasoning_content": "I {think}", "logprobs": None}, GAVE]},
    "reasoning": {"messages": [HI, {**ASKED, "reasoning_details": [{"type": "reasoning.text", "text": "hm"}]}, GAVE]},
    "langgraph": {"messages": [HI, {**ASKED, "metadata": {"langgraph_node": "agent", "at": {"id": "1"}}}, GAVE]},
    "tau2": {
        "messages": [HI, {**ASKED, "raw_data": {"message": {"tool_calls": [CALL]}}, "cost": 0.1, "turn_idx": 2}, GAVE],
        "reward_info": {"action_checks": [{"action": {"name": "refund", "arguments": {"order": "A"}}}]},
    },
    "tau-bench": {"traj": [HI, ASKED, GAVE], "info": {"task": {"actions": [{"name": "refund", "kwargs": {}}]}}},
    "swe-agent": {"trajectory": [{"action": "get_order A", "query": [HI]}], "history": HISTORY, "info": {"cost": 1}},
    "vercel pages": {
        "messages": [
            HI,
            {
                "role": "assistant",
                "content": "",
                "toolInvocations": [INVOKED],
                "parts": [{"type": "step-start"}, {"type": "tool-invocation", "toolInvocation": INVOKED}],
            },
        ]
    },
    "tools in the prompt": {
        "messages": [
            {
                "role": "system",
                "content": '<tools>[]</tools> <tool_call>\n{"name": <name>, "arguments": {}}\n</tool_call>',
            },
            *(HI, ASKED, GAVE),
        ]
    },
    "begun before": {"messages": [{**GAVE, "tool_call_id": "c0"}, HI, ASKED, GAVE]},
}


@pytest.mark.parametrize("name", WHOLE)
def test_common_logs_stay_readable(name: str) -> None:
    found = read(WHOLE[name])
    assert view(found) == [("Hi", "get_order", {"order": "A"}, {})]
    assert len(found.strays) == (name == "begun before")


@pytest.mark.parametrize(
    ("messages", "said"),
    [
        ([{"role": "narrator", "content": "x"}], "role 'narrator'"),
        ([{"role": "assistant", "content": [{"type": "hologram", "x": 1}]}], "type 'hologram'"),
        ([{"role": "user", "content": "x", "toolUseId": "1"}], "toolUseId"),
        ([{"role": "assistant", "content": "x", "extra": {"functionCall": {"name": "f", "args": {}}}}], "extra"),
        ([{"role": "assistant", "content": "x", "did": {"refund": {"order": "A"}}}], "did"),
        ([{"role": "assistant", "content": "x", "did": ["refund", "A1", 5]}], "did"),
        ([{"role": "assistant", "content": "x", "name": "refund", "arguments": {}}], "arguments"),
        ([{"role": "user", "content": "<tool_response>{}</tool_response>"}], "tool_response"),
        ([{"role": "user", "tool_calls": [{**CALL}]}], "a user calls"),
        ([ASKED, {"role": "tool", "tool_call_id": "c9", "content": "{}"}], "'c9'"),
        ([{**ASKED, "tool_calls": [CALL, {**CALL, "id": "c2"}]}, {"role": "tool", "content": "{}"}], "cannot be told"),
    ],
)
def test_a_key_that_is_not_understood_is_named(messages: list[Any], said: str) -> None:
    with pytest.raises(RecordError, match=said):
        read({"messages": messages})


@pytest.mark.parametrize("tool", TOOLS)
@pytest.mark.parametrize(
    "make",
    [
        lambda own: [{"from": "function_call", "value": json.dumps(own)}],
        lambda own: {"method": "tools/call", "params": own},
        lambda own: f"event: x\ndata: {json.dumps({'tool_calls': [own]})}\n\n",
        lambda own: "data: " + json.dumps({"type": "function_call", **own}),
    ],
)
def test_calls_of_another_form_beside_messages_have_to_be_copies(make: Any, tool: str) -> None:
    row = {
        "messages": [HI, {**ASKED, "stop_reason": "tool_use"}, GAVE],
        "other": make({"name": tool, "arguments": ARGS}),
    }
    if tool == "get_order":
        assert len(read(row).calls) == 1
        return
    with pytest.raises(RecordError, match="other"):
        read(row)


BESIDE: tuple[Any, ...] = (
    {"fn": "get_order", "kw": {"order": "A"}},
    {"name": "functions.get_order", "x": ARGS},
    {"get_order": ARGS},
    ["get_order", {}],
    {"a.name": "get_order", "a.arguments": ARGS},
    {"tool": "get_order", "order": "A"},
)


@pytest.mark.parametrize("given", BESIDE)
@pytest.mark.parametrize("write", [lambda own: [own], lambda own: {"x": json.dumps([own])}])
def test_the_name_of_a_tool_beside_arguments_is_a_call_where_none_is_read(given: Any, write: Any) -> None:
    done = {"role": "assistant", "content": "Done."}
    for row in ({"messages": [HI, done], "trace": write(given)}, {"messages": [HI, {**done, "trace": write(given)}]}):
        with pytest.raises(RecordError):
            read_conversation(row, "row", POLICY.tools)
    read_conversation({"messages": [HI, ASKED, GAVE], "trace": write(given)}, "row", POLICY.tools)


IN_CODE = (
    *(
        "{name} order=A1",
        "{name}(order='A1')",
        '{name}("A1")',
        "`{name} A1`",
        "```\n{name} A1\n```",
        "~~~\n{name}\n~~~",
    ),
    *("<{name}>A1</{name}>", '{name} {{"order": "A1"}}', "I do it:\n\n    tools.{name}(A1)", "```sh\n$ {name} A1"),
)
IN_WORDS = ("{name}: order A1", "/{name} A1", "I call {name} now.", "[{name}] A1", "$ {name} A1", "**{name}** A1")
RARE = ("refund_order", "refund2", "shop.refund", "refundOrder", "refund-order")


@pytest.mark.parametrize("form", [*IN_CODE, *IN_WORDS])
@pytest.mark.parametrize("name", [*RARE, "refund"])
@pytest.mark.parametrize("write", [str, str.upper, lambda own: own.replace("_", "\\_")])
def test_a_tool_that_a_text_names_is_a_call_or_told(form: str, name: str, write: Any) -> None:
    text = f"Let me see.\n{form.format(name=write(name))}\nThat is all."
    found = read_conversation({"messages": [HI, {"role": "assistant", "content": text}]}, "row", (name, "look_up"))
    told = (f"message 1 names {name}, which is read as prose",)
    assert not found.calls and found.named == (told if name in RARE or form in IN_CODE else ())


@pytest.mark.parametrize("role", ["assistant", "user", "system"])
def test_an_ordinary_word_is_no_name_of_a_tool(role: str) -> None:
    text = "I can refund the item(s) of `A1`, or prerefund_order them (the refund takes a day): shall I?"
    assert not read_conversation(
        {"messages": [{"role": role, "content": text}]}, "row", ("refund", "refund_order")
    ).named
    assert not read_conversation({"messages": [{"role": "user", "content": "`refund`"}]}, "row", ("refund",)).named


def unbounded(tree: Any) -> bool:
    """Return whether a parsed pattern has a repeat without a bound, at any depth."""
    if isinstance(tree, list | tuple) or hasattr(tree, "data"):
        items = list(getattr(tree, "data", tree))
        return any(str(own) == "MAXREPEAT" for own in items) or any(map(unbounded, items))
    return False


def test_no_pattern_takes_longer_than_a_text_is_long() -> None:
    parse = import_module("re._parser").parse
    found = [own for module in (hidden_calls, recorded_forms, recorded_words) for own in vars(module).values()]
    patterns = [own for own in found if isinstance(own, re.Pattern)]
    assert patterns and not [own for own in patterns if unbounded(parse(own.pattern, own.flags))]
    assert unbounded(parse(r"a(b\s*)c"))
    long = "Action:" + " \n" * 99_999 + "<tool_response>" * 20_000
    with no_hang():
        read({"messages": [HI, {"role": "assistant", "content": long}]})


@pytest.mark.parametrize(
    "twice",
    ['"messages": [], "id": 1, "id": 2', '"messages": [{"role": "user", "content": [{"x": {"a": 1, "a": 2}}]}]'],
)
def test_a_key_that_stands_twice_makes_a_row_unreadable(twice: str) -> None:
    with pytest.raises(RecordError, match="stands twice"):
        recorded_words.load_once(f"{{{twice}}}", "row")
    assert recorded_words.load_once('{"a": 1, "a": 1}', "row") == {"a": 1}


@pytest.mark.parametrize(
    ("mark", "failed"),
    [
        *(
            (own, True)
            for own in (
                *({"tool_call_error": True}, {"success": False}, {"status": "failed"}, {"hasFailed": 1}),
                *({"exit_status": 1}, {"exitCode": "2"}, {"returncode": -9}, {"status": 404}),
                *({"status": own} for own in ("rejected", "CANCELLED", "denied", "timed out", "output-denied")),
                *({"rejected": True}, {"approved": False}, {"run_state": "aborted"}),
                *({"exception": "Boom"}, {"accepted": False}, {"isSuccess": False}, {"ok": 0}, {"code": 500}),
                *({"approval": {"approved": False}}, {"metadata": {"status": "error"}}, {"decision": "reject"}),
                {"content": [{"type": "text", "text": "x", "is_error": True}]},
                {"content": [{"type": "text", "text": "x", "status": "failed"}]},
                *({"error": {"message": "no such order"}}, {"status": "declined"}, {"metadata": {"state": "expired"}}),
            )
        ),
        *(
            (own, False)
            for own in (
                {"error": None},
                {"success": True},
                {"is_error": "false"},
                {"status": "done"},
                *({"exit_status": 0}, {"exitCode": "0"}, {"status": 204}),
                {"outcome": "OUTCOME_OK"},
                *({"metadata": {"status": "fresh"}}, {"code": 204}, {"approval": {"approved": True}}),
            )
        ),
    ],
)
def test_a_mark_of_failure_counts_in_any_words(mark: Any, failed: bool) -> None:
    assert [own.failed for own in read({"messages": [ASKED, {**GAVE, **mark}]}).calls] == [failed]
    on_call = {**ASKED, "tool_calls": [{**CALL, **mark}]}
    if "content" not in mark:
        assert [own.failed for own in read({"messages": [on_call, GAVE]}).calls] == [failed]


def test_a_status_that_does_not_say_whether_a_call_was_made_is_not_read() -> None:
    with pytest.raises(RecordError, match="status 'pending' does not say whether"):
        read({"messages": [ASKED, {**GAVE, "status": "pending"}]})


@pytest.mark.parametrize(
    "content",
    [
        [{"type": "document", "document": {"data": "{}"}}],
        [{"type": "resource", "resource": {"uri": "x", "text": "{}"}}, {"type": "image", "data": "A", "mimeType": "i"}],
        {"type": "search_result", "content": [{"type": "text", "text": "{}"}]},
        '{"name": "get_order", "content": {}}',
        '{"tool_call_id": "c1", "tool_name": "get_order", "result": "{}"}',
    ],
)
def test_what_wraps_a_result_is_no_part_of_it(content: Any) -> None:
    assert [own.result for own in read({"messages": [ASKED, {**GAVE, "content": content}]}).calls] == ["{}"]
    with pytest.raises(RecordError, match="not understood"):
        read({"messages": [ASKED, {**GAVE, "content": [{"type": "thinking", "thinking": "x"}]}]})


@pytest.mark.parametrize("inner", ["data", "kwargs"])
@pytest.mark.parametrize("named", [{"role": "assistant"}, {"from": "gpt"}, {"type": "ai"}])
def test_a_wrapped_message_hides_no_call_beside_it(inner: str, named: dict[str, str]) -> None:
    wanted = [own.arguments for own in read({"messages": [ASKED]}).calls]
    message: dict[str, Any] = {**named, "content": "hi", "type": "ai"}
    beside = {"type": "ai", "from": "gpt", "tool_calls": [CALL], inner: message}
    assert [own.arguments for own in read({"messages": [beside]}).calls] == wanted != []
    message["tool_calls"] = [{**CALL, "id": "other"}]
    with pytest.raises(RecordError, match=rf"tool_calls and {inner}\.tool_calls differ"):
        read({"messages": [beside]})


def test_an_id_under_any_key_is_not_passed_over() -> None:
    calls = [{"id": own, "name": "get_order", "args": {"order": own}} for own in "AB"]
    for given in (lambda id: {"reply_to": id}, lambda id: {"metadata": {"for": id}}):
        results = [{"role": "tool", "content": own, **given(own)} for own in "BA"]
        with pytest.raises(RecordError, match="the id of a call, under a key that is not read"):
            read({"messages": [HI, {"role": "assistant", "tool_calls": calls}, *results]})


def test_items_of_one_turn_are_one_message() -> None:
    items = [{"type": "function_call", "call_id": own, "name": "get_order", "arguments": ARGS} for own in "AB"]
    results = [{"type": "function_call_output", "call_id": own, "output": "{}"} for own in "AB"]
    found = read({"input": [HI, *items, *results, items[0], results[0]]})
    assert [own.message for own in found.calls] == [1, 1, 5]


def test_foreign_ids_are_not_matched_by_order() -> None:
    calls = [{"name": "get_order", "args": {"order": own}} for own in "AB"]
    results = [{"role": "tool", "tool_call_id": own, "name": "get_order", "content": "{}"} for own in ("k2", "k1")]
    with pytest.raises(RecordError, match="cannot be told"):
        read({"messages": [HI, {"role": "assistant", "tool_calls": calls}, *results]})
    assert len(read({"messages": [HI, {"role": "assistant", "tool_calls": calls[:1]}, results[0]]}).calls) == 1


POLICY = make_policy(
    "o",
    now="2026-03-02T09:00:00",
    tools={
        "definitions": [{"name": name, "parameters": SCHEMA} for name in TOOLS],
        "reads": ["get_order"],
        "writes": ["refund"],
    },
    facts={
        "order": {
            "key": {"order": "text"},
            "record": {"price": "number"},
            "from": [{"tool": "get_order", "key": {"order": "call.order"}}],
        }
    },
    rules=[{"id": "r", "on": "refund", "hold": "facts.order(call.order).price > 9", "say": "x"}],
)
REFUND = {"role": "assistant", "tool_calls": [{"id": "c2", "function": {"name": "refund", "arguments": ARGS}}]}


@pytest.mark.parametrize(
    ("given", "kind"),
    [
        ([ASKED, {**GAVE, "content": '{"price": 10}'}, REFUND], "allow"),
        (
            [
                ASKED,
                {"role": "system", "content": "."},
                {"role": "tool", "id": "c1", "content": '{"price": 10}'},
                REFUND,
            ],
            "allow",
        ),
        ([ASKED, HI, {"role": "tool", "content": '{"price": 10}'}, REFUND], "allow"),
        ([{**ASKED, "tool_calls": [CALL, *REFUND["tool_calls"]]}, {**GAVE, "content": '{"price": 10}'}], "allow"),
        ([ASKED, REFUND, {**GAVE, "content": '{"price": 10}'}], "ask"),
        ([ASKED, {**GAVE, "content": '{"price": 10}', "is_error": True}, REFUND], "ask"),
    ],
)
def test_a_result_counts_from_where_it_stands(given: list[Any], kind: str) -> None:
    found = read({"messages": given})
    *_, (call, facts) = follow_calls(POLICY, found.written, found.calls, None)
    assert POLICY.check(call.tool, call.text, facts).kind == kind


def test_what_was_read_earlier_hides_nothing_newer_in_whatever_order_results_stand() -> None:
    """The first call reads 10, the second one 5, in any messages and with results in any order that can be."""
    parts = [{"id": f"r{n}", "function": {"name": "get_order", "arguments": ARGS}} for n in range(2)]
    gave = [
        {"role": "tool", "tool_call_id": f"r{n}", "content": f'{{"price": {price}}}'} for n, price in enumerate((10, 5))
    ]
    other = {"id": "o", "function": {"name": "get_order", "arguments": '{"order": "B"}'}}
    first, second, both = ({"role": "assistant", "tool_calls": own} for own in (parts[:1], [parts[1], other], parts))
    between = {"role": "assistant", "tool_calls": [{**other, "id": "p"}]}
    for calls in ([first, second], [both]):
        for results in (gave, gave[::-1], [gave[0], between, gave[1]], [gave[1], between, gave[0]]):
            found = read({"messages": [HI, *calls, *results, REFUND]})
            *_, (call, facts) = follow_calls(POLICY, found.written, found.calls, None)
            assert POLICY.check(call.tool, call.text, facts).kind == "block", (calls, results)
