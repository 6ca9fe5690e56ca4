"""A small folder of recorded conversations: a library's agent that looks books up and lends them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

Message = dict[str, Any]
NOVEL = {"id": "b1", "lent": False, "title": "A Long Way"}
LENT = {"id": "b2", "lent": True, "title": "Away"}
ATLAS = {"id": "b3", "lent": False, "title": "Maps"}
DONE, REFUSED = "Lent.", "Error: the book is not here"


def user(text: str) -> Message:
    return {"role": "user", "content": text}


def says(text: str) -> Message:
    return {"role": "assistant", "content": text}


def calls(*asked: tuple[str, str, Any]) -> Message:
    """Return a message with calls, each of an id, a tool, and arguments as text or as values."""
    return {
        "role": "assistant",
        "tool_calls": [
            {
                "id": id,
                "type": "function",
                "function": {"name": tool, "arguments": given if isinstance(given, str) else json.dumps(given)},
            }
            for id, tool, given in asked
        ],
    }


def gave(id: str, result: Any) -> Message:
    return {"role": "tool", "tool_call_id": id, "content": result if isinstance(result, str) else json.dumps(result)}


def looks_up(book: Mapping[str, Any], id: str = "c1") -> list[Message]:
    return [calls((id, "get_book", {"book": book["id"]})), gave(id, book)]


def lends(book: str, days: int = 10, result: str | None = DONE, id: str = "c1", **more: Any) -> list[Message]:
    asked = calls((id, "lend_book", {"book": book, "days": days, **more}))
    return [asked] if result is None else [asked, gave(id, result)]


def conversation(task: int | str, trial: int, messages: Sequence[Message], reward: float = 1.0) -> dict[str, Any]:
    return {"task": task, "trial": trial, "reward": reward, "messages": list(messages)}


def label(
    task: int | str, trial: int, message: int, violated: Iterable[str] = (), undecided: Iterable[str] = (), **more: Any
) -> dict[str, Any]:
    return {
        "task_id": task,
        "trial": trial,
        "message": message,
        "tool": "lend_book",
        "executed": True,
        "violated": list(violated),
        "undecided": dict.fromkeys(undecided, "not seen"),
        **more,
    }


CONVERSATIONS = [
    conversation(1, 0, [user("May I have A Long Way?"), *looks_up(NOVEL), says("Yes."), user("Good."), *lends("b1")]),
    conversation(1, 1, [user("Lend me A Long Way."), *lends("b1")], reward=0.0),
    conversation(2, 0, [user("Lend me Away."), *looks_up(LENT), *lends("b2", result=REFUSED)], reward=0.0),
    conversation(
        *(2, 1),
        [
            user("Maps, please, for both of us."),
            *looks_up(ATLAS),
            calls(("c2", "lend_book", {"book": "b3", "days": 10}), ("c3", "lend_book", {"book": "b3", "days": 10})),
            gave("c2", DONE),
            gave("c3", REFUSED),
        ],
        reward=0.0,
    ),
    conversation(3, 0, [user("Maps for a year!"), *looks_up(ATLAS), *lends("b3", days=365)], reward=0.0),
    conversation(3, 1, [user("Maps."), *looks_up(ATLAS), calls(("c1", "lend_book", '{"book": "b3"')), gave("c1", "?")]),
    conversation("reading", 0, [user("Is Away there?"), *looks_up(LENT), says("No.")]),
    conversation("special", 0, [user("Maps, for school."), *looks_up(ATLAS), *lends("b3", days=60), says("Done.")]),
]
LABELS = [
    label(1, 0, 5),
    label(1, 1, 1, undecided=["R1-not-lent"]),
    label(2, 0, 3, ["R1-not-lent"], executed=False),
    label(2, 1, 3),
    label(2, 1, 3, ["R1-not-lent"], executed=False),
    label(3, 0, 3, ["R2-three-weeks"]),
    label(3, 1, 3, ["T1-arguments"], executed=False),
    label("special", 0, 3, ["S1-asked"]),
]
RULES = [
    {"id": "R1", "sentence": "A book that is lent is not lent again.", "decided_by": "facts"},
    {"id": "R2", "sentence": "A loan lasts three weeks at most, or 60 days for school.", "decided_by": "facts"},
    {"id": "S1", "sentence": "Ask before you lend.", "decided_by": "talk"},
    {"id": "T1", "sentence": "", "decided_by": "tool"},
]
_BOOK = {"book": {"type": "string"}}
TOOLS = [
    {
        "name": "get_book",
        "description": "Look a book up.",
        "parameters": {"type": "object", "properties": _BOOK, "required": ["book"]},
    },
    {
        "type": "function",
        "function": {
            "name": "lend_book",
            "parameters": {
                "type": "object",
                "properties": {**_BOOK, "days": {"type": "integer"}},
                "required": ["book", "days"],
            },
        },
    },
]
POLICY = """
policy: library
now: "2024-05-15T12:00:00"
tools:
  file: tools.json
  writes: [lend_book]
  reads: [get_book]
  errors: ["Error"]
facts:
  book:
    key: {id: text}
    record: {id: text, lent: bool, title: text}
    from:
      - {tool: get_book, key: {id: item.id}}
said:
  for_school: {type: bool, ask: "Is the book for school?"}
effects:
  - {on: lend_book, fact: book, key: {id: call.book}, set: {lent: "true"}}
rules:
  - id: R1-not-lent
    on: lend_book
    hold: "!facts.book(call.book).lent"
    say: A book that is lent is not lent again.
  - id: R2
    on: lend_book
    hold: call.days <= 21 || (said.for_school && call.days <= 60)
    say: A loan lasts three weeks at most, or 60 days for school.
  - id: R3
    on: lend_book
    hold: now.getHours() < 20
    say: Nothing is lent after eight in the evening.
"""


def write(
    folder: Path,
    conversations: Sequence[Mapping[str, Any]] = CONVERSATIONS,
    labels: Sequence[Mapping[str, Any]] | None = LABELS,
    rules: Sequence[Mapping[str, Any]] | None = RULES,
) -> Path:
    """Write the folder; without labels or rules it lacks the file."""
    folder.mkdir(parents=True, exist_ok=True)
    _write_lines(folder / "conversations.jsonl", conversations)
    (folder / "tools.json").write_text(json.dumps(TOOLS), encoding="utf-8")
    if labels is not None:
        _write_lines(folder / "labels.jsonl", labels)
    if rules is not None:
        (folder / "rules.json").write_text(json.dumps(rules), encoding="utf-8")
    return folder


def policy(folder: Path) -> Path:
    """Write the policy into the folder, and return its path."""
    path = folder / "policy.yaml"
    path.write_text(POLICY, encoding="utf-8")
    return path


def _write_lines(path: Path, records: Iterable[Mapping[str, Any]]) -> None:
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
