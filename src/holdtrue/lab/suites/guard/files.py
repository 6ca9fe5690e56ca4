"""Read a folder of recorded conversations: what was said, the calls of tools with their results, and labels."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

from holdtrue.errors import RecordError
from holdtrue.fields import by_id, expect, field, field_or
from holdtrue.guard.recorded import RecordedCall, Recording, read_conversation
from holdtrue.lab.kinds.decisions.problem import LabelledCall, LabelledRules, RecordedConversation
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
    read = read_conversation(record, where, policy.tools)
    calls = tuple(_calls(read, (str(task), trial), labels))
    name = f"{task}" if isinstance(task, str) else f"task{task}"
    given = f"{name}-{trial}", policy.name, task, trial, reward, read.written, calls, rules, policy
    return RecordedConversation(*given, read.strays)


def _calls(read: Recording, named: tuple[str, int], labels: dict[CallKey, list[PlacedLabel]]) -> Iterator[LabelledCall]:
    """Yield the calls of a conversation in their order, each with its label where it has one."""
    for call in read.calls:
        own = {each.name: getattr(call, each.name) for each in fields(RecordedCall)}
        yield LabelledCall(**own, label=take_label(labels, (*named, call.message), call.tool))


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
        call.tool for each in conversations for call in each.calls if call.label and not policy.decides_on(call.tool)
    }
    if reading:
        listed_names = ", ".join(sorted(reading))
        yield f"Calls of {listed_names} have labels, and are decided on, although they only read by the policy."
    if strays := [stray for each in conversations for stray in each.strays]:
        yield f"{len(strays)} results belong to no call, such as in {strays[0]}."


def _name(tool: Mapping[str, Any], where: str) -> str:
    """Return the name of a tool, which may stand within its `function`, as providers have it."""
    inner = tool.get("function")
    return field(inner if isinstance(inner, dict) else tool, "name", str, where)
