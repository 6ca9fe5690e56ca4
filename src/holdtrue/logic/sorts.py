"""Sorts: the finite sets of values that a variable ranges over.

Every value is an integer inside holdtrue; an `EnumSort` gives its integers names.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from holdtrue.errors import DomainError


@dataclass(frozen=True, slots=True)
class IntSort:
    """The integers `low..high`, both included."""

    low: int
    high: int

    def __post_init__(self) -> None:
        if self.low > self.high:
            raise DomainError(f"an integer sort needs low <= high, got {self.low}..{self.high}")

    @property
    def size(self) -> int:
        return self.high - self.low + 1

    def show(self, value: int) -> str:
        """The value in words."""
        return str(value)

    def __str__(self) -> str:
        return f"{self.low}..{self.high}"


@dataclass(frozen=True, slots=True)
class EnumSort:
    """Named values; the integer of a value is its index in `labels` (counted from 0)."""

    low: ClassVar[int] = 0

    name: str
    labels: tuple[str, ...]

    def __post_init__(self) -> None:
        if not self.labels:
            raise DomainError(f"the enumeration {self.name!r} has no values")
        if len({label.casefold() for label in self.labels}) != len(self.labels):
            raise DomainError(f"the enumeration {self.name!r} names a value twice: {', '.join(self.labels)}")

    @property
    def high(self) -> int:
        return len(self.labels) - 1

    @property
    def size(self) -> int:
        return len(self.labels)

    def show(self, value: int) -> str:
        """The value's label, or the bare number where it has none."""
        return self.labels[value] if 0 <= value < len(self.labels) else str(value)

    def index(self, label: str) -> int | None:
        """The value named `label` (case-insensitive), or None."""
        if label in self.labels:
            return self.labels.index(label)
        wanted = label.strip().casefold()
        return next((i for i, own in enumerate(self.labels) if own.casefold() == wanted), None)

    def __str__(self) -> str:
        return "{" + ", ".join(self.labels) + "}"


Sort = IntSort | EnumSort
