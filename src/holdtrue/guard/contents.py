"""Read messages, and their texts, whether they are mappings or the objects of a client."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def text_of(content: Any) -> str:
    """Return the text of a message, which may be in parts."""
    if isinstance(content, str):
        return content
    if not isinstance(content, list | tuple):
        return ""
    parts = (own if isinstance(own, str) else plain(own).get("text") or plain(own).get("refusal") for own in content)
    return "\n".join(own for own in parts if isinstance(own, str))


def plain(value: Any) -> dict[str, Any]:
    """Return a message or a part of one as a mapping, whether it is one or a client's object."""
    if isinstance(value, Mapping):
        return dict(value)
    # Servers leave fields out, or send null in them, and pydantic would warn of each.
    is_model = hasattr(value, "model_dump") and not isinstance(value, type)
    dumped = value.model_dump(warnings=False) if is_model else {}
    return dumped if isinstance(dumped, dict) else {}
