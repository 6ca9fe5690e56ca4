"""Which rows of a report belong together, and what they are called."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Generic, Protocol, TypeVar

from holdtrue.lab.kit.arm import Arm
from holdtrue.lab.kit.pairs import OfArm


class MeasuredRow(OfArm, Protocol):
    """What a kind's measuring gives for one method, over one domain or over all of them (`domain` is None).

    A row may name, as `TOLD`, properties that programs are told beside its fields.
    """

    @property
    def domain(self) -> str | None: ...
    @property
    def finished(self) -> int: ...
    @property
    def title(self) -> str:
        """What its method is called."""
        ...


Row = TypeVar("Row", bound=MeasuredRow)


def row_json(row: MeasuredRow) -> dict[str, Any]:
    """The row for programs: rates with counts and intervals."""
    return {**asdict(row), **{name: getattr(row, name) for name in getattr(row, "TOLD", ())}}


@dataclass(frozen=True, slots=True)
class Group(Generic[Row]):
    """The rows of one model (and protocol and extractor); methods as the plan of its run names them."""

    label: str
    rows: tuple[Row, ...]

    @property
    def whole(self) -> tuple[Row, ...]:
        """Each method over all domains."""
        return tuple(row for row in self.rows if row.domain is None)


class Names:
    """What arms are called: by model, and by protocol and extractor where a report has several of those.

    `runs` are folders with the arms that ran there. Where two folders have the same arm, models are named with
    their folder too, as far as a row is one folder's. `titles` are what methods are called where that does not follow
    from their arms.
    """

    def __init__(self, runs: Iterable[tuple[Path, Iterable[Arm]]], titles: Mapping[Arm, str] | None = None) -> None:
        self._titles = titles or {}
        arms = [arm for _, ran in runs for arm in set(ran)]
        self._varying = [
            field for field in ("suite", "protocol", "extractor") if len({getattr(arm, field) for arm in arms}) > 1
        ]
        self._clashing = {self.model(arm) for arm, times in Counter(arms).items() if times > 1}

    def model(self, arm: Arm) -> str:
        """Such as `sim/forget:0.3`, or `sim/forget:0.3 (upstream, llm)`."""
        more = ", ".join(getattr(arm, field) for field in self._varying)
        return f"{arm.model} ({more})" if more else arm.model

    def model_in(self, folder: Path, arm: Arm) -> str:
        """The same, with the folder where that is needed to tell rows apart."""
        name = self.model(arm)
        return f"{name} in {folder}" if name in self._clashing else name

    def method(self, arm: Arm) -> str:
        """What the arm's method is called."""
        return self._titles.get(arm, method_title(arm))


def method_title(arm: Arm) -> str:
    """The method; rows that were given the gold constraints are titled 'oracle'."""
    return f"oracle: {arm.method}" if arm.oracle else arm.method


def group(runs: Sequence[tuple[Path, Sequence[Row]]], names: Names) -> tuple[Group[Row], ...]:
    """The rows of all runs by what their model is called, in order of first appearance."""
    found: dict[str, list[Row]] = {}
    for folder, rows in runs:
        for row in rows:
            found.setdefault(names.model_in(folder, row.arm), []).append(row)
    return tuple(Group(label, tuple(rows)) for label, rows in found.items())
