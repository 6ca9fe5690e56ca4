"""A conversation is the same from a file of any format, and a file that is broken is never read as a smaller one."""

from __future__ import annotations

import json
import re
from random import Random
from typing import Any

import pytest

from holdtrue.errors import RecordError, SettingsError
from holdtrue.guard.log_formats.log_reading import conversations_in, find_format, format_of
from holdtrue.guard.recording import Recording, read_conversation
from tests.guard.log_files import FILES
from tests.guard.log_forms import OPENAI, Step, conversation
from tests.guard.test_recording import TOOLS, bent, view
from tests.slow import first_of

BYE = Step("assistant", "Bye.")


def read_file(data: bytes, name: str | None = None) -> tuple[list[Recording], list[RecordError]]:
    found, errors = [], []
    for own in conversations_in(data, "log", name):
        try:
            if isinstance(own, RecordError):
                raise own
            found.append(read_conversation(json.loads(json.dumps(own)), "row", TOOLS))
        except RecordError as error:
            errors.append(error)
    return found, errors


def seen(found: Recording) -> Any:
    return view(found), [text for _, text in found.written], found.strays


@pytest.mark.parametrize("name", FILES)
def test_each_format_says_the_same(name: str) -> None:
    readable = 0
    for seed in range(30):
        steps = [*conversation(Random(seed), TOOLS), BYE]
        wanted = read_conversation(OPENAI.render(steps), "row", TOOLS)
        found, errors = read_file(FILES[name](steps))
        if errors:
            print(seed, errors)
            continue
        assert [seen(own) for own in found] == [seen(wanted)], (name, seed)
        readable += 1
    assert readable > 20


@pytest.mark.parametrize("start", first_of(range(0, 3000, 300), 1))
def test_no_corruption_loses_a_call_in_silence(start: int) -> None:
    lost, unreadable = [], 0
    for seed in range(start, start + 300):
        random = Random(seed)
        name = random.choice([own for own in FILES if own != "inspect eval"])
        data = FILES[name]([*conversation(random, TOOLS), BYE])
        found, errors = read_file(data)
        wanted = sum(len(own.calls) for own in found)
        rows = [json.loads(own) for own in data.splitlines()]
        at = random.randrange(len(rows))
        rows[at] = bent(rows[at], random)
        cut = b"\n".join(json.dumps(own).encode() for own in rows)
        end = random.randrange(1, len(data) - 2)
        if (
            random.random() < 0.3 and b"\n" not in data[end - 1 : end + 1]
        ):  # Nobody can tell that whole lines are missing.
            cut = data[:end]
        again, faults = read_file(cut)
        unreadable += bool(faults)
        if not errors and not faults and sum(len(own.calls) for own in again) < wanted:
            lost.append((name, seed, cut))
    assert not lost and unreadable > 50


HI, BACK = {"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Bye."}
ARGS: dict[str, Any] = {"order": "A"}


def call(id: str | None = "c1", **args: Any) -> dict[str, Any]:
    own = {"id": id} if id else {}
    return {
        "role": "assistant",
        "tool_calls": [{**own, "function": {"name": "refund", "arguments": json.dumps(args or ARGS)}}],
    }


def gave(text: str, id: str = "c1") -> dict[str, Any]:
    return {"role": "tool", "tool_call_id": id, "content": text}


def trace(*observations: tuple[str, Any, Any], **more: Any) -> bytes:
    """Return a trace of Langfuse with observations of a type, an input and an output, in this order."""
    found = [
        {
            "type": type,
            "name": "agent" if type == "CHAIN" else "refund",
            "startTime": f"2026-03-01T12:00:{at:02}Z",
            "input": given,
            "output": gave,
            **more,
        }
        for at, (type, given, gave) in enumerate(observations)
    ]
    return json.dumps({"id": "t", "observations": found}).encode()


def calls(data: bytes) -> list[list[Any]]:
    """Return the calls of each conversation as arguments, result, and whether they failed."""
    found, errors = read_file(data)
    assert not errors
    return [[(own.arguments, own.result, own.failed) for own in each.calls] for each in found]


MODEL, TOOL, OTHER = "GENERATION", "TOOL", "SPAN"
DONE = (ARGS, "ok", False)


