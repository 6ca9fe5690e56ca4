"""The report of runs about queries, with comparisons of methods."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

from holdtrue.record import Label
from holdtrue_lab.figures.cells import MISSING, divide, percent
from holdtrue_lab.kinds.labels.metrics import CONFUSION, FIGURES, QUERIES, SPENDS, simplest
from holdtrue_lab.kinds.labels.setup import is_dialogue
from holdtrue_lab.kit.arm import Arm
from holdtrue_lab.kit.comparison import Comparison, compare
from holdtrue_lab.kit.groups import FigureRow
from holdtrue_lab.kit.plays import ACCURACY, ArmPlays, Play
from holdtrue_lab.kit.runs import Runs

ALWAYS_UNKNOWN, ONE_MODEL = "always_unknown", "one_model"


_COT = "cot_"


def reference(arm: Arm) -> str:
    """Return the method that an arm is compared with.

    It is the suite's simplest method. But a revision policy is compared with no revision under the same prompt frame.
    """
    none = f"{_COT}none"
    if is_dialogue(arm.suite) and arm.method.startswith(_COT) and arm.method != none:
        return none
    return simplest(arm.suite)


def compare_labels(runs: Sequence[Sequence[ArmPlays[Play]]]) -> dict[str, tuple[Comparison, ...]]:
    """Compare, for each of `FIGURES`, every method with its `reference` and with the strongest other baseline.

    For accuracy, all other pairs follow. `Comparison.accuracy` holds the mean of the compared figure, even if that is
    not accuracy.
    """
    return {figure: compare(runs, reference, figure, every_pair=figure == ACCURACY) for figure in FIGURES}


@dataclass(frozen=True, kw_only=True)
class LabelReport(Runs[FigureRow]):
    """The report of several runs about queries, with paired tests of methods."""

    JSON_PROPERTIES: ClassVar[tuple[str, ...]] = ("comparisons",)

    @cached_property
    def comparisons(self) -> Mapping[str, tuple[Comparison, ...]]:
        """The paired tests of methods, for each of `FIGURES`."""
        return compare_labels(self.plays)

    @cached_property
    def modes(self) -> Mapping[Arm, tuple[str, str]]:
        """The names of each arm's prompt frame and system. The system is the treatment of the answers."""
        return {row.arm: _mode(row, run.settings) for run in self.runs for row in run.rows}

    @property
    def unit(self) -> str:
        return "dialogues" if is_dialogue(self.suite) else "cases"

    @cached_property
    def caution(self) -> str:
        """The warning that consistency says nothing without accuracy, with the scores of controls that were not run.

        These scores follow from the gold labels. `always_unknown` is right on every UNKNOWN. `one_model` takes its
        labels from one witness of the premises, and is right on all other labels.
        """
        warning = (
            "Consistency says nothing without accuracy: answering UNKNOWN throughout is always consistent, and so are "
            "labels read off any one situation that the premises allow."
        )
        played = {row.arm.method for row in self.rows if row.finished}
        most = max(self.rows, key=QUERIES, default=None)
        if most is None or not QUERIES(most):
            return warning
        queries, unknown = QUERIES(most), sum(CONFUSION(most)[Label.UNKNOWN].values())
        missing = [
            f"{method} has {percent(divide(right, queries))}% accuracy"
            for method, right in ((ALWAYS_UNKNOWN, unknown), (ONE_MODEL, queries - unknown))
            if method not in played
        ]
        if not missing:
            return warning
        return (
            f"{warning} Not run here, but known from the {queries} true labels of what {most.title} was asked: "
            f"{', '.join(missing)}, with 100.0% set consistency and revision cost 0.00."
        )


def _mode(row: FigureRow, settings: Mapping[str, Any]) -> tuple[str, str]:
    """Return the prompt frame and the system of a row's method.

    The name of a preset tells both. The frame of another method is in the settings.
    """
    name, oracle = row.arm.method, row.title.removeprefix(row.arm.method)
    own = settings.get("own_methods", {}).get(name)
    if own is not None:
        return str(own.get("frame", MISSING)), name + oracle
    if SPENDS["calls"](row).value == 0:
        return MISSING, name + oracle
    return ("cot", name.removeprefix(_COT) + oracle) if name.startswith(_COT) else ("direct", name + oracle)
