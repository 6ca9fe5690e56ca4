"""Group the rows of a report by model, and name models and methods so that no two rows are confused."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Generic, Protocol, TypeVar

from holdtrue_lab.figures.statistics import Rate
from holdtrue_lab.kit.arm import Arm
from holdtrue_lab.kit.metrics import figures_json
from holdtrue_lab.kit.pairs import OfArm


class MeasuredRow(OfArm, Protocol):
    """A row of a report: the figures of one method, over one domain or over all of them (`domain` is None).

    Where a kind of answers declares its figures as metrics, rows are `FigureRow`s. Another has a row class of its own,
    whose `JSON_PROPERTIES` may name properties that go into the JSON beside the fields.
    """

    @property
    def domain(self) -> str | None: ...
    @property
    def finished(self) -> int: ...
    @property
    def title(self) -> str:
        """The name of its method in the report."""
        ...


@dataclass(frozen=True, slots=True)
class FigureRow:
    """One method over all problems that it has finished; a metric that is called with the row returns its figure.

    Of the problems, `problems` were begun, and `failed` of them ended in an error. `accuracy` is the share by which
    methods are ranked, and `title` the name of the method in the report.
    """

    arm: Arm
    domain: str | None
    problems: int
    finished: int
    failed: int
    title: str
    accuracy: Rate
    figures: Mapping[str, Any]

    def to_json(self) -> dict[str, Any]:
        """Return the row as plain JSON values; rates have their counts and intervals."""
        begun = {"problems": self.problems, "finished": self.finished, "failed": self.failed}
        return {"arm": asdict(self.arm), "domain": self.domain, **begun, **figures_json(self.figures)}


Row = TypeVar("Row", bound=MeasuredRow)


def row_json(row: MeasuredRow) -> dict[str, Any]:
    """Return a row as plain JSON values; rates have their counts and intervals."""
    if isinstance(row, FigureRow):
        return row.to_json()
    return {**asdict(row), **{name: getattr(row, name) for name in getattr(row, "JSON_PROPERTIES", ())}}


@dataclass(frozen=True, slots=True)
class Group(Generic[Row]):
    """The rows of one model (and protocol and extractor); methods as the plan of its run names them."""

    label: str
    rows: tuple[Row, ...]

    @property
    def whole(self) -> tuple[Row, ...]:
        """The rows over all domains, one for each method."""
        return tuple(row for row in self.rows if row.domain is None)


class Names:
    """The names of arms in a report: the model, with protocol and extractor if a report has several of these.

    `runs` are folders with the arms that ran there. If two folders have the same arm, the names of models also have the
    folder, unless a row is about both. `titles` are the names of methods that do not follow from their arms.
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
        """Return the same name, with the folder if rows cannot be told apart without it."""
        name = self.model(arm)
        return f"{name} in {folder}" if name in self._clashing else name

    def method(self, arm: Arm) -> str:
        """Return the name of an arm's method."""
        return self._titles.get(arm, arm.method)


def group(runs: Sequence[tuple[Path, Sequence[Row]]], names: Names) -> tuple[Group[Row], ...]:
    """Group the rows of all runs by the name of their model, in order of first appearance."""
    found: dict[str, list[Row]] = {}
    for folder, rows in runs:
        for row in rows:
            found.setdefault(names.model_in(folder, row.arm), []).append(row)
    return tuple(Group(label, tuple(rows)) for label, rows in found.items())