@pytest.mark.parametrize(
    ("observations", "wanted"),
    [
        ([(MODEL, [HI], call()), (TOOL, ARGS, "ok")], [[DONE]]),  # No later span has the result.
        ([(MODEL, [HI], call(None)), (TOOL, ARGS, "ok")], [[DONE]]),
        ([(MODEL, [HI], call()), (TOOL, {"input": "{'order': 'A'}"}, "ok")], [[DONE]]),
        (
            [(MODEL, [HI], call()), (TOOL, ARGS, {"output": gave("ok")}), (MODEL, [HI, call(), gave("ok")], BACK)],
            [[DONE]],
        ),
        ([(MODEL, [HI], call()), (MODEL, [HI], call())], [[(ARGS, None, False)]]),  # two recorders of one reply
        ([(MODEL, [HI], call()), (MODEL, [call(), gave("ok")], BACK)], [[DONE]]),  # a history cut at its beginning
        ([(MODEL, [HI], BACK), (TOOL, ARGS, "ok"), (MODEL, [HI, BACK, HI], call("c2"))], [[DONE, (ARGS, None, False)]]),
        ([(TOOL, ARGS, "ok")], [[DONE]]),
        ([(MODEL, [HI], call()), (MODEL, [{**HI, "content": "Do it"}], call("c2"))], [[(ARGS, None, False)]] * 2),
        ([(MODEL, [HI], call()), (OTHER, {"args": [], "kwargs": ARGS}, "ok")], [[(ARGS, None, False)]]),
        (
            [(MODEL, [HI], call()), ("CHAIN", {"messages": [HI, call()]}, {"messages": [HI, call()]})],
            [[(ARGS, None, False)]],
        ),
    ],
)
def test_spans_are_put_together(observations: list[Any], wanted: list[Any]) -> None:
    assert calls(trace(*observations)) == wanted


def test_a_run_that_failed_is_no_success_whatever_the_messages_say() -> None:
    spans = (MODEL, [HI], call()), (TOOL, ARGS, "boom"), (MODEL, [HI, call(), gave("boom")], BACK)
    assert calls(trace(*spans, level="ERROR")) == [[(ARGS, "boom", True)]]
    assert calls(trace(*spans[:2], level="ERROR")) == [[(ARGS, "boom", True)]]


SPAN = {"traceId": "t", "spanId": "s", "startTimeUnixNano": "1"}


def exported(attributes: list[Any]) -> bytes:
    return json.dumps({"resourceSpans": [{"scopeSpans": [{"spans": [{**SPAN, "attributes": attributes}]}]}]}).encode()


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (trace((MODEL, None, call())), "input is missing"),
        (trace((MODEL, [HI], None)), "output is missing"),
        (trace((MODEL, [HI], {"xyz": [call()]})), "no reply that is understood; there is xyz"),
        (trace((MODEL, [HI], BACK), (TOOL, None, "ok")), "input is missing, and no message has the call of refund"),
        (trace((MODEL, [HI], call("c1", n=1)), (MODEL, [HI], call("c2", n=2)), (TOOL, "x", "ok")), "cannot be told"),
        (trace((MODEL, [HI], BACK), (OTHER, ARGS, "ok")), "may hold a call|stands where none is read"),
        (trace((MODEL, [HI], BACK), (OTHER, [HI], call())), "stands where none is read"),
        (json.dumps({"id": "t", "observations": ["o1"]}).encode(), "an object is needed, got 'o1'"),
        (json.dumps({"id": "t", "observations": []}).encode(), "observations is empty"),
        (exported([]), "no span has attributes or events of gen_ai"),
        (
            exported([{"key": "gen_ai.operation.name", "value": {"stringValue": "chat"}}]),
            "gen_ai.input.messages is missing",
        ),
        (b'{"resourceSpans": [{"spans": []}]}', "scopeSpans is missing; there is spans"),
        (b'{"id": "r", "run_type": "llm", "inputs": {}}', "start_time is missing"),
        (b'{"info": {}, "tasks": []}', "messages is missing; there is info, tasks"),
        (b'{"eval": {}, "status": "success"}', "samples is missing; there is eval, status"),
        (b'{"eval": {}, "status": "error", "samples": [{"id": "a", "epoch": 1}]}', "messages or id is missing"),
        (b"PK", "no .eval log, or a damaged one"),
        (b'{"turns": []}', "messages is missing; there is turns; known formats are otel, langfuse, langsmith, inspect"),
    ],
)
def test_what_is_missing_is_told_by_its_key(data: bytes, said: str) -> None:
    found, errors = read_file(data)
    assert not found and any(re.search(said, str(own)) for own in errors), errors


def test_an_eval_log_holds_its_messages_to_the_events_of_tools() -> None:
    event = {"event": "tool", "function": "refund", "arguments": {"order": "attachment://1"}}
    sample = {"id": "a", "epoch": 1, "messages": [HI, call()], "events": [event], "attachments": {"1": "A"}}
    log = {"eval": {}, "status": "success", "samples": [sample, {**sample, "messages": [HI]}]}
    found, [error] = read_file(json.dumps(log).encode())
    assert [len(own.calls) for own in found] == [1] and "a call of refund stands where none is read" in str(error)


def test_a_format_is_named_or_found(name: str = "otel") -> None:
    data = FILES[name]([Step("user", "Hi"), BYE])
    assert format_of(json.loads(data.splitlines()[0])).name == name and not read_file(data, name)[1]
    assert str(read_file(data, "langsmith")[1][0]).startswith("line 1: id is missing; there is resource")
    with pytest.raises(SettingsError, match=r"'otle' is not known; there are otel \(spans"):
        find_format("otle")
