"""The meaning of a sentence: true or false of a world, given the sentence's arguments by their letters."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

World = Mapping[str, Any]
Meaning = Callable[..., bool]


def others(w: World, a: str) -> list[Any]:
    """Return the values of all entities but one."""
    return [value for who, value in w.items() if who != a]
