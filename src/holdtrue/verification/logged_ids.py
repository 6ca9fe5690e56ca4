"""This module keeps the ids of commitments in a log: one that was logged more than once has more than one id."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from holdtrue.errors import RecordError
from holdtrue.solving.result import Id
from holdtrue.world.world import Constraint


@dataclass(frozen=True, slots=True)
class LoggedIds:
    """The log's ids of each commitment, in the order of the log, by the ledger's own id."""

    all: Mapping[Id, tuple[str, ...]]

    @property
    def names(self) -> dict[Id, str]:
        """Return the first id of each commitment in the log."""
        return {id: names[0] for id, names in self.all.items()}

    @property
    def full_names(self) -> dict[Id, str]:
        """Return each commitment's name in sentences: `c2 (also logged as c7)`."""
        return {id: _full_name(names) for id, names in self.all.items()}

    def also(self, ids: Iterable[Id]) -> dict[str, tuple[str, ...]]:
        """Return, by their first id, the other ids of those of these commitments that have any."""
        return {self.all[id][0]: self.all[id][1:] for id in dict.fromkeys(ids) if len(self.all[id]) > 1}


def check_ids(field: str, constraints: Sequence[tuple[str, Constraint]]) -> None:
    """Raise `RecordError`, naming the places, where an id stands for two constraints that say different things."""
    first: dict[str, tuple[int, Constraint]] = {}
    for position, (id, constraint) in enumerate(constraints, 1):
        earlier, said = first.setdefault(id, (position, constraint))
        if said != constraint:
            raise RecordError(
                f"{field}: number {earlier} and number {position} are both called {id!r:.40} and say different things; "
                "give each an id of its own (one without an id is called by its place: C001, C002, ...)"
            )


def _full_name(names: Sequence[str]) -> str:
    first, *others = names
    return f"{first} (also logged as {', '.join(others)})" if others else first
