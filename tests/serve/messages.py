"""Messages of the refund desk as a model writes them, and keys of callers."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any


def message_of(step: dict[str, Any], id: str) -> dict[str, Any]:
    """Return a step of the desk as a message of a model."""
    if step["role"] == "assistant":
        return {"role": "assistant", "content": step["text"]}
    function = {"name": step["tool"], "arguments": json.dumps(step["arguments"])}
    return {"role": "assistant", "content": None, "tool_calls": [{"id": id, "type": "function", "function": function}]}


def add_key(path: Path, tenant: str) -> str:
    """Add a key for a tenant to a file, and return the key."""
    key = f"key of {tenant}, which is long enough"
    with path.open("a") as file:
        file.write(f"sha256:{hashlib.sha256(key.encode()).hexdigest()} {tenant}\n")
    return key
