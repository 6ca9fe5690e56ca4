"""This module defines how a kind of answer declares its reports: their measurements, tables, drawings and files.

A *baseline* is a method without checks of its answers, and a *control* is a method that never calls the model.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from holdtrue_lab.figures.statistics import Estimate, Rate
from holdtrue_lab.figures.table import Table, with_lines
from holdtrue_lab.kit.cost_tables import any_identical, gain_in_words, retries
from holdtrue_lab.kit.flat import FlatRows
from holdtrue_lab.kit.folder import Measure
from holdtrue_lab.kit.groups import Group
from holdtrue_lab.kit.headline import Figure, Headline, strongest_pair
from holdtrue_lab.kit.runs import Runs, read_runs
from holdtrue_lab.kit.tables import Contents


@dataclass(frozen=True, slots=True, kw_only=True)
class Reporting:
    """A `Reporting` declares the reports of a kind of answer.

    Attributes:
        measure: Measures one run.
        report: The class of reports.
        compared: The figures of a row, besides accuracy, by which two runs are compared; figures in plays are tested.
        contents: The tables of a report.
        package: The package whose `assets` have the template.
        template: The file name of the HTML template, which gets `drawings`, `conversations` and common values.
        figure: Returns one row as a figure of the headline.
        rows: The flat rows for Parquet.
        gain: Returns the headline's words for the gain of the best other method over the best baseline.
        strongest: Returns the headline's rows: a model's best baseline and its best other method.
        drawings: Returns the drawings of the page, by name.
        conversations: Returns the turns of the problems on which methods differ most, for at most `number` problems.
        controls: Whether the headline also shows the controls.
        predictions: Returns the entries' answers in the JSON form of an external scorer; None if there is no such form.
    """

    measure: Measure[Any]
    contents: Callable[[Any], Contents]
    package: str
    template: str
    figure: Callable[[Any, Any], Figure]
    rows: FlatRows[Any]
    gain: Callable[[Any, Any, Any], str] = lambda report, best, base: ""
    strongest: Callable[[Any, Group[Any]], tuple[Any | None, Any | None]] = strongest_pair
    drawings: Callable[[Any], Mapping[str, Any]] = lambda report: {}
    compared: Mapping[str, Callable[[Any], Rate | Estimate]] = field(default_factory=dict)
    report: type[Runs[Any]] = Runs
    conversations: Callable[[Any, int], Sequence[Any]] = lambda report, number: ()
    controls: bool = True
    predictions: Callable[[Iterable[Any]], Iterable[Mapping[str, Any]]] | None = None

    def read(self, suite: str, folders: Sequence[Path]) -> Runs[Any]:
        """Read and measure the runs of this suite in these folders; raises the errors of `read_runs`."""
        runs = read_runs(folders, self.measure, across_methods=self.report.ACROSS_METHODS)
        return self.report(suite=suite, runs=runs)

    def sections(self, report: Runs[Any]) -> list[tuple[str, list[Table]]]:
        """Return the tables with at least one row, by section. If there were retries, a last section shows them."""
        found = [
            (title, with_lines(make(report) for make in makers)) for title, makers in self.contents(report).sections
        ]
        table = retries(report)
        return [*found, ("Retries", [table])] if table.lines else found

    def short_tables(self, report: Runs[Any]) -> list[Table]:
        """Return the tables that are shown by default, the most important one first.

        The table of retries is included if some retries are identical, because then the number of retries misleads.
        """
        makers = (*self.contents(report).short, *((retries,) if any_identical(report) else ()))
        return with_lines(make(report) for make in makers)

    def folded(self, report: Runs[Any]) -> tuple[list[Table], list[tuple[str, list[Table]]]]:
        """Return the tables that are open on the page, and all others by topic."""
        standing = [make.name for make in self.contents(report).short[1:]]
        open_tables: dict[str, Table] = {}
        topics = []
        for title, tables in self.sections(report):
            open_tables |= {table.name: table for table in tables if table.name in standing}
            topics.append((title, [table for table in tables if table.name not in standing]))
        return [open_tables[name] for name in standing if name in open_tables], [each for each in topics if each[1]]

    def headlines(self, report: Runs[Any]) -> list[Headline]:
        """Return a headline for each model."""
        return [self._headline(report, group) for group in report.groups]

    def _headline(self, report: Runs[Any], group: Group[Any]) -> Headline:
        base, best = self.strongest(report, group)
        played = [row for row in group.whole if row.arm.method in report.controls and row.finished]
        rows = [row for row in (base, best, *(played if self.controls else ())) if row is not None]
        gain = self.gain(report, best, base) if base is not None and best is not None else ""
        found = next((each for each in report.gains if best is not None and each.arm == best.arm), None)
        cost = gain_in_words(found, report.names.method(found.other)) if found is not None else ""
        return Headline(group.label, tuple(self.figure(report, row) for row in rows), gain, cost)
