"""One run's folder, read and measured."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from holdtrue.errors import RecordError
from holdtrue.evaluation.entry import TurnEntry
from holdtrue.evaluation.journal import JOURNAL_FILE, read_entries
from holdtrue.evaluation.metrics.drift import arm_of
from holdtrue.evaluation.metrics.drift_row import Arm, DriftRow
from holdtrue.evaluation.metrics.plays import ArmPlays, Asked
from holdtrue.evaluation.metrics.run import measure_run
from holdtrue.evaluation.metrics.structure import Shape
from holdtrue.evaluation.settings import read_settings


@dataclass(frozen=True, slots=True)
class RunReport:
    """What one run came to. `planned` and `finished` count conversations (a problem under a method).

    `how`: how its model was asked, where that is part of the model's name in a report of several runs.
    """

    folder: Path
    settings: Mapping[str, Any]
    planned: int | None
    finished: int
    failed: int
    rows: tuple[DriftRow, ...]
    plays: tuple[ArmPlays, ...]
    shapes: Mapping[Asked, Shape]
    how: str = ""

    def arm(self, entry: TurnEntry) -> Arm:
        """What the entry's turn was played by, named as in the rows."""
        return _asked_so(arm_of(entry), self.how)

    def asked_so(self, how: str) -> RunReport:
        """The run with how its model was asked in the model's name."""
        return replace(
            self,
            rows=tuple(replace(row, arm=_asked_so(row.arm, how)) for row in self.rows),
            plays=tuple(replace(each, arm=_asked_so(each.arm, how)) for each in self.plays),
            how=how,
        )

    @property
    def complete(self) -> bool:
        return self.planned is not None and self.finished >= self.planned

    def to_json(self) -> dict[str, Any]:
        """The run for programs: rates with counts and intervals, shares in 0..1."""
        return {
            "folder": str(self.folder),
            "complete": self.complete,
            "planned": self.planned,
            "finished": self.finished,
            "failed": self.failed,
            "settings": dict(self.settings),
            "rows": [{**asdict(row), "oracle": row.arm.oracle} for row in self.rows],
        }


def read_run(folder: Path) -> RunReport:
    """Read and measure a run's folder, also of a run that is still going on.

    Raises `RecordError` where the folder is missing, is no run's, or holds no turn yet.
    """
    if not folder.is_dir():
        raise RecordError(f"{folder}: there is no such folder")
    if not (folder / JOURNAL_FILE).exists():
        raise RecordError(f"{folder}: no run lies here ({JOURNAL_FILE} is missing)")
    settings = read_settings(folder) or {}
    measured = measure_run(read_entries(folder))
    if not measured.rows:
        raise RecordError(f"{folder}: the run has not finished a single turn yet")
    whole = [row for row in measured.rows if row.domain is None]
    return RunReport(
        folder=folder,
        settings=settings,
        planned=_planned(settings),
        finished=sum(row.finished for row in whole if row.arm.method in settings.get("methods", ())),
        failed=sum(row.failed for row in whole),
        rows=tuple(_named(row, settings) for row in measured.rows),
        plays=measured.plays,
        shapes=measured.shapes,
    )


def _planned(settings: Mapping[str, Any]) -> int | None:
    problems, limit, methods = settings.get("problems"), settings.get("limit"), settings.get("methods")
    if not isinstance(problems, int) or not isinstance(methods, list):
        return None
    return (problems if limit is None else min(limit, problems)) * len(methods)


def _named(row: DriftRow, settings: Mapping[str, Any]) -> DriftRow:
    """The row with the settings' names where a method failed before any turn could say what it ran with."""
    if row.arm.model:
        return row
    names = {key: str(settings.get(key, "")) for key in ("model", "protocol", "extractor")}
    return replace(row, arm=replace(row.arm, **names))


def _asked_so(arm: Arm, how: str) -> Arm:
    return replace(arm, model=f"{arm.model}, {how}") if how else arm
