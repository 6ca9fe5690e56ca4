"""A report in a few numbers for each model: what all kinds of answers have of that."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol, TypeVar

from holdtrue.figures.statistics import Rate
from holdtrue.lab.kit.groups import Group, MeasuredRow
from holdtrue.lab.kit.runs import Runs


class ScoredRow(MeasuredRow, Protocol):
    """A row with an accuracy."""

    @property
    def accuracy(self) -> Rate: ...


Scored = TypeVar("Scored", bound=ScoredRow)


@dataclass(frozen=True, slots=True)
class Figure:
    """One method's accuracy, in large letters, and what its wrong turns are, in small ones."""

    method: str
    accuracy: str
    wrong: str
    scored: str


@dataclass(frozen=True, slots=True)
class Headline:
    """The best method that no check helps, the best one that a check does, and what lies between."""

    model: str
    figures: tuple[Figure, ...]
    gain: str


def strongest_pair(report: Runs[Scored], group: Group[Scored]) -> tuple[Scored | None, Scored | None]:
    """The best baseline of a model, and the best other method that asks it; None where there is none."""
    baselines = report.baselines
    rows = [row for row in group.whole if row.accuracy.value is not None and row.arm.method not in report.controls]
    return _best(row for row in rows if row.arm in baselines), _best(row for row in rows if row.arm not in baselines)


def _best(rows: Iterable[Scored]) -> Scored | None:
    return max(rows, key=lambda row: row.accuracy.value or 0.0, default=None)
