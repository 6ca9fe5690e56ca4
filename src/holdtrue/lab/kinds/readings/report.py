"""The report of runs of readings: their rows, and how readers compare."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

from holdtrue.figures.cells import percent, share
from holdtrue.lab.kinds.readings.method import RULES
from holdtrue.lab.kinds.readings.row import ReadingRow
from holdtrue.lab.kit.comparison import Comparison, compare
from holdtrue.lab.kit.runs import Runs


@dataclass(frozen=True, kw_only=True)
class ReadingReport(Runs[ReadingRow]):
    """Several runs of readings side by side; `comparisons` holds every reader against reading by code alone."""

    JSON_PROPERTIES: ClassVar[tuple[str, ...]] = ("comparisons",)

    @property
    def unit(self) -> str:
        units = dict.fromkeys("dialogues" if row.items is None else "messages" for row in self.rows)
        return " or ".join(units) or "dialogues"

    @cached_property
    def comparisons(self) -> tuple[Comparison, ...]:
        """Return the paired tests of messages after which the ledger is right, or that are exact."""
        return compare(self.plays, lambda arm: RULES, every_pair=True)

    @cached_property
    def caution(self) -> str:
        """The warning of what reading nothing comes to, and that gold is an oracle."""
        nothing = next((row for row in self.rows if row.arm.method == "nothing" and row.finished), None)
        told = ""
        if nothing is not None:
            right = "has the ledger right after" if nothing.items is None else "is exact for"
            told = f" A reader that reads nothing {right} {share(nothing.accuracy)} of messages."
        gold = any(row.arm.method == "gold" for row in self.rows)
        oracle = " Row gold is an oracle: it knows what each message settles." if gold else ""
        fitted = "dialogues of one dataset" if self.unit == "dialogues" else "few messages, and for few models"
        return f"The weights of probabilities were fitted on {fitted}.{told}{oracle}"


def say_row(row: ReadingRow) -> str:
    """Return the figures of a reader in a line."""
    if row.items is not None:
        return (
            f"exact {share(row.items.exact)} of messages, with what is in doubt {share(row.items.with_doubtful)}, "
            f"accepted wrong {share(row.items.wrong)}, calibration error {percent(row.calibration.error)} points"
        )
    return (
        f"precision {share(row.events.precision)}, recall {share(row.events.recall)}, ledger right after "
        f"{share(row.accuracy)} of messages, calibration error {percent(row.calibration.error)} points"
    )
