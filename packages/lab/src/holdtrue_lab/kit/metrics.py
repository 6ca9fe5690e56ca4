"""With this module, a kind of answer declares each of its figures once, as a *metric*.

A metric declares the number that one answer adds. It also declares how these numbers are combined and shown. Rows,
JSON, table columns, paired tests and comparisons of runs all follow from this declaration.
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
"""The numbers that answers added to a figure, grouped by problem or another unit of resampling."""
Combine = Callable[[Sequence[Units]], Sequence[Any]]
"""A function that returns the values of several metrics together, because this makes their intervals faster."""
Added = tuple[Any, ...]
"""The values that one answer adds to all metrics, one for each metric in their order."""


class Figured(Protocol):
    """A `Figured` is a row, or a part of one, that has figures by the names of their metrics."""

    @property
    def figures(self) -> Mapping[str, Any]: ...


@dataclass(frozen=True, eq=False)
class Metric(Generic[Fact, Value]):
    """A `Metric` is one figure of a report; called with a row, it returns the row's value.

    Attributes:
        name: The metric's path in the JSON of a row: `help.caught` is in an object `help`.
        of: Returns the value that one answer adds.
        combine: Returns the figures of several metrics from the values that all answers added to each.
        column: The metric's column in tables.
        show: Formats the figure as a table cell.
        compared: Whether two runs are compared by the metric. If answers add bools, the difference is tested.
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
        """The last part of the name, which names the figure in a comparison of runs."""
        return self.name.rpartition(".")[2]


class Metrics(Generic[Fact]):
    """A `Metrics` holds the metrics of a kind of answer, or those of the `Part`s of its rows.

    The metrics of `others` come first, then the rest in the order of declaration. The methods from `share` to `parts`
    declare one metric each; `title` is the title of its column, by default the name.
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

        `of` returns whether an answer is a hit, or its hits and their maximum. It returns None if the answer does not
        count.
        """
        return self._add(name, of, shares, title, rate_in_interval, unit=" %", compared=compared)

    def mean(
        self,
        name: str,
        of: Callable[[Fact], float | tuple[float, float]],
        title: str | None = None,
        form: str = ".2f",
        show: Callable[[Estimate], str] | None = None,
    ) -> Metric[Fact, Estimate]:
        """Declare a mean over answers, formatted by `form`.

        If `of` returns a pair, its second number is the weight in the denominator. `show` replaces the cell's format.
        """

        def formatted(value: float | None) -> str:
            return MISSING if value is None else format(value, form)

        return self._add(name, of, _means, title, show or (lambda value: in_interval(value, formatted)))

    def total(self, name: str, of: Callable[[Fact], int], title: str | None = None) -> Metric[Fact, int]:
        """Declare a sum over answers; for bools this is the number of true ones."""
        return self._add(name, of, _totals, title, str)

    def units(self, name: str, title: str | None = None) -> Metric[Fact, int]:
        """Declare the number of problems, or of other units of resampling."""
        return self._add(name, lambda fact: None, lambda columns: list(map(len, columns)), title, str)

    def tally(
        self, name: str, of: Callable[[Fact], Key | None], keys: Sequence[Key]
    ) -> Metric[Fact, Mapping[Key, int]]:
        """Declare the number of answers for each of `keys`, also for keys without an answer."""

        def count(units: Units) -> Mapping[Key, int]:
            found: Counter[Key] = Counter(key for unit in units for key in unit)
            return {key: found[key] for key in keys}

        return self.worked_out(name, of, count)

    def counted(
        self, name: str, of: Callable[[Fact], Mapping[Any, int]], keys: Sequence[Key]
    ) -> Metric[Fact, Mapping[Key, int]]:
        """Declare sums of the counts that `of` returns for an answer, for each of `keys`."""

        def count(units: Units) -> Mapping[Key, int]:
            found: Counter[Key] = Counter()
            for unit in units:
                for answer in unit:
                    found.update(answer)
            return {key: found[key] for key in keys}

        return self.worked_out(name, of, count)

    def worked_out(
        self,
        name: str,
        of: Callable[[Fact], Any],
        value: Callable[[Units], Value],
        title: str | None = None,
        show: Callable[[Value], str] = str,
    ) -> Metric[Fact, Value]:
        """Declare a figure that `value` computes from the values that all answers added; `show` formats it."""
        return self._add(name, of, lambda columns: list(map(value, columns)), title, show)

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
        """Declare figures of the parts that answers belong to, such as their tools.

        For each part of an answer, `of` yields the part's names, and an object that `metrics` measure. `heads` are the
        JSON keys of the names, and `order` sorts the parts. Intervals are over the problems with the part, or over all
        problems if `over_all` is true.
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
        return tuple([metric.of(fact) for metric in self._all])

    def of(self, metric: Metric[Fact, Any], added: Added) -> Any:
        """Return the value for `metric` out of `added`, the values that one answer adds to all metrics."""
        return added[self._all.index(metric)]

    def combine(self, units: Sequence[Sequence[Added]]) -> dict[str, Any]:
        """Return the figure of each metric from the values that answers added, grouped by problem."""
        alike: dict[Combine, list[int]] = {}
        for place, metric in enumerate(self._all):
            alike.setdefault(metric.combine, []).append(place)
        found: dict[int, Any] = {}
        for combine, places in alike.items():
            columns = [[[added[place] for added in unit] for unit in units] for place in places]
            found |= zip(places, combine(columns), strict=True)
        return {metric.name: found[place] for place, metric in enumerate(self._all)}

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
    """A `Part` has the figures of a part of a row's answers, such as the calls of one tool; `names` identifies it."""

    names: Mapping[str, str]
    figures: Mapping[str, Any]

    @property
    def name(self) -> str:
        return list(self.names.values())[-1]


def figures_json(figures: Mapping[str, Any]) -> dict[str, Any]:
    """Return figures as plain JSON values; a dot in a figure's name makes a nested object."""
    found: dict[str, Any] = {}
    for name, value in figures.items():
        *path, last = name.split(".")
        place = found
        for key in path:
            place = place.setdefault(key, {})
        place[last] = plain(value)
    return found


def plain(value: Any) -> Any:
    """Return a figure, or a structure that contains figures, as plain JSON values."""
    if isinstance(value, Part):
        return {**value.names, **figures_json(value.figures)}
    if isinstance(value, Mapping):
        return {key: plain(each) for key, each in value.items()}
    if isinstance(value, tuple):
        return tuple(map(plain, value))
    if isinstance(value, list):
        return [plain(each) for each in value]
    return asdict(value) if is_dataclass(value) and not isinstance(value, type) else value


def hits_of(value: bool | tuple[int, int] | None) -> tuple[int, int]:
    """Return the value that an answer adds to a share as a pair: the hits, and the largest possible number of hits."""
    if value is None:
        return 0, 0
    return value if isinstance(value, tuple) else (int(value), 1)


def shares(columns: Sequence[Units]) -> list[Rate]:
    """Return the share of hits in each column, with its interval; `hits_of` reads the values."""
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
