"""These types say what a solver found. Each says what was proved, and nothing more."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from holdtrue.logic.intervals import Range

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
class SmallestMus(Mus):
    """A MUS with the fewest ids of all MUSes. Proved: no smaller set is impossible."""


@dataclass(frozen=True, slots=True)
class AllMuses:
    """Every MUS and every correction that was found, each proved minimal, ids in the order of the question.

    `complete` says that there are no others. Else `reason` tells why the search ended.
    """

    muses: tuple[tuple[Id, ...], ...]
    mcses: tuple[tuple[Id, ...], ...]
    complete: bool
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class Mcs:
    """A minimal correction subset: without `set_aside` the rest, `kept`, can hold under `witness`.

    Minimal by inclusion: none of `set_aside` could be added to `kept`. Not known to be the fewest.
    """

    kept: tuple[Id, ...]
    set_aside: tuple[Id, ...]
    witness: Witness


@dataclass(frozen=True, slots=True)
class MinimumMcs(Mcs):
    """A correction whose `set_aside` costs least of all, `cost`. Proved: nothing cheaper suffices."""

    cost: int


@dataclass(frozen=True, slots=True)
class Violated:
    """A `Violated` names what some values break: each of `ids` by itself is impossible with them.

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
    """A satisfying assignment that changes the fewest values, or the cheapest: `changed` names them, in order.

    `optimal` is False where the budget ended before it was proved that nothing less suffices.
    """

    witness: Witness
    changed: tuple[str, ...]
    optimal: bool = True


@dataclass(frozen=True, slots=True)
class Entailed:
    """The query follows: nothing satisfies the theory without it. Proved, as that the theory has a witness."""


@dataclass(frozen=True, slots=True)
class Refuted:
    """The query is excluded: nothing satisfies the theory with it. Proved, as that the theory has a witness."""


@dataclass(frozen=True, slots=True)
class Independent:
    """The theory leaves the query open: `holds` satisfies both, `fails` satisfies the theory without it."""

    holds: Witness
    fails: Witness


@dataclass(frozen=True, slots=True)
class Inconsistent:
    """The theory has no witness, so it entails and refutes everything, and nothing is said about a query."""


@dataclass(frozen=True, slots=True)
class Equivalent:
    """Two formulas are true of the same assignments, among those that the theory allows. Proved."""


@dataclass(frozen=True, slots=True)
class Different:
    """Two formulas differ: `witness` satisfies the theory and just one of them, the first one if `first`."""

    witness: Witness
    first: bool


@dataclass(frozen=True, slots=True)
class WitnessCount:
    """A `WitnessCount` says how many witnesses there are: `count` if `exact`, else at least so many, for a `reason`."""

    count: int
    exact: bool
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class PossibleValues:
    """`PossibleValues` are what a theory leaves one variable: each of `values`, ascending, is in some witness.

    `open` are ranges, both ends included, of values about which nothing was proved: those between the least and the
    greatest value where only these were looked for, those on to an end that was not found (None), or those that the
    budget did not reach, for this `reason`. No other value is possible.
    """

    values: tuple[int, ...]
    open: tuple[Range, ...] = ()
    reason: str | None = None

    @property
    def settled(self) -> bool:
        """Return whether it is proved that there is only one value."""
        return len(self.values) == 1 and not self.open
