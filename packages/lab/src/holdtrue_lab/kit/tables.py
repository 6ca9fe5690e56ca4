"""This module declares report tables: the objects of their rows, and a function for the cells of each column."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

from holdtrue_lab.figures.cells import MISSING, in_interval, p_value, paired_interval, percent, points, rate_in_interval
from holdtrue_lab.figures.significance import Paired
from holdtrue_lab.figures.statistics import Estimate, Rate
from holdtrue_lab.figures.table import MODEL, Column, Table, make_table
from holdtrue_lab.kit.comparison import Comparison
from holdtrue_lab.kit.metrics import Figured, Metric, Part
from holdtrue_lab.kit.pairs import FAMILY
from holdtrue_lab.kit.runs import Runs

Item = TypeVar("Item")
Cells = Mapping[Column, Callable[[Item], str]]
"""The columns of a table, each with a function that returns its cell for a row's object."""

METHOD = Column("method", words=True)
DOMAIN = Column("do\u00admain", words=True)
AGAINST = Column("against", words=True)


class Tabled(Protocol):
    """A `Tabled` is a report that tables are made of.

    `caution` warns the reader of the figures. `unit` is the word for the units that the bootstrap resamples. `priced`
    names the file of prices.
    """

    @property
    def caution(self) -> str: ...
    @property
    def unit(self) -> str: ...
    @property
    def priced(self) -> str: ...


@dataclass(frozen=True)
class Lines(Generic[Item]):
    """A `Lines` finds the rows of a table.

    For each row, `find` yields the names that stand in the columns `heads`, and the object of all other cells.
    """

    heads: tuple[Column, ...]
    find: Callable[[Any], Iterable[tuple[Sequence[str], Item]]]


@dataclass(frozen=True, eq=False)
class ReportTable(Generic[Item]):
    """A `ReportTable` declares a table; calling it with a report returns the `Table`.

    In `note` and `more`, `{caution}` is replaced by the report's caution, and `{prices}` by its words about prices.
    `cells` may be a function from a report to cells. `over` names the units that the bootstrap resamples if they are
    not the report's `unit`.
    """

    name: str
    title: str
    note: str
    lines: Lines[Item]
    cells: Cells[Item] | Callable[[Any], Cells[Item]]
    more: str = ""
    over: str = ""

    def __call__(self, report: Tabled) -> Table:
        cells = self.cells(report) if callable(self.cells) else self.cells
        lines = [(*names, *(read(item) for read in cells.values())) for names, item in self.lines.find(report)]
        told = {"{caution}": report.caution, "{prices}": report.priced}
        note, more = (_fill(text, told) for text in (self.note, self.more))
        columns, over = [*self.lines.heads, *cells], self.over or report.unit
        return make_table(self.name, self.title, note, columns, lines, more, over)


def _fill(text: str, told: Mapping[str, str]) -> str:
    for place, words in told.items():
        text = text.replace(place, words)
    return text.strip()


@dataclass(frozen=True, slots=True)
class Contents:
    """A `Contents` holds the tables of a report.

    `sections` has all tables by topic. `short` has the few tables that are shown by default: the most important table,
    then those about failures and costs. On the page, the headline replaces the first of them, and the others are open.
    """

    sections: Sequence[tuple[str, Sequence[ReportTable[Any]]]]
    short: Sequence[ReportTable[Any]]


class Columns(Generic[Item]):
    """A `Columns` makes columns for rows whose objects have one type."""

    def alone(self, title: str, read: Callable[[Item], Rate | Estimate]) -> Cells[Item]:
        """Return a column with a share in percent."""
        return {Column(f"{title} %"): lambda item: percent(read(item).value)}

    def share(self, title: str, read: Callable[[Item], Rate | Estimate]) -> Cells[Item]:
        """Return a column with a share in percent and its interval."""
        return {Column(f"{title} %"): lambda item: rate_in_interval(read(item))}

    def number(self, title: str, read: Callable[[Item], Estimate], form: str = ".2f") -> Cells[Item]:
        """Return a column with a figure that is no share, formatted by `form`, and its interval."""
        return {Column(title): lambda item: in_interval(read(item), lambda value: _formatted(value, form))}

    def count(self, title: str, read: Callable[[Item], int], *, optional: bool = False) -> Cells[Item]:
        """Return a column with a whole number."""
        return {Column(title, optional=optional): lambda item: str(read(item))}

    def difference(self, read: Callable[[Item], Paired]) -> Cells[Item]:
        """Return a column with a paired difference in percentage points and its interval."""
        return {Column("differ\u00adence, pp"): lambda item: paired_points(read(item))}


