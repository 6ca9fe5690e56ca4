"""Conversations with expected decisions, as files have them, and the policy that their tools make.

A folder has `tools.json`, `about.json` and `conversations.jsonl`. A step of a conversation is what the assistant or the
user says, a result, or a call with what is to become of it. What a user says has notes for a reader that knows: the
operations of the message on requests, and the calls that it is a yes to.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from holdtrue.guard import make_policy
from holdtrue.guard.policy import Policy

Talk = Mapping[str, Any]


def policy_of(tools: Sequence[Mapping[str, Any]], now: str, name: str = "words") -> Policy:
    """Return a policy with nothing but tools, which says for each whether it writes, needs consent, and has ids."""
    definitions = [{key: own[key] for key in ("name", "description", "parameters")} for own in tools]
    types = {own["name"]: {id: _id_type(id) for id in own.get("ids", ())} for own in tools if own.get("ids")}
    consents = [own["name"] for own in tools if own.get("consent")]
    parts: dict[str, Any] = {
        "definitions": definitions,
        "reads": [own["name"] for own in tools if not own["writes"]],
        "writes": [own["name"] for own in tools if own["writes"]],
        **({"types": types} if types else {}),
        **({"consent": [{"on": consents, "how": "words"}]} if consents else {}),
    }
    return make_policy(name, now=now, tools=parts)


def _id_type(argument: str) -> str:
    return f"id of {argument.removesuffix('_id').removesuffix('_ids')}"


def read_lines(path: Path) -> list[dict[str, Any]]:
    """Return the JSON objects of a file, one a line."""
    return [json.loads(own) for own in path.read_text(encoding="utf-8").splitlines() if own.strip()]


def read_folder(folder: Path) -> tuple[list[dict[str, Any]], Mapping[str, Any], list[dict[str, Any]]]:
    """Return the tools, what is to be known about them, and the conversations of a folder."""
    tools = json.loads((folder / "tools.json").read_text(encoding="utf-8"))
    about = json.loads((folder / "about.json").read_text(encoding="utf-8"))
    return tools, about, read_lines(folder / "conversations.jsonl")
