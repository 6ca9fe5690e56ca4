"""Read a folder of recorded conversations: what was said, the calls of tools with their results, and labels."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from holdtrue.errors import RecordError
from holdtrue.lab.kinds.decisions.problem import LabelledRules, RecordedCall, RecordedConversation
from holdtrue.lab.kit.fields import by_id, expect, field, field_or
from holdtrue.lab.kit.json_file import read_json, read_lines
from holdtrue.lab.suites.guard.labelled import (
    CallKey,
    PlacedLabel,
    load_labels,
    load_rules,
    read_task,
    refuse_left_over,
    take_label,
)

if TYPE_CHECKING:
    from holdtrue.guard.policy import Policy

CONVERSATIONS, TOOLS = "conversations.jsonl", "tools.json"


def load_conversations(folder: Path, policy: Policy) -> list[RecordedConversation]:
    """Return the conversations of a folder, to be decided on by this policy.

    Raises `RecordError`, naming file and line, for what cannot be read, for a conversation that is there twice, and for
    a label of which there is no call.
    """
    labels = load_labels(folder)
    rules = load_rules(folder, labels)
    path = folder / CONVERSATIONS
    found = ((where, _conversation(value, where, labels, rules, policy)) for where, value in read_lines(path))
    conversations = list(by_id(found, f"{path}: there are no conversations").values())
    refuse_left_over(labels)
    return conversations


def _conversation(
    value: object,
    where: str,
    labels: dict[CallKey, list[PlacedLabel]],
    rules: LabelledRules,
    policy: Policy,
) -> RecordedConversation:
    record = expect(value, dict, where)
    task, trial = read_task(record, "task", where), field_or(record, "trial", int, where, 0)
    reward = record.get("reward")
    if reward is not None and (isinstance(reward, bool) or not isinstance(reward, int | float)):
        raise RecordError(f"{where}.reward: a number is needed, got {reward!r:.60}")
    messages = _messages(record, where)
    calls = tuple(_calls(messages, where, (str(task), trial), labels))
    written = tuple((place, _text(each)) for place, each in enumerate(messages) if each["role"] == "user")
    name = f"{task}" if isinstance(task, str) else f"task{task}"
    return RecordedConversation(f"{name}-{trial}", policy.name, task, trial, reward, written, calls, rules, policy)


def _messages(record: Mapping[str, Any], where: str) -> list[dict[str, Any]]:
    """Return the messages of a conversation, each of which has a role."""
    listed = field(record, "messages", list, where)
    messages = [expect(value, dict, f"{where}.messages[{place}]") for place, value in enumerate(listed)]
    for place, message in enumerate(messages):
        field(message, "role", str, f"{where}.messages[{place}]")
    return messages


def _text(message: Mapping[str, Any]) -> str:
    """Return what a message says, as JSON if that is no text; '' if it says nothing."""
    content = message.get("content")
    return content if isinstance(content, str) else "" if content is None else json.dumps(content)


def _calls(
    messages: Sequence[Mapping[str, Any]],
    where: str,
    named: tuple[str, int],
    labels: dict[CallKey, list[PlacedLabel]],
) -> Iterator[RecordedCall]:
    """Yield the calls of a conversation in their order, each with its result and with its label where it has one."""
    said = ""
    for place, message in enumerate(messages):
        here = f"{where}.messages[{place}]"
        if message["role"] == "user":
            said = _text(message)
        elif message["role"] == "assistant":
            asked = field_or(message, "tool_calls", list, here, [])
            results = _results(messages[place + 1 :], asked)
            for call, result in zip(asked, results, strict=True):
                function = field(expect(call, dict, here), "function", dict, f"{here}.tool_calls")
                tool = field(function, "name", str, f"{here}.tool_calls.function")
                text, arguments = _arguments(function.get("arguments"))
                label = take_label(labels, (*named, place), tool)
                yield RecordedCall(place, said, tool, text, arguments, result, label)


def _arguments(given: object) -> tuple[str, Mapping[str, Any] | None]:
    """Return arguments as they were written, and what they are; None where that is no JSON object."""
    if isinstance(given, dict):
        return json.dumps(given), given
    text = given if isinstance(given, str) else json.dumps(given)
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return text, None
    return text, value if isinstance(value, dict) else None


def _results(following: Sequence[Mapping[str, Any]], asked: Sequence[Any]) -> list[str | None]:
    """Return the results of the calls of one message: those that follow it at once, by their ids.

    Ids are told apart only within the message, because recorders use them again. A call without a result has None.
    """
    found: dict[str, list[str]] = {}
    for message in following:
        if message["role"] != "tool":
            break
        found.setdefault(str(message.get("tool_call_id")), []).append(_text(message))
    ids = [str(call.get("id")) if isinstance(call, dict) else "" for call in asked]
    return [found[id].pop(0) if found.get(id) else None for id in ids]


def misfits(folder: Path, conversations: Sequence[RecordedConversation], policy: Policy) -> Iterator[str]:
    """Yield a sentence for each way in which the policy, the folder's tools and its calls do not fit together."""
    path = folder / TOOLS
    listed = expect(read_json(path), list, str(path))
    declared = {_name(expect(tool, dict, f"{path}[{place}]"), f"{path}[{place}]") for place, tool in enumerate(listed)}
    called = {call.tool for each in conversations for call in each.calls}
    named = {name for name, tool in policy.tools.items() if not tool.is_answer}
    if unknown := sorted(named - declared):
        yield f"The policy names tools that {path} does not have: {', '.join(unknown)}."
    if undeclared := sorted(called - declared):
        yield f"There are calls of tools that {path} does not have: {', '.join(undeclared)}."
    if unnamed := sorted(called - set(policy.tools)):
        yield f"The policy names no tool {', '.join(unnamed)}: its calls count as writing."
    reading = {
        call.tool for each in conversations for call in each.calls if call.label and not policy.writes(call.tool)
    }
    if reading:
        listed_names = ", ".join(sorted(reading))
        yield f"Calls of {listed_names} have labels, and are decided on, although they only read by the policy."


def _name(tool: Mapping[str, Any], where: str) -> str:
    """Return the name of a tool, which may stand within its `function`, as providers have it."""
    inner = tool.get("function")
    return field(inner if isinstance(inner, dict) else tool, "name", str, where)
