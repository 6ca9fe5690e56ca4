"""The report of runs of decisions, with comparisons of methods."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import ClassVar
from zlib import crc32

from holdtrue_lab.figures.cells import share
from holdtrue_lab.kinds.decisions.method import GUARD
from holdtrue_lab.kinds.decisions.metrics import CAUGHT, LABELLED, LET_THROUGH, MISSED
from holdtrue_lab.kit.comparison import Comparison, compare
from holdtrue_lab.kit.groups import FigureRow
from holdtrue_lab.kit.plays import ArmPlays, Play, ProblemKey
from holdtrue_lab.kit.runs import Runs


@dataclass(frozen=True, kw_only=True)
class DecisionReport(Runs[FigureRow]):
    """The report of several runs of decisions. `comparisons` compares every method with the plain guard."""

    JSON_PROPERTIES: ClassVar[tuple[str, ...]] = ("comparisons",)

    @property
    def unit(self) -> str:
        return "tasks"

    @cached_property
    def comparisons(self) -> tuple[Comparison, ...]:
        """The paired tests of right decisions over tasks, where all trials of a task count as one problem."""
        return compare([[_by_task(arm) for arm in run] for run in self.plays], lambda arm: GUARD, every_pair=True)

    @cached_property
    def caution(self) -> str:
        """The warning to read help only together with harm, and the figures of the controls that were run."""
        played = {row.arm.method: row for row in self.rows if LABELLED(row) and row.arm.method in self.controls}
        scores = [
            f"{name} catches {share(CAUGHT(row))}, misses {share(MISSED(row))} and lets "
            f"{share(LET_THROUGH(row))} of the sound calls through"
            for name, row in played.items()
        ]
        told = f": {'; '.join(scores)}" if scores else ", and none was run here"
        return f"What a guard stops is worth nothing without what it lets through, as controls show{told}."


def _by_task(arm: ArmPlays[Play]) -> ArmPlays[Play]:
    """Return the arm with all trials of a task as one problem. A turn gets the same number under every arm."""
    tasks: dict[str, dict[ProblemKey, Play]] = {}
    for key, play in arm.plays.items():
        tasks.setdefault(play.unit, {})[key] = play
    return replace(arm, plays={(task, 0): _together(trials) for task, trials in sorted(tasks.items())})


def _together(trials: Mapping[ProblemKey, Play]) -> Play:
    right = {
        crc32(f"{problem} {said} {turn}".encode("utf-8", "surrogatepass")): is_right
        for (problem, said), trial in sorted(trials.items())
        for turn, is_right in trial.right.items()
    }
    first = next(iter(trials.values()))
    return replace(first, turns=sum(trial.turns for trial in trials.values()), right=right, figures={})
