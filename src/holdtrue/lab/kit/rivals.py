"""Which methods are held against each other: those that ask the same model, in the same suite and settings."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import combinations
from typing import Protocol, TypeVar

from holdtrue.lab.kit.arm import Arm


class Played(Protocol):
    """What an arm played. `asks_model`: it is no control."""

    @property
    def arm(self) -> Arm: ...
    @property
    def asks_model(self) -> bool: ...


Arms = TypeVar("Arms", bound=Played)


def rivals(arms: Iterable[Arms]) -> Iterator[list[tuple[Arms, Arms]]]:
    """For each suite, model and settings every two methods that ask the model.

    The method that was played first comes second in a pair, so that differences tell what the later one adds.
    """
    groups: dict[Arm, list[Arms]] = {}
    for each in arms:
        if each.asks_model:
            groups.setdefault(replace(each.arm, method=""), []).append(each)
    for group in groups.values():
        yield [(second, first) for first, second in combinations(group, 2)]
