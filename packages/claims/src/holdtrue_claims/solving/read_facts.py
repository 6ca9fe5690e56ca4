"""The facts of a solver's model, each read when it is first asked for."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product
from typing import Any

from holdtrue.logic.value_sorts import Value
from holdtrue_claims.fol.evaluation import Fact
from holdtrue_claims.fol.term_sorts import TermSorts


class FactsRead(Mapping[Fact, "Value | str"], ABC):
    """Facts that are each read when they are first asked for, and kept.

    As a whole they are those about things, where a name has no more than `most`, and those about numbers that were
    asked for.
    """

    def __init__(self, sorts: TermSorts, things: Collection[str], most: int) -> None:
        self._sorts, self._labels, self._most = sorts, things, most
        self._known: dict[Fact, Value | str] = {}

    def ends(self, name: str, place: int) -> Sequence[Fraction] | None:
        """Return from which values of an argument on facts may be others, in order; None where nobody knows."""
        return None

    @abstractmethod
    def _read(self, name: str, args: tuple[Any, ...]) -> Value | str:
        """Read a fact; raises `KeyError` where there is none."""

    def __getitem__(self, fact: Fact) -> Value | str:
        if fact not in self._known:
            self._known[fact] = self._read(*fact)
        return self._known[fact]

    def __iter__(self) -> Iterator[Fact]:
        return iter(self._complete())

    def __len__(self) -> int:
        return len(self._complete())

    def _complete(self) -> Mapping[Fact, Value | str]:
        for name, sorts in self._sorts.arguments.items():
            if all(isinstance(sort, str) for sort in sorts) and len(self._labels) ** len(sorts) <= self._most:
                for args in product(self._labels, repeat=len(sorts)):
                    self.get((name, args))
        return self._known
