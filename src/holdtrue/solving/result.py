"""The types of solver results. Each type says how much was proved."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from holdtrue.logic.intervals import Range

Witness = Mapping[str, int]
Id = str


@dataclass(frozen=True, slots=True)
class Satisfiable:
    """All formulas hold together under `witness` (variable name to value), which direct evaluation has confirmed."""

    witness: Witness


@dataclass(frozen=True, slots=True)
class Unsatisfiable:
    """The formulas cannot hold together with the background. The question did not ask which of them clash."""


@dataclass(frozen=True, slots=True)
class Core(Unsatisfiable):
    """The formulas with these `ids` cannot hold together with the background. The set may not be minimal."""

    ids: tuple[Id, ...]


@dataclass(frozen=True, slots=True)
class Mus:
    """A minimal unsatisfiable subset: without any one of `ids`, the others can hold. This is proved."""

    ids: tuple[Id, ...]


@dataclass(frozen=True, slots=True)
class SmallestMus(Mus):
    """A MUS with the fewest ids of all MUSes. It is proved that no smaller set is impossible."""


@dataclass(frozen=True, slots=True)
class AllMuses:
    """All MUSes and all minimal corrections that were found. Each is proved minimal and keeps the order of the
    question.

    If `complete` is true, there are no others. If it is false, `reason` says why the search ended.
    """

    muses: tuple[tuple[Id, ...], ...]
    mcses: tuple[tuple[Id, ...], ...]
    complete: bool
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class Mcs:
    """A minimal correction subset: if `set_aside` is removed, the formulas of `kept` hold under `witness`.

    It is minimal by inclusion: no id of `set_aside` can be added to `kept`. Another correction may have fewer ids.
    """

    kept: tuple[Id, ...]
    set_aside: tuple[Id, ...]
    witness: Witness


@dataclass(frozen=True, slots=True)
class MinimumMcs(Mcs):
    """A correction whose `set_aside` has the least cost of all, `cost`. It is proved that no cheaper one exists."""

    cost: int


@dataclass(frozen=True, slots=True)
class Violated:
    """A `Violated` lists the commitments that some values break. Each of `ids` is impossible with the values by itself.

    `undecided` lists the commitments that were not decided before the budget ended.
    """

    ids: tuple[Id, ...]
    undecided: tuple[Id, ...] = ()


@dataclass(frozen=True, slots=True)
class BackgroundConflict:
    """The background alone is impossible, so no commitment is to blame."""


@dataclass(frozen=True, slots=True)
class Unknown:
    """Nothing was proved, for the given `reason`, such as a budget that ran out. It is never a verdict."""

    reason: str


@dataclass(frozen=True, slots=True)
class Nearest:
    """A satisfying assignment with the fewest, or the cheapest, changes. `changed` names the changed variables in
    order.

    `optimal` is false if the budget ended before a better assignment was ruled out.
    """

    witness: Witness
    changed: tuple[str, ...]
    optimal: bool = True


@dataclass(frozen=True, slots=True)
class Entailed:
    """The query follows: no assignment satisfies the theory and breaks the query. The theory itself has a witness."""


@dataclass(frozen=True, slots=True)
class Refuted:
    """The query is excluded: no assignment satisfies both it and the theory. The theory itself has a witness."""


@dataclass(frozen=True, slots=True)
class Independent:
    """The theory leaves the query open. Under `holds` theory and query are true; under `fails` only the theory is."""

    holds: Witness
    fails: Witness


@dataclass(frozen=True, slots=True)
class Inconsistent:
    """The theory has no witness. It entails and refutes every query, so there is no verdict about the query."""


@dataclass(frozen=True, slots=True)
class Equivalent:
    """It is proved that two formulas are true under the same assignments, among those that the theory allows."""


@dataclass(frozen=True, slots=True)
class Different:
    """Two formulas differ: `witness` satisfies the theory and only one of them, the first if `first` is true."""

    witness: Witness
    first: bool


@dataclass(frozen=True, slots=True)
class WitnessCount:
    """The number of witnesses. If `exact` is false, `count` is a lower bound, and `reason` says why counting ended."""

    count: int
    exact: bool
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class PossibleValues:
    """The values that a theory leaves one variable. Each of `values`, in ascending order, occurs in some witness.

    `open` lists ranges of values, both ends included, about which nothing was proved. There are three causes. The
    search may have been only for the least and the greatest value. An end may not have been found; it is then None. The
    budget may have ended, and then `reason` says so. All values outside of `values` and `open` are impossible.
    """

    values: tuple[int, ...]
    open: tuple[Range, ...] = ()
    reason: str | None = None

    @property
    def settled(self) -> bool:
        """Return whether it is proved that only one value is possible."""
        return len(self.values) == 1 and not self.open
