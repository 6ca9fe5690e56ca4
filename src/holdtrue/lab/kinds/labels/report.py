"""Several runs about queries, held against each other."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from holdtrue.figures.cells import MISSING
from holdtrue.lab.kinds.labels.beside import beside_consistency
from holdtrue.lab.kinds.labels.plays import compare_labels
from holdtrue.lab.kinds.labels.row import LabelRow
from holdtrue.lab.kinds.labels.run import LabelRun, read_label_run
from holdtrue.lab.kit.arm import Arm
from holdtrue.lab.kit.comparison import Comparison
from holdtrue.lab.kit.groups import Names, group
from holdtrue.lab.kit.runs import Runs
from holdtrue.lab.kit.variants import tell_apart


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelReport(Runs[LabelRow]):
    """Several runs side by side; `figures` compares them on each figure (`label_plays.FIGURES`).

    `modes` are how each method prompts, and what it does apart from that. `caution` is what consistency is
    worth without accuracy, and how controls score.
    """

    runs: tuple[LabelRun, ...]
    figures: Mapping[str, tuple[Comparison, ...]]
    modes: Mapping[Arm, tuple[str, str]]
    caution: str

    @property
    def remarks(self) -> tuple[str, ...]:
        return (self.caution,)

    def to_json(self) -> dict[str, Any]:
        """Everything, for programs."""
        return {
            "schema": 1,
            "suite": self.suite,
            "remarks": list(self.remarks),
            "runs": [run.to_json() for run in self.runs],
            "comparisons": {figure: [asdict(each) for each in found] for figure, found in self.figures.items()},
        }


def read_label_report(suite: str, folders: Sequence[Path]) -> LabelReport:
    """Read, measure and compare the runs of this suite in these folders; a folder that is named twice is read once.

    Raises what `read_label_run` and `tell_apart` raise.
    """
    runs = tell_apart([read_label_run(folder) for folder in dict.fromkeys(folders)])
    rows = [row for run in runs for row in run.rows]
    names = Names(
        ((run.folder, [row.arm for row in run.rows]) for run in runs), titles={row.arm: row.title for row in rows}
    )
    groups = group([(run.folder, run.rows) for run in runs], names)
    figures = compare_labels([run.compared() for run in runs])
    return LabelReport(
        suite=suite,
        runs=runs,
        names=names,
        groups=groups,
        figures=figures,
        modes={row.arm: _mode(row, run.settings) for run in runs for row in run.rows},
        caution=beside_consistency(groups),
        controls=_controls(rows),
    )


def _controls(rows: Iterable[LabelRow]) -> frozenset[str]:
    """The methods that never asked the model, whatever they are called."""
    return frozenset(row.arm.method for row in rows if row.overhead.calls.per_case.value == 0)


def _mode(row: LabelRow, settings: Mapping[str, Any]) -> tuple[str, str]:
    """Prompting mode and system: presets of a mode are named by both, others tell their frame in the settings."""
    name, oracle = row.arm.method, row.title.removeprefix(row.arm.method)
    own = settings.get("own_methods", {}).get(name)
    if own is not None:
        return str(own.get("frame", MISSING)), name + oracle
    if row.overhead.calls.per_case.value == 0:
        return MISSING, name + oracle
    return ("cot", name.removeprefix("cot_") + oracle) if name.startswith("cot_") else ("direct", name + oracle)
