"""Enumerate the worlds that laws allow."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from holdtrue.logic.formula import Formula, Variable
from tests.solving.brute import assignments


def every_world(variables: Iterable[Variable], laws: Sequence[Formula]) -> Iterator[dict[str, int]]:
    """Return all values that the laws allow."""
    return (world for world in assignments(list(variables)) if all(law.holds(world) for law in laws))
