"""One run about queries, read and measured."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from holdtrue.lab.kinds.labels.measure import measure_labels
from holdtrue.lab.kinds.labels.row import LabelRow
from holdtrue.lab.kit.folder import Run, named, open_folder, planned, plays_asked_so, progress
from holdtrue.lab.kit.journal import read_entries
from holdtrue.lab.kit.plays import ArmPlays


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelRun(Run[LabelRow]):
    """What one run came to. `plays` are those of accuracy, `figures` those of every figure that is compared."""

    figures: Mapping[str, tuple[ArmPlays, ...]]

    def compared(self) -> dict[str, tuple[ArmPlays, ...]]:
        """`figures`, with how the model was asked in the model's name."""
        return {figure: plays_asked_so(plays, self.how) for figure, plays in self.figures.items()}

    def to_json(self) -> dict[str, Any]:
        """The run for programs: rates with counts and intervals, shares in 0..1."""
        return {**self.standing(), "rows": [row.to_json() for row in self.rows]}


def read_label_run(folder: Path) -> LabelRun:
    """Read and measure a run's folder, also of a run that is still going on; raises what `read_run` raises."""
    settings = open_folder(folder)
    measured = measure_labels(read_entries(folder))
    finished, failed = progress(folder, settings, measured.rows)
    return LabelRun(
        folder=folder,
        settings=settings,
        planned=planned(settings),
        finished=finished,
        failed=failed,
        rows=tuple(named(row, settings) for row in measured.rows),
        plays=measured.plays["accuracy"],
        figures=measured.plays,
    )
