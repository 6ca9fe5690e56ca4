"""What a sentence says: true or false of a world, given the sentence's arguments by their letters."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

World = Mapping[str, Any]
Meaning = Callable[..., bool]
