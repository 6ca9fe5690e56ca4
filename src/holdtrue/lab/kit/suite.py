"""A suite as the laboratory knows it: its name, the kind of its answers, and what that kind wants to know of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from holdtrue.lab.kit.kind import Kind


@dataclass(frozen=True, slots=True)
class Suite:
    """A suite. `about` says in a sentence what it asks; `setup` is what its kind wants to know of it."""

    name: str
    kind: Kind
    about: str
    setup: Any = None
