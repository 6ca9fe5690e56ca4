"""The report of runs of readings, with comparisons of readers."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

from holdtrue_lab.figures.cells import percent, share
from holdtrue_lab.kinds.readings.metrics import CALIBRATION, EXACT, WITH_DOUBTFUL, WRONG
from holdtrue_lab.kinds.readings.problem import RULES
from holdtrue_lab.kit.comparison import Comparison, compare
from holdtrue_lab.kit.groups import FigureRow
from holdtrue_lab.kit.runs import Runs


@dataclass(frozen=True, kw_only=True)
class ReadingReport(Runs[FigureRow]):
    """The report of several runs of readings. `comparisons` compares every reader with reading by code alone."""

    JSON_PROPERTIES: ClassVar[tuple[str, ...]] = ("comparisons",)

    @property
    def unit(self) -> str:
        return "messages"

    @cached_property
    def comparisons(self) -> tuple[Comparison, ...]:
        """Return the paired tests of how many messages are read exactly."""
        return compare(self.plays, lambda arm: RULES, every_pair=True)

    @cached_property
    def caution(self) -> str:
        """Return the warning with the figure for reading nothing, which also says that gold is an oracle."""
        nothing = next((row for row in self.rows if row.arm.method == "nothing" and row.finished), None)
        told = (
            ""
            if nothing is None
            else f" A reader that reads nothing is exact for {share(nothing.accuracy)} of messages."
        )
        gold = any(row.arm.method == "gold" for row in self.rows)
        oracle = " Row gold is an oracle: it knows what each message commits to." if gold else ""
        return f"The weights of probabilities were fitted on few messages, and for few models.{told}{oracle}"


def say_row(row: FigureRow) -> str:
    """Return the figures of a reader in one line."""
    return (
        f"exact {share(EXACT(row))} of messages, with what is in doubt {share(WITH_DOUBTFUL(row))}, "
        f"accepted wrong {share(WRONG(row))}, calibration error {percent(CALIBRATION(row).error)} points"
    )