def columns(*metrics: Metric[Any, Any]) -> Cells[Figured]:
    """Return the columns of these metrics, for rows and for the parts of rows."""
    return {metric.column: _cell(metric) for metric in metrics}


def alone(*metrics: Metric[Any, Rate]) -> Cells[Figured]:
    """Return the columns of these shares without their intervals."""
    return {metric.column: _value(metric) for metric in metrics}


def _value(metric: Metric[Any, Rate]) -> Callable[[Figured], str]:
    return lambda row: percent(metric(row).value)


def _cell(metric: Metric[Any, Any]) -> Callable[[Figured], str]:
    return lambda row: metric.show(metric(row))


def paired_points(paired: Paired) -> str:
    """Return a paired difference in percentage points and its interval: `+2.0 [+0.3, +3.7]`."""
    return f"{points(paired.difference)} {paired_interval(paired)}"


def written(estimate: Estimate, form: str) -> str:
    return _formatted(estimate.value, form)


def _formatted(value: float | None, form: str) -> str:
    return MISSING if value is None else format(value, form)


def _by_method(report: Runs[Any]) -> Iterator[tuple[Sequence[str], Any]]:
    for group in report.groups:
        for row in group.whole:
            yield (group.label, report.names.method(row.arm)), row


def _by_domain(report: Runs[Any]) -> Iterator[tuple[Sequence[str], Any]]:
    for group in report.groups:
        for row in group.rows:
            if row.domain is not None:
                yield (group.label, report.names.method(row.arm), row.domain), row


BY_METHOD = Lines[Any]((MODEL, METHOD), _by_method)
"""A row for each method of each model; its object is a `MeasuredRow`."""
BY_DOMAIN = Lines[Any]((MODEL, METHOD, DOMAIN), _by_domain)
"""A row for each method of each model in each domain."""


def by_part(head: str, parts: Callable[[Any], Iterable[tuple[str, Item]]]) -> Lines[Item]:
    """Return rows for the parts of each method's measurements; `head` is the title of the column with their names."""

    def find(report: Runs[Any]) -> Iterator[tuple[Sequence[str], Item]]:
        return (((*names, name), part) for names, row in _by_method(report) for name, part in parts(row))

    return Lines((MODEL, METHOD, Column(head, words=True)), find)


def by_parts(head: str, metric: Metric[Any, tuple[Part, ...]]) -> Lines[Part]:
    """Return rows for the parts in a metric of each method; `head` is the title of the column with their names."""
    return by_part(head, lambda row: ((part.name, part) for part in metric(row)))


def by_pair(found: Callable[[Any], Iterable[Item]]) -> Lines[Item]:
    """Return rows for the comparisons of two methods that `found` returns for a report."""

    def find(report: Runs[Any]) -> Iterator[tuple[Sequence[str], Item]]:
        each: Any
        for each in found(report):
            names = report.names
            yield (names.model(each.arm), names.method(each.arm), names.method(each.other)), each

    return Lines((MODEL, METHOD, AGAINST), find)


def pair_columns(over: str = "prob\u00adlems", *, q: bool = False, titled: str = "Holm") -> Cells[Any]:
    """Return the columns of a paired test: difference, p, Holm's p, q if `q` is true, and problems.

    `over` is the title of the column with the number of problems, and `titled` that of Holm's p.
    """
    return {
        **Columns[Any]().difference(lambda each: each.paired),
        Column("p"): lambda each: p_value(each.paired.p),
        Column(titled): lambda each: p_value(each.holm),
        **({Column("q"): lambda each: p_value(each.q)} if q else {}),
        Column(over): lambda each: str(each.paired.problems),
    }


ALONE_COLUMNS: Cells[Any] = {
    Column("method alone"): lambda each: str(each.solved.only_arm),
    Column("other alone"): lambda each: str(each.solved.only_other),
    Column("Mc\u00adNemar p"): lambda each: p_value(each.solved.p),
    Column("Holm"): lambda each: p_value(each.solved.holm),
}
"""The columns of a comparison about the problems that only one of the methods has solved."""


def every_pair(found: Callable[[Any], Iterable[Comparison]]) -> ReportTable[Comparison]:
    """Return the table of the comparisons of every pair of methods, which `found` returns for a report."""
    return ReportTable[Comparison](
        "every_pair",
        "Every pair of methods",
        "Difference of accuracies over the problems that both have finished, each counting once, in percentage points, "
        f"with the p-value of flipping signs. {FAMILY}",
        by_pair(found),
        pair_columns(),
    )
