"""Folders of recorded conversations are read: calls with their results and labels."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from holdtrue.errors import RecordError
from holdtrue_lab.kinds.decisions.problem import CallLabel, RecordedConversation, named_rules
from holdtrue_lab.suites.guard.files import load_conversations, misfits
from tests.lab.suites.guard.library import (
    ATLAS,
    CONVERSATIONS,
    DONE,
    LABELS,
    REFUSED,
    RULES,
    calls,
    conversation,
    gave,
    label,
    lends,
    looks_up,
    says,
    user,
    write,
)


@dataclass(frozen=True)
class Tool:
    writes: bool
    is_answer: bool = False


@dataclass(frozen=True)
class Writes:
    """The parts of a policy that reading a folder needs."""

    tools: Mapping[str, Tool]
    name: str = "library"
    digest: str = "0"

    def decides_on(self, tool: str) -> bool:
        return tool not in self.tools or self.tools[tool].writes


def policy_of(**tools: bool) -> Any:
    given = tools or {"get_book": False, "lend_book": True}
    return Writes({name: Tool(writes) for name, writes in given.items()} | {"summary": Tool(True, is_answer=True)})


def load(folder: Path, **tools: bool) -> list[RecordedConversation]:
    return load_conversations(folder, policy_of(**tools))


def test_calls_of_one_message_have_their_labels_in_order(tmp_path: Path) -> None:
    [two] = [each for each in load(write(tmp_path)) if each.id == "task2-1"]
    _, first, second = two.calls
    assert (first.message, second.message) == (3, 3)
    assert (first.result, second.result) == (DONE, REFUSED)
    assert (first.label, second.label) == (CallLabel((), (), True), CallLabel(("R1",), (), False))


def test_ids_of_calls_are_told_apart_only_within_a_message(tmp_path: Path) -> None:
    said = [user("Maps."), *looks_up(ATLAS, "same"), *lends("b3", id="same"), *lends("b3", id="same", result=None)]
    [found] = load(write(tmp_path, [conversation(1, 0, said)], None))
    assert [call.result for call in found.calls] == [json.dumps(ATLAS), DONE, None]


def test_results_may_come_in_another_order_and_without_content(tmp_path: Path) -> None:
    asked = calls(("a", "get_book", {"book": "b3"}), ("b", "lend_book", {"book": "b3"}), ("c", "think", {}))
    said = [asked, gave("b", DONE), gave("a", ATLAS), {"role": "tool", "tool_call_id": "c"}]
    [found] = load(write(tmp_path, [conversation(1, 0, said)], None))
    assert [call.result for call in found.calls] == [json.dumps(ATLAS), DONE, ""]
    assert {call.said for call in found.calls} == {""}


@pytest.mark.parametrize("text", ['{"book": "b3"', "b3", "[1]", "", "null", "[" * 100_000])
def test_arguments_that_are_no_object_are_kept_as_they_were_written(tmp_path: Path, text: str) -> None:
    [found] = load(write(tmp_path, [conversation(1, 0, [calls(("a", "lend_book", text))])], None))
    assert (found.calls[0].text, found.calls[0].arguments, found.turns) == (text, None, 1)


def test_what_can_change_a_score_is_in_the_description(tmp_path: Path) -> None:
    before = load(write(tmp_path / "a"))[0].to_json()
    assert json.loads(json.dumps(before)) == json.loads(json.dumps(load(write(tmp_path / "b"))[0].to_json()))
    other = [label(1, 0, 5, ["R2"]), *LABELS[1:]]
    assert load(write(tmp_path / "c", labels=other))[0].to_json() != before
    assert load(write(tmp_path / "d", rules=RULES[1:]))[0].to_json() != before


def test_a_folder_without_labels_is_decided_on_by_the_policy_alone(tmp_path: Path) -> None:
    found = load(write(tmp_path, labels=None, rules=None))
    assert [each.turns for each in found] == [1, 1, 1, 2, 1, 1, 0, 1]
    assert all(call.label is None for each in found for call in each.calls)


def test_a_label_makes_a_call_one_that_is_decided_on(tmp_path: Path) -> None:
    found = load(write(tmp_path), get_book=False, lend_book=False)
    assert [each.turns for each in found] == [1, 1, 1, 2, 1, 1, 0, 1]
    assert list(misfits(tmp_path, found, policy_of(get_book=False, lend_book=False, renew=True))) == [
        f"The policy names tools that {tmp_path / 'tools.json'} does not have: renew.",
        "Calls of lend_book have labels, and are decided on, although they only read by the policy.",
    ]


def test_tools_that_nobody_declares_are_told(tmp_path: Path) -> None:
    found = load(write(tmp_path, [conversation(1, 0, [calls(("a", "burn_book", {}))])], None))
    assert list(misfits(tmp_path, found, policy_of())) == [
        f"There are calls of tools that {tmp_path / 'tools.json'} does not have: burn_book.",
        "The policy names no tool burn_book: its calls count as writing.",
    ]
    assert found[0].turns == 1


def test_rules_are_scored_as_the_file_says_or_as_those_of_the_airline(tmp_path: Path) -> None:
    own = load(write(tmp_path / "own"))[0].rules
    assert [sorted(each) for each in (own.facts, own.talk, own.tool)] == [["R1", "R2"], ["S1"], ["T1"]]
    usual = load(write(tmp_path / "usual", rules=[{"id": "M2", "sentence": "No change."}]))[0].rules
    assert {"M2", "B12", "X1"} <= usual.facts and usual.talk == {"G1", "G1d", "M11", "R3"} and usual.tool == {"T1"}
    assert usual.sentences["M2"] == "No change." and usual.sentences["R2"] == "three weeks"


def test_the_rules_that_labels_name_are_told_in_words(tmp_path: Path) -> None:
    found = {each.id: each for each in load(write(tmp_path))}
    told = {id: named_rules(each.rules, each.calls) for id, each in found.items()}
    assert told["task2-1"] == ("R1: A book that is lent is not lent again.",)
    assert told["task3-1"] == ("T1: arguments",)
    assert told["task1-0"] == ()


@pytest.mark.parametrize(
    ("given", "fault"),
    [
        ({"labels": [label(9, 0, 1)]}, "there is no call of lend_book in message 1 of task 9, trial 0"),
        ({"labels": [label(1, 0, 4)]}, "there is no call of lend_book in message 4 of task 1, trial 0"),
        ({"labels": [label(1, 0, 5, tool="get_book")]}, "there is no call of get_book in message 5"),
        ({"labels": [label(1, 0, 5), label(1, 0, 5)]}, "labels.jsonl, line 2: there is no call"),
        ({"labels": [{**label(1, 0, 5), "violated": 3}]}, "violated: a list is needed"),
        ({"labels": [{**label(1, 0, 5), "violated": [3]}]}, "violated: a text is needed"),
        ({"labels": [{**label(1, 0, 5), "message": "5"}]}, "message: a whole number is needed"),
        ({"labels": [{"trial": 0, "message": 1}]}, "task_id is missing"),
        ({"rules": [{"id": "R1", "decided_by": "luck"}]}, "'luck' is none of facts, talk, tool"),
        ({"rules": [{"sentence": "?"}]}, "id is missing"),
        ({"conversations": []}, "there are no conversations"),
        ({"conversations": [CONVERSATIONS[0], CONVERSATIONS[0]]}, "'task1-0' is there twice"),
        ({"conversations": [{"task": 1, "trial": 0}]}, "messages is missing"),
        ({"conversations": [{**CONVERSATIONS[0], "task": None}]}, "task: a whole number is needed"),
        ({"conversations": [{**CONVERSATIONS[0], "reward": "1"}]}, "reward: a number is needed"),
        ({"conversations": [conversation(1, 0, [{"content": "Hi"}])]}, "role is missing"),
        ({"conversations": [conversation(1, 0, [{"role": "assistant", "tool_calls": [{}]}])]}, "function is missing"),
        ({"conversations": [conversation(1, 0, [user("Hi"), 3])]}, "an object is needed"),  # type: ignore[list-item]
    ],
)
def test_what_does_not_fit_is_told_with_its_place(tmp_path: Path, given: dict[str, Any], fault: str) -> None:
    with pytest.raises(RecordError, match=fault):
        load(write(tmp_path, **{"labels": None, **given}))


def test_a_missing_file_is_told(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match=r"conversations\.jsonl: cannot be read"):
        load(tmp_path)
    (write(tmp_path) / "tools.json").unlink()
    with pytest.raises(RecordError, match=r"tools\.json: cannot be read"):
        list(misfits(tmp_path, load(tmp_path), policy_of()))


def test_what_an_assistant_only_says_is_no_call(tmp_path: Path) -> None:
    [found] = load(
        write(tmp_path, [conversation(1, 0, [user("Hi"), says("Hello."), {**says(""), "tool_calls": None}])], None)
    )
    assert found.calls == ()


def test_conversations_come_in_any_format_of_logs(tmp_path: Path) -> None:
    policy, folder = policy_of(), write(tmp_path / "own", labels=None)
    wanted = load_conversations(folder, policy)
    (folder / "conversations.jsonl").unlink()
    named = [{"task_id": own["task"], "reward_info": {"reward": own["reward"]}, **own} for own in CONVERSATIONS]
    (folder / "conversations.json").write_text(json.dumps({"info": {}, "tasks": [], "simulations": named}))
    assert load_conversations(folder, policy) == wanted
    (folder / "conversations.json").write_text('{"info": {}, "tasks": []}')
    with pytest.raises(RecordError, match="messages is missing; there is info, tasks"):
        load_conversations(folder, policy)
