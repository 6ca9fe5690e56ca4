"""This module defines sorts, which are the sets of values of variables.

Every value is an integer; an `EnumSort` gives its integers names.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from holdtrue.errors import DomainError


@dataclass(frozen=True, slots=True)
class IntSort:
    """An `IntSort` has the integers `low..high`, both included. An end of None is open."""

    low: int | None = None
    high: int | None = None

    def __post_init__(self) -> None:
        if self.low is not None and self.high is not None and self.low > self.high:
            raise DomainError(f"an integer sort needs low <= high, got {self.low}..{self.high}")

    @property
    def size(self) -> int | None:
        """Return the number of values, or None if it is infinite."""
        return None if self.low is None or self.high is None else self.high - self.low + 1

    @property
    def values(self) -> range:
        """Return all values, ascending. Raises `DomainError` if their number is infinite."""
        if self.low is None or self.high is None:
            raise DomainError(f"the values of an open sort ({self}) cannot be listed; give it low and high")
        return range(self.low, self.high + 1)

    def __contains__(self, value: int) -> bool:
        return (self.low is None or self.low <= value) and (self.high is None or value <= self.high)

    def show(self, value: int) -> str:
        """Return the value as text."""
        return str(value)

    def __str__(self) -> str:
        if self.low is None and self.high is None:
            return "any integer"
        return f"{'' if self.low is None else self.low}..{'' if self.high is None else self.high}"


@dataclass(frozen=True, slots=True)
class EnumSort:
    """An `EnumSort` has named values; the integer of a value is its index in `labels`, from 0."""

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

    @property
    def values(self) -> range:
        """Return all values, ascending."""
        return range(len(self.labels))

    def __contains__(self, value: int) -> bool:
        return 0 <= value < len(self.labels)

    def show(self, value: int) -> str:
        """Return the value's label, or the number if it has none."""
        return self.labels[value] if 0 <= value < len(self.labels) else str(value)

    def index(self, label: str) -> int | None:
        """Return the value with this label (case-insensitive), or None."""
        if label in self.labels:
            return self.labels.index(label)
        wanted = label.strip().casefold()
        return next((i for i, own in enumerate(self.labels) if own.casefold() == wanted), None)

    def __str__(self) -> str:
        return "{" + ", ".join(self.labels) + "}"


Sort = IntSort | EnumSort


def within(sort: Sort) -> Sort | range:
    """Return the object with the fastest membership test for the values of a sort."""
    return sort if sort.size is None else sort.values


def drawn_from(sort: Sort) -> range:
    """Return values for random draws: all of them, or a thousand of an infinite sort."""
    return sort.values if sort.size is not None else first_values(sort, 1_000)


def first_values(sort: Sort, most: int) -> range:
    """Return at most `most` values: the least ones, or the greatest if there is no least, or else those from 0."""
    low, high = sort.low, sort.high
    if low is None:
        low = 0 if high is None else high - most + 1
    return range(low, low + most if high is None else min(low + most, high + 1))


def bounded(sort: Sort) -> tuple[int, int]:
    """Return the least and the greatest value. Raises `DomainError` if an end is open."""
    values = sort.values
    return values.start, values.stop - 1
