"""What a solver found. A type says what was proved, and nothing more."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

Witness = Mapping[str, int]
Id = str


@dataclass(frozen=True, slots=True)
class Satisfiable:
    """All hold together under `witness` (variable name -> value), re-checked by direct evaluation."""

    witness: Witness


@dataclass(frozen=True, slots=True)
class Unsatisfiable:
    """They cannot hold together (with the background); which of them clash was not asked."""


@dataclass(frozen=True, slots=True)
class Core(Unsatisfiable):
    """These cannot hold together (with the background); not known to be minimal."""

    ids: tuple[Id, ...]


@dataclass(frozen=True, slots=True)
class Mus:
    """A minimal unsatisfiable subset: without any one of them, the rest can hold. Proved minimal."""

    ids: tuple[Id, ...]


@dataclass(frozen=True, slots=True)
class Mcs:
    """A minimal correction subset: without `set_aside` the rest, `kept`, can hold under `witness`.

    Minimal by inclusion: none of `set_aside` could be added to `kept`. Not known to be the fewest.
    """

    kept: tuple[Id, ...]
    set_aside: tuple[Id, ...]
    witness: Witness


@dataclass(frozen=True, slots=True)
class Violated:
    """What some values break: each of `ids` by itself is impossible with them.

    `undecided` names those for which the budget ended first.
    """

    ids: tuple[Id, ...]
    undecided: tuple[Id, ...] = ()


@dataclass(frozen=True, slots=True)
class BackgroundConflict:
    """The background alone is impossible: there is nothing to blame among the commitments."""


@dataclass(frozen=True, slots=True)
class Unknown:
    """Nothing was proved, for this reason (a budget that ran out, say). Never a verdict."""

    reason: str


@dataclass(frozen=True, slots=True)
class Nearest:
    """A satisfying assignment that changes the fewest values: `changed` names them, in order.

    `optimal` is False where the budget ended before it was proved that no fewer changes suffice.
    """

    witness: Witness
    changed: tuple[str, ...]
    optimal: bool = True
