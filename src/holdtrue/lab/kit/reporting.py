"""What a kind of answer says of its reports, so that all of them are read, tabled, drawn and written in one way."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from holdtrue.figures.table import Table, with_lines
from holdtrue.lab.kit.flat import FlatRows
from holdtrue.lab.kit.groups import Group
from holdtrue.lab.kit.headline import Figure, Headline, strongest_pair
from holdtrue.lab.kit.runs import Runs
from holdtrue.lab.kit.tables import Contents


@dataclass(frozen=True, slots=True, kw_only=True)
class Reporting:
    """A kind's reports.

    `read` reads, measures and compares the runs of a suite in some folders, and `contents` are a report's tables.
    The page is made from the `template` in the `assets` of `package`, which is filled with what all pages have, and
    with `drawings` and what else a kind adds there by name. `conversations` are the turns of at most so many problems,
    the most telling ones. In the headline, `strongest` are the rows of the best baseline and of the best other method,
    `figure` tells one of them, and `gain` what the second adds to the first; the rows of `controls` stand beside them.
    `rows` are what was played, as flat rows.
    """

    read: Callable[[str, Sequence[Path]], Runs[Any]]
    contents: Callable[[Any], Contents]
    package: str
    template: str
    figure: Callable[[Any, Any], Figure]
    rows: FlatRows[Any]
    gain: Callable[[Any, Any, Any], str] = lambda report, best, base: ""
    strongest: Callable[[Any, Group[Any]], tuple[Any | None, Any | None]] = strongest_pair
    drawings: Callable[[Any], Mapping[str, Any]] = lambda report: {}
    conversations: Callable[[Any, int], Sequence[Any]] = lambda report, number: ()
    controls: bool = True

    def sections(self, report: Runs[Any]) -> list[tuple[str, list[Table]]]:
        """Every table that has a line, by section."""
        return [
            (title, with_lines(make(report) for make in makers)) for title, makers in self.contents(report).sections
        ]

    def short_tables(self, report: Runs[Any]) -> list[Table]:
        """Those that a terminal shows, the most important one first."""
        return with_lines(make(report) for make in self.contents(report).short)

    def headlines(self, report: Runs[Any]) -> list[Headline]:
        """One for each model."""
        return [self._headline(report, group) for group in report.groups]

    def _headline(self, report: Runs[Any], group: Group[Any]) -> Headline:
        base, best = self.strongest(report, group)
        played = [row for row in group.whole if row.arm.method in report.controls and row.finished]
        rows = [row for row in (base, best, *(played if self.controls else ())) if row is not None]
        gain = self.gain(report, best, base) if base is not None and best is not None else ""
        return Headline(group.label, tuple(self.figure(report, row) for row in rows), gain)
