"""This module draws random values that depend on arguments alone: equal arguments give equal draws in any process."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from hashlib import blake2b
from random import Random
from typing import TypeVar

Item = TypeVar("Item")


def draw(*parts: object) -> float:
    """Return a number in 0 <= x < 1 that depends on the arguments alone."""
    return int.from_bytes(_digest(parts)[:7], "big") / 2**56


def pick(items: Sequence[Item], *parts: object) -> Item:
    return items[int(draw(*parts) * len(items))]


def shuffled(items: Iterable[Item], *parts: object) -> list[Item]:
    """Return the items in an order that depends on the arguments alone."""
    out = list(items)
    Random(int.from_bytes(_digest(parts), "big")).shuffle(out)
    return out


def _digest(parts: tuple[object, ...]) -> bytes:
    # `repr` gives different texts for ("a", "b") and ("a, b",).
    return blake2b(repr(parts).encode("utf-8", "surrogatepass"), digest_size=16).digest()
