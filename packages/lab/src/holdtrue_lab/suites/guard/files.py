"""This module reads a folder of recorded conversations: messages, tool calls with their results, and labels."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

from holdtrue.errors import RecordError
from holdtrue.fields import by_id, choice, expect, field, field_or
from holdtrue.guard.log_formats.log_reading import conversations_in
from holdtrue.guard.recording import RecordedCall, Recording, read_conversation
from holdtrue_lab.kinds.decisions.problem import CallLabel, LabelledCall, LabelledRules, RecordedConversation, short_id
from holdtrue_lab.kit.json_file import read_json, read_lines

if TYPE_CHECKING:
    from holdtrue.guard.policy import Policy


LABELS, RULES = "labels.jsonl", "rules.json"

# The rules of the recorded airline conversations that facts or messages decide. The scorer `score_tau.py` of the shared
# data has the same ids. The ids are listed here, because some are missing in rules.json.
FACTS = tuple("B10 B12 B6 C2 C3 F3 I1 M10 M2 M3 M7b R2 X1".split())
TALK = tuple("G1 G1d M11 R3".split())
TOOL = "T"
"""The first letter of the ids of rules that a tool checks by itself."""
_DECIDERS = ("facts", "talk", "tool")

CallKey = tuple[str, int, int]
"""Calls and labels are matched by this key: the task as text, the trial, and the place of the message."""


@dataclass(frozen=True, slots=True)
class PlacedLabel:
    """A label with its `place` in the file and the name of the called tool.

    `words` describe the rules that the label names, by their short ids.
    """

    place: str
    tool: str
    label: CallLabel
    words: Mapping[str, str]


def load_labels(folder: Path) -> dict[CallKey, list[PlacedLabel]]:
    """Return the labels of a folder by key; labels with the same key are in order. Without a file, there are none.

    Raises `RecordError`, which names the line.
    """
    path, found = folder / LABELS, dict[CallKey, list[PlacedLabel]]()
    for where, value in read_lines(path) if path.exists() else ():
        record = expect(value, dict, where)
        key = (
            str(read_task(record, "task_id", where)),
            field(record, "trial", int, where),
            field(record, "message", int, where),
        )
        label = CallLabel(
            broken=_short(record, "violated", where),
            undecided=_short(record, "undecided", where),
            executed=None if record.get("executed") is None else field(record, "executed", bool, where),
        )
        words = {
            short_id(rule): _in_words(rule) for name in ("violated", "undecided") for rule in record.get(name) or ()
        }
        found.setdefault(key, []).append(PlacedLabel(where, field(record, "tool", str, where), label, words))
    return found


def read_task(record: Mapping[str, Any], name: str, where: str) -> int | str:
    """Return the field that names a task, which is a number or a text."""
    task = record.get(name)
    return task if isinstance(task, str) and task else field(record, name, int, where)


def _in_words(rule: str) -> str:
    """Return the words in a rule's id, such as 'amounts add up' in `T1-amounts-add-up`."""
    return rule.partition("-")[2].replace("-", " ")


def _short(record: Mapping[str, Any], name: str, where: str) -> tuple[str, ...]:
    """Return the short ids of rules in a field: a list of ids, or an object with a reason for each id."""
    value = record.get(name) or []
    listed = list(value) if isinstance(value, dict) else expect(value, list, f"{where}.{name}")
    ids = (short_id(expect(rule, str, f"{where}.{name}")) for rule in listed)
    return tuple(sorted(set(ids)))


def load_rules(folder: Path, labels: Mapping[CallKey, list[PlacedLabel]]) -> LabelledRules:
    """Return the rules by which labels are scored.

    In the folder's rules.json, rules may have the field `decided_by` (facts, talk or tool). If no rule has it, the
    rules are those of the recorded airline conversations. Then the first letter of an id marks the rules that a tool
    checks.
    """
    path = folder / RULES
    listed = expect(read_json(path), list, str(path)) if path.exists() else []
    sentences = {rule: said for placed in labels.values() for each in placed for rule, said in each.words.items()}
    by_decider: dict[str, set[str]] = {decider: set() for decider in _DECIDERS}
    for place, value in enumerate(listed):
        where = f"{path}[{place}]"
        record = expect(value, dict, where)
        id = short_id(field(record, "id", str, where))
        sentences[id] = field_or(record, "sentence", str, where, "") or sentences.get(id, "")
        if record.get("decided_by") is not None:
            by_decider[choice(record["decided_by"], _DECIDERS, f"{where}.decided_by")].add(id)
    if any(by_decider.values()):
        facts, talk, tool = (frozenset(by_decider[decider]) for decider in _DECIDERS)
        return LabelledRules(facts, talk, tool, sentences)
    named = {rule for placed in labels.values() for each in placed for rule in each.label.broken}
    tool = frozenset(rule for rule in named if rule.startswith(TOOL))
    return LabelledRules(frozenset(FACTS), frozenset(TALK), tool, sentences)


def take_label(labels: dict[CallKey, list[PlacedLabel]], key: CallKey, tool: str) -> CallLabel | None:
    """Remove from `labels` the first remaining label for a call of this tool in a message, and return the label."""
    for each in labels.get(key, ()):
        if each.tool == tool:
            labels[key].remove(each)
            return each.label
    return None


def refuse_left_over(labels: Mapping[CallKey, list[PlacedLabel]]) -> None:
    """Raise `RecordError` if a label has no call."""
    for (task, trial, message), left in labels.items():
        for each in left:
            raise RecordError(
                f"{each.place}: there is no call of {each.tool} in message {message} of task {task}, trial {trial}"
            )


CONVERSATIONS, TOOLS = "conversations.jsonl", "tools.json"


def load_conversations(folder: Path, policy: Policy) -> list[RecordedConversation]:
    """Return the conversations of a folder, with the policy that decides on them.

    Raises `RecordError` for malformed data, with file and line. Raises it also for a repeated conversation, and for a
    label without a call.
    """
    labels = load_labels(folder)
    rules = load_rules(folder, labels)
    read = ((where, _conversation(value, where, labels, rules, policy)) for where, value in _recorded(folder))
    conversations = list(by_id(read, f"{folder / CONVERSATIONS}: there are no conversations").values())
    refuse_left_over(labels)
    return conversations


def _recorded(folder: Path) -> Iterator[tuple[str, object]]:
    """Yield the conversations of a folder with their places: lines with messages, or a file in any format of logs."""
    path = next(iter(sorted(folder.glob("conversations.*"))), folder / CONVERSATIONS)
    try:
        data = path.read_bytes()
    except OSError as error:
        raise RecordError(f"{path}: cannot be read: {error.strerror}") from error
    for number, own in enumerate(conversations_in(data, str(path)), 1):
        if isinstance(own, RecordError):
            raise RecordError(f"{path}, {own}")
        yield f"{path}, line {number}", {"task": own.get("id"), **own}


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
    """Yield the calls of a conversation in their order, each with its label if it has one."""
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
    """Return the name of a tool, which may be inside of its field `function`, as in the formats of providers."""
    inner = tool.get("function")
    return field(inner if isinstance(inner, dict) else tool, "name", str, where)
