"""The tools of a desk, random calls of them, and the policies that the languages are tried on."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

TEXT, WHOLE, FLAG = {"type": "string"}, {"type": "integer"}, {"type": "boolean"}


def tool(name: str, required: dict[str, Any], **optional: Any) -> dict[str, Any]:
    schema = {"type": "object", "properties": {**required, **optional}, "required": list(required)}
    return {"name": name, "parameters": schema}


TOOLS = [
    tool("refund", {"order": TEXT, "amount": WHOLE}, fee=WHOLE, note=TEXT, urgent=FLAG),
    tool("send_email", {"to": {"type": "array", "items": TEXT}, "subject": TEXT}, body=TEXT),
    tool("get_order", {"order": TEXT}),
    tool("delete_user", {"user": TEXT}, reason=TEXT),
    tool("approve", {"order": TEXT, "amount": WHOLE}, by=TEXT),
]
WORDS = {
    "order": ["A-1", "A-2", "B.2", "Bx2", "A-31"],
    "user": ["ann", "bob"],
    "note": ["free", "x", ""],
    "subject": ["hi", "confidential: x"],
    "by": ["ann", "boss"],
}
PEOPLE = ["ann@x.org", "bob@x.org", "eve@y.org"]


class Case(NamedTuple):
    name: str
    text: str
    refused: tuple[int, ...]


def cases(language: str) -> list[Case]:
    """The policies of a language, each with the lines that are refused."""
    found = []
    text = (Path(__file__).parent / "cases" / f"{language}.txt").read_text(encoding="utf-8")
    for block in text.split("=== ")[1:]:
        title, _, body = block.partition("\n")
        name, _, refused = title.partition(" | refused ")
        found.append(Case(name, body, tuple(map(int, re.findall(r"\d+", refused)))))
    return found


def random_call(random: Random, only: tuple[str, ...] = ()) -> tuple[str, dict[str, Any]]:
    """A call that fits the schema of its tool. Each optional argument is there in half of the calls."""
    own = random.choice([own for own in TOOLS if not only or own["name"] in only])
    arguments = {}
    for name, schema in own["parameters"]["properties"].items():
        if name in own["parameters"]["required"] or random.random() < 0.5:
            arguments[name] = _value(random, name, schema)
    return own["name"], arguments


def _value(random: Random, name: str, schema: dict[str, Any]) -> Any:
    match schema["type"]:
        case "integer":
            return random.choice([0, 5, 49, 50, 99, 100, 101, 200, 201, 299, 300, 301, 500, 1000])
        case "boolean":
            return random.random() < 0.5
        case "array":
            return random.sample(PEOPLE, random.randint(0, 3))
    return random.choice(WORDS.get(name, ["a", "b"]))
