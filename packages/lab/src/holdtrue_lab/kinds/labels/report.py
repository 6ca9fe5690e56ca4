"""The report of runs about queries: their rows, and how methods compare."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

from holdtrue.record import Label
from holdtrue_lab.figures.cells import MISSING, divide, percent
from holdtrue_lab.kinds.labels.plays import compare_labels
from holdtrue_lab.kinds.labels.row import LabelRow
from holdtrue_lab.kinds.labels.setup import is_dialogue
from holdtrue_lab.kit.arm import Arm
from holdtrue_lab.kit.comparison import Comparison
from holdtrue_lab.kit.runs import Runs

ALWAYS_UNKNOWN, ONE_MODEL = "always_unknown", "one_model"


@dataclass(frozen=True, kw_only=True)
class LabelReport(Runs[LabelRow]):
    """Several runs about queries side by side, with paired tests of methods."""

    JSON_PROPERTIES: ClassVar[tuple[str, ...]] = ("comparisons",)

    @cached_property
    def comparisons(self) -> Mapping[str, tuple[Comparison, ...]]:
        """The paired tests of methods, for each of `plays.FIGURES`."""
        return compare_labels(self.plays)

    @cached_property
    def modes(self) -> Mapping[Arm, tuple[str, str]]:
        """For each arm the name of its prompt frame, and the name of what it does with the answers."""
        return {row.arm: _mode(row, run.settings) for run in self.runs for row in run.rows}

    @property
    def unit(self) -> str:
        return "dialogues" if is_dialogue(self.suite) else "cases"

    @cached_property
    def caution(self) -> str:
        """The warning that consistency says nothing without accuracy, and the scores of controls that were not run.

        These scores follow from the gold labels: `always_unknown` is right on every UNKNOWN, and `one_model`, which
        reads labels off one witness of the premises, on all others.
        """
        warning = (
            "Consistency says nothing without accuracy: answering UNKNOWN throughout is always consistent, and so are "
            "labels read off any one situation that the premises allow."
        )
        played = {row.arm.method for row in self.rows if row.finished}
        most = max(self.rows, key=lambda row: row.queries, default=None)
        if most is None or not most.queries:
            return warning
        unknown = sum(most.confusion[Label.UNKNOWN].values())
        missing = [
            f"{method} has {percent(divide(right, most.queries))}% accuracy"
            for method, right in ((ALWAYS_UNKNOWN, unknown), (ONE_MODEL, most.queries - unknown))
            if method not in played
        ]
        if not missing:
            return warning
        return (
            f"{warning} Not run here, but known from the {most.queries} true labels of what {most.title} was asked: "
            f"{', '.join(missing)}, with 100.0% set consistency and revision cost 0.00."
        )


def _mode(row: LabelRow, settings: Mapping[str, Any]) -> tuple[str, str]:
    """Prompting mode and system: presets of a mode are named by both, others tell their frame in the settings."""
    name, oracle = row.arm.method, row.title.removeprefix(row.arm.method)
    own = settings.get("own_methods", {}).get(name)
    if own is not None:
        return str(own.get("frame", MISSING)), name + oracle
    if row.overhead.calls.per_case.value == 0:
        return MISSING, name + oracle
    return ("cot", name.removeprefix("cot_") + oracle) if name.startswith("cot_") else ("direct", name + oracle)
