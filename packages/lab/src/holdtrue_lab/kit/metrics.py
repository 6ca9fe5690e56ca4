"""Declare the figures of a kind of answer: what one answer adds to each, how they are combined, and how one is shown.

A kind declares a metric once, in its `metrics.py`. From that follow its value in every row and part of a row, its place
in the JSON, its column in tables, what arms are tested on, and what two runs are compared by.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, is_dataclass
from typing import Any, Generic, Protocol, TypeVar

from holdtrue_lab.figures.cells import MISSING, in_interval, rate_in_interval
from holdtrue_lab.figures.statistics import Estimate, Rate, clustered, estimates, ratio
from holdtrue_lab.figures.table import Column

Fact = TypeVar("Fact")
Value = TypeVar("Value")
Key = TypeVar("Key", bound=str)
Units = Sequence[Sequence[Any]]
"""What answers added to a figure, by the problem (or whatever intervals are drawn over) that they belong to."""
Combine = Callable[[Sequence[Units]], Sequence[Any]]
"""Returns the values of several metrics at once, because intervals are drawn faster together."""
Added = Mapping[str, Any]
"""What one answer adds to each metric, by its name."""


class Figured(Protocol):
    """A `Figured` is a row, or a part of one, that has figures by the names of their metrics."""

    @property
    def figures(self) -> Mapping[str, Any]: ...


@dataclass(frozen=True, eq=False)
class Metric(Generic[Fact, Value]):
    """A `Metric` is one figure of a report; called with a row, it returns the row's value.

    Attributes:
        name: Its place in the JSON of a row: `help.caught` stands in an object `help`.
        of: Returns what one answer adds to it.
        combine: Returns its value from what all answers added.
        column: Its column in tables.
        show: Writes its value as the cell of a table.
        compared: Two runs are compared by it; where an answer adds a yes or no, it is tested.
    """

    name: str
    of: Callable[[Fact], Any]
    combine: Combine
    column: Column
    show: Callable[[Value], str]
    compared: bool = False

    def __call__(self, row: Figured) -> Value:
        value: Value = row.figures[self.name]
        return value

    @property
    def last_name(self) -> str:
        """The name without its place, by which runs are compared."""
        return self.name.rpartition(".")[2]


class Metrics(Generic[Fact]):
    """The `Metrics` of a kind, or of a part of its rows, keep the order in which they are declared.

    They begin with those of `others`. Each method declares one; `title` is that of its column, by default the name.
    """

    def __init__(self, *others: Metrics[Fact]) -> None:
        self._all = [metric for each in others for metric in each]

    def __iter__(self) -> Iterator[Metric[Fact, Any]]:
        return iter(self._all)

    def share(
        self,
        name: str,
        of: Callable[[Fact], bool | tuple[int, int] | None],
        title: str | None = None,
        *,
        compared: bool = False,
    ) -> Metric[Fact, Rate]:
        """Declare a share of answers.

        `of` says whether one is a hit, or has hits out of how many; it is None where neither holds.
        """
        return self._add(name, of, _shares, title, rate_in_interval, unit=" %", compared=compared)

    def mean(
        self,
        name: str,
        of: Callable[[Fact], float | tuple[float, float]],
        title: str | None = None,
        form: str = ".2f",
    ) -> Metric[Fact, Estimate]:
        """Declare a mean over answers, or over whatever `of` says that its number is out of; `form` formats it."""

        def show(value: float | None) -> str:
            return MISSING if value is None else format(value, form)

        return self._add(name, of, _means, title, lambda value: in_interval(value, show))

    def total(self, name: str, of: Callable[[Fact], int], title: str | None = None) -> Metric[Fact, int]:
        """Declare a sum over answers; where `of` says yes or no, the number of those that are."""
        return self._add(name, of, _totals, title, str)

    def units(self, name: str, title: str | None = None) -> Metric[Fact, int]:
        """Declare the number of problems, or of whatever intervals are drawn over."""
        return self._add(name, lambda fact: None, lambda columns: list(map(len, columns)), title, str)

    def tally(
        self, name: str, of: Callable[[Fact], Key | None], keys: Sequence[Key]
    ) -> Metric[Fact, Mapping[Key, int]]:
        """Declare the numbers of answers by key, also of keys that none has."""

        def count(units: Units) -> Mapping[Key, int]:
            found: Counter[Key] = Counter(key for unit in units for key in unit)
            return {key: found[key] for key in keys}

        return self.worked_out(name, of, count)

    def worked_out(self, name: str, of: Callable[[Fact], Any], value: Callable[[Units], Value]) -> Metric[Fact, Value]:
        """Declare any other figure, worked out from what all answers added."""
        return self._add(name, of, lambda columns: list(map(value, columns)), None, str)

    def parts(
        self,
        name: str,
        heads: Sequence[str],
        of: Callable[[Fact], Iterable[tuple[tuple[str, ...], Any]]],
        metrics: Metrics[Any],
        order: Callable[[Iterable[tuple[str, ...]]], Sequence[tuple[str, ...]]] = sorted,
        *,
        over_all: bool = False,
    ) -> Metric[Fact, tuple[Part, ...]]:
        """Declare figures of the parts that answers belong to.

        `of` yields the names of each part, with what `metrics` are of. `heads` are the keys of these names in the JSON,
        and `order` that of the parts. Intervals are drawn over the problems that have the part, or `over_all`.
        """

        def found(units: Units) -> Iterator[Part]:
            for names in order({names for unit in units for answer in unit for names, _ in answer}):
                own = [[added for answer in unit for its, added in answer if its == names] for unit in units]
                those = [unit for unit in own if unit or over_all]
                yield Part(dict(zip(heads, names, strict=True)), metrics.combine(those))

        def of_each(fact: Fact) -> list[tuple[tuple[str, ...], Added]]:
            return [(names, metrics.added(each)) for names, each in of(fact)]

        return self.worked_out(name, of_each, lambda units: tuple(found(units)))

    @property
    def compared(self) -> dict[str, Metric[Fact, Any]]:
        """The metrics that two runs are compared by, by name."""
        return {metric.last_name: metric for metric in self._all if metric.compared}

    def added(self, fact: Fact) -> Added:
        """Return what one answer adds to each metric."""
        return {metric.name: metric.of(fact) for metric in self._all}

    def combine(self, units: Sequence[Sequence[Added]]) -> dict[str, Any]:
        """Return the value of each metric from what answers added, by problem."""
        alike: dict[Combine, list[str]] = {}
        for metric in self._all:
            alike.setdefault(metric.combine, []).append(metric.name)
        found: dict[str, Any] = {}
        for combine, names in alike.items():
            columns = [[[added[name] for added in unit] for unit in units] for name in names]
            found |= zip(names, combine(columns), strict=True)
        return {metric.name: found[metric.name] for metric in self._all}

    def _add(
        self,
        name: str,
        of: Callable[[Fact], Any],
        combine: Combine,
        title: str | None,
        show: Callable[[Any], str],
        *,
        unit: str = "",
        compared: bool = False,
    ) -> Metric[Fact, Any]:
        column = Column(f"{name.rpartition('.')[2].replace('_', ' ') if title is None else title}{unit}")
        metric = Metric[Fact, Any](name, of, combine, column, show, compared)
        self._all.append(metric)
        return metric


@dataclass(frozen=True, slots=True)
class Part:
    """A `Part` of a row is about one tool or the like, which its `names` tell, and has figures of its own."""

    names: Mapping[str, str]
    figures: Mapping[str, Any]

    @property
    def name(self) -> str:
        """The last of its names."""
        return list(self.names.values())[-1]


def figures_json(figures: Mapping[str, Any]) -> dict[str, Any]:
    """Return figures as plain JSON values, in objects as their names say."""
    found: dict[str, Any] = {}
    for name, value in figures.items():
        *path, last = name.split(".")
        place = found
        for key in path:
            place = place.setdefault(key, {})
        place[last] = _plain(value)
    return found


def _plain(value: Any) -> Any:
    if isinstance(value, Part):
        return {**value.names, **figures_json(value.figures)}
    if isinstance(value, tuple):
        return tuple(map(_plain, value))
    return asdict(value) if is_dataclass(value) and not isinstance(value, type) else value


def hits_of(value: bool | tuple[int, int] | None) -> tuple[int, int]:
    """Return what an answer adds to a share, as hits and out of how many."""
    if value is None:
        return 0, 0
    return value if isinstance(value, tuple) else (int(value), 1)


def _shares(columns: Sequence[Units]) -> list[Rate]:
    pairs = [[[hits_of(value) for value in unit] for unit in column] for column in columns]
    return clustered(
        [
            ([sum(hits for hits, _ in unit) for unit in column], [sum(of for _, of in unit) for unit in column])
            for column in pairs
        ]
    )


def _means(columns: Sequence[Units]) -> list[Estimate]:
    import numpy as np

    def table(units: Units) -> Any:
        pairs = [[value if isinstance(value, tuple) else (value, 1) for value in unit] for unit in units]
        sums = [(sum(number for number, _ in unit), sum(of for _, of in unit)) for unit in pairs]
        return np.array(sums, dtype=np.float64).reshape(-1, 2)

    return estimates([(table(units), ratio) for units in columns])


def _totals(columns: Sequence[Units]) -> list[int]:
    return [sum(sum(unit) for unit in column) for column in columns]
