"""The declaration of a kind's reports, from which all of them are read, tabled, drawn and written in one way."""

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
    """A kind's reports.

    Attributes:
        measure: Measures one run.
        report: The class of reports.
        compared: The figures of a row, beside accuracy, by which two runs are compared, by name. Those that plays have
            too are tested.
        contents: The tables of a report.
        package: The package whose `assets` have the template.
        template: The file name of the HTML page's template, which gets `drawings`, `conversations` and what all pages
            have.
        figure: Tells one row in the headline.
        rows: What was played, as flat rows for Parquet.
        gain: Says in the headline what the best other method adds to the best baseline.
        strongest: Returns for the headline the rows of a model's best baseline and of its best other method.
        drawings: The figures of the page, by name.
        conversations: Returns the turns of at most so many problems, those on which methods differ most.
        controls: Whether the rows of controls stand beside these two.
        predictions: Returns what a method did in the turns of these entries, as JSON objects in the form that a scorer
            of others reads; None if there is no such form.
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
        """Read and measure the runs of this suite in these folders; raises as `read_runs` does."""
        runs = read_runs(folders, self.measure, across_methods=self.report.ACROSS_METHODS)
        return self.report(suite=suite, runs=runs)

    def sections(self, report: Runs[Any]) -> list[tuple[str, list[Table]]]:
        """Return the tables that have a row, by section; where there were retries, the last one is about them."""
        found = [
            (title, with_lines(make(report) for make in makers)) for title, makers in self.contents(report).sections
        ]
        table = retries(report)
        return [*found, ("Retries", [table])] if table.lines else found

    def short_tables(self, report: Runs[Any]) -> list[Table]:
        """Return the tables that are shown without being asked for, the most important one first.

        That of retries is among them where some are identical, because then their number says little.
        """
        makers = (*self.contents(report).short, *((retries,) if any_identical(report) else ()))
        return with_lines(make(report) for make in makers)

    def folded(self, report: Runs[Any]) -> tuple[list[Table], list[tuple[str, list[Table]]]]:
        """Return the tables that stand open on the page, and all others by topic."""
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
