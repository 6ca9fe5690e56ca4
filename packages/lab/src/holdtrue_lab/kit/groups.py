"""This module groups the rows of a report by model, and gives models and methods unique names."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Generic, Protocol, TypeVar

from holdtrue_lab.figures.statistics import Rate
from holdtrue_lab.kit.arm import Arm
from holdtrue_lab.kit.metrics import figures_json
from holdtrue_lab.kit.pairs import OfArm


class MeasuredRow(OfArm, Protocol):
    """A row of a report: the figures of one method over one domain, or over all if `domain` is None.

    Kinds of answers that declare metrics use `FigureRow`. Other row classes may list properties in `JSON_PROPERTIES`,
    which their JSON then includes.
    """

    @property
    def domain(self) -> str | None: ...
    @property
    def finished(self) -> int: ...
    @property
    def title(self) -> str:
        """The name of the method in the report."""
        ...


@dataclass(frozen=True, slots=True)
class FigureRow:
    """The figures of one method over the problems that it has finished.

    If a metric is called with the row, it returns its figure. Of the `problems` that were begun, `failed` ended in an
    error. Reports rank methods by `accuracy`, and call the method `title`. `told` has further values for the JSON, such
    as whether the method had gold.
    """

    arm: Arm
    domain: str | None
    problems: int
    finished: int
    failed: int
    title: str
    accuracy: Rate
    figures: Mapping[str, Any]
    told: Mapping[str, Any] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """Return the row as plain JSON values; rates have their counts and intervals."""
        begun = {"problems": self.problems, "finished": self.finished, "failed": self.failed}
        return {"arm": asdict(self.arm), "domain": self.domain, **self.told, **begun, **figures_json(self.figures)}


Row = TypeVar("Row", bound=MeasuredRow)


def row_json(row: MeasuredRow) -> dict[str, Any]:
    """Return a row as plain JSON values; rates have their counts and intervals."""
    if isinstance(row, FigureRow):
        return row.to_json()
    return {**asdict(row), **{name: getattr(row, name) for name in getattr(row, "JSON_PROPERTIES", ())}}


@dataclass(frozen=True, slots=True)
class Group(Generic[Row]):
    """The rows of one model with one protocol and extractor; `label` names them in the report."""

    label: str
    rows: tuple[Row, ...]

    @property
    def whole(self) -> tuple[Row, ...]:
        """The rows over all domains, one for each method."""
        return tuple(row for row in self.rows if row.domain is None)


class Names:
    """A `Names` names the arms (a method with a model) of a report.

    A name has the model, and those of suite, protocol and extractor that vary. `runs` are folders with the arms that
    ran there. If two folders have the same arm, the folder is added to the model's name. `titles` maps arms to the
    report's names of their methods, if these differ from `arm.method`.
    """

    def __init__(self, runs: Iterable[tuple[Path, Iterable[Arm]]], titles: Mapping[Arm, str] | None = None) -> None:
        self._titles = titles or {}
        arms = [arm for _, ran in runs for arm in set(ran)]
        self._varying = [
            field for field in ("suite", "protocol", "extractor") if len({getattr(arm, field) for arm in arms}) > 1
        ]
        self._clashing = {self.model(arm) for arm, times in Counter(arms).items() if times > 1}

    def model(self, arm: Arm) -> str:
        """Return the name of an arm's model, such as `sim/forget:0.3`, or `sim/forget:0.3 (upstream, llm)`."""
        more = ", ".join(getattr(arm, field) for field in self._varying)
        return f"{arm.model} ({more})" if more else arm.model

    def model_in(self, folder: Path, arm: Arm) -> str:
        """Return the model's name, with the folder if another folder has the same arm."""
        name = self.model(arm)
        return f"{name} in {folder}" if name in self._clashing else name

    def method(self, arm: Arm) -> str:
        return self._titles.get(arm, arm.method)


def group(runs: Sequence[tuple[Path, Sequence[Row]]], names: Names) -> tuple[Group[Row], ...]:
    """Return the rows of all runs, grouped by the name of their model, in order of first appearance."""
    found: dict[str, list[Row]] = {}
    for folder, rows in runs:
        for row in rows:
            found.setdefault(names.model_in(folder, row.arm), []).append(row)
    return tuple(Group(label, tuple(rows)) for label, rows in found.items())
