"""Several runs, held against each other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from holdtrue.kinds.assignment.method import PRESETS
from holdtrue.lab.kinds.assignment.overlap import Overlap, overlaps
from holdtrue.lab.kinds.assignment.row import DriftRow
from holdtrue.lab.kinds.assignment.run import RunReport, read_run
from holdtrue.lab.kinds.assignment.structure import Structure, structures
from holdtrue.lab.kit.comparison import Comparison, compare
from holdtrue.lab.kit.groups import Names, group
from holdtrue.lab.kit.runs import Runs
from holdtrue.lab.kit.variants import tell_apart


@dataclass(frozen=True, slots=True, kw_only=True)
class Report(Runs[DriftRow]):
    """Several runs side by side, and what comes of holding them against each other; `comparisons` are of accuracy."""

    runs: tuple[RunReport, ...]
    comparisons: tuple[Comparison, ...]
    overlaps: tuple[Overlap, ...]
    structures: tuple[Structure, ...]

    def to_json(self) -> dict[str, Any]:
        """Everything, for programs."""
        return {
            "schema": 1,
            "suite": self.suite,
            "runs": [run.to_json() for run in self.runs],
            "comparisons": [asdict(each) for each in self.comparisons],
            "overlaps": [asdict(each) for each in self.overlaps],
            "structures": [asdict(each) for each in self.structures],
        }


def read_report(suite: str, folders: Sequence[Path]) -> Report:
    """Read, measure and compare the runs of this suite in these folders; a folder that is named twice is read once.

    Raises what `read_run` and `tell_apart` raise.
    """
    runs = tell_apart([read_run(folder) for folder in dict.fromkeys(folders)])
    names = Names((run.folder, [row.arm for row in run.rows]) for run in runs)
    plays = [run.plays for run in runs]
    return Report(
        suite=suite,
        runs=runs,
        names=names,
        groups=group([(run.folder, run.rows) for run in runs], names),
        comparisons=compare(plays),
        overlaps=overlaps(plays),
        structures=structures([run.shapes for run in runs]),
        controls=frozenset().union(*(_controls(run.settings) for run in runs)),
    )


def _controls(settings: Mapping[str, Any]) -> set[str]:
    """The methods that never ask the model: presets, and those that the run's settings declare."""
    answerers = {name: method.answerer for name, method in PRESETS.items()}
    own = settings.get("own_methods", {})
    answerers |= {name: method.get("answerer", "model") for name, method in own.items()}
    return {name for name, answerer in answerers.items() if answerer != "model"}
