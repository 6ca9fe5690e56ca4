"""The report of runs about claims: comparisons of methods, and remarks."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

from holdtrue_lab.figures.cells import decimal, percent
from holdtrue_lab.kinds.claims.comparison import Cliff, Perturbed, cliffs, compare_claims, perturbed
from holdtrue_lab.kinds.claims.measure import is_oracle
from holdtrue_lab.kinds.claims.metrics import ENTAILED, FRESH, SCORE, VERIFIED_ITEMS
from holdtrue_lab.kit.comparison import Comparison
from holdtrue_lab.kit.groups import FigureRow
from holdtrue_lab.kit.runs import Runs

RESTATE_PREMISES = "restate_premises"
_AGREEMENT = (
    "That samples, judges or models agree is no proof that they are right: what is misread once is often misread "
    "alike every time."
)
_ORACLE = (
    "Rows marked as oracle were given formulas or names that people wrote: they tell what checking is worth where "
    "nothing is misread, and are no result of a model alone."
)
_MEASURED_BY_GOLD = (
    "What methods without that mark have verified was measured with formulas or names that people wrote, and changed "
    "nothing that they did."
)
_PUBLISHED = (
    "Accepted as published, by the score, also with claims that are only possible or judged: {}. The default of "
    "holdtrue, verge_proved, accepts only what is proved."
)


@dataclass(frozen=True, kw_only=True)
class ClaimReport(Runs[FigureRow]):
    """The report of several runs about claims, with paired tests of methods, on original and on changed items."""

    JSON_PROPERTIES: ClassVar[tuple[str, ...]] = ("comparisons", "perturbed", "cliffs")

    @property
    def unit(self) -> str:
        return "questions"

    @cached_property
    def comparisons(self) -> tuple[Comparison, ...]:
        return compare_claims(self.plays)

    @cached_property
    def perturbed(self) -> tuple[Perturbed, ...]:
        return perturbed(self.plays)

    @cached_property
    def cliffs(self) -> tuple[Cliff, ...]:
        return cliffs(self.rows)

    @cached_property
    def caution(self) -> str:
        """Return the warning that a score and a share of verified claims say little without accuracy.

        The warning shows the score of the control `restate_premises`, which only repeats the context.
        """
        warning = (
            "A share of verified claims, or a score, says nothing without accuracy beside it: claims can all be proved "
            f"and miss the question. {RESTATE_PREMISES} says the context again and then the first option, whatever was "
            "asked: "
        )
        played = [
            (group.label, row)
            for group in self.groups
            for row in group.whole
            if row.arm.method == RESTATE_PREMISES and VERIFIED_ITEMS(row)
        ]
        if not played:
            return f"{warning}it can score high and says nothing. It was not run, or not verified, here."
        several = len(played) > 1
        return warning + "; ".join(_restated(row) + (f" ({label})" if several else "") for label, row in played) + "."

    @property
    def remarks(self) -> tuple[str, ...]:
        gold = [is_oracle(row) for row in self.rows if row.arm.extractor.startswith("gold")]
        judged = list(
            dict.fromkeys(row.arm.method for row in self.rows if VERIFIED_ITEMS(row) and row.told["accept"] == "judged")
        )
        published = (_PUBLISHED.format(", ".join(judged)), bool(judged))
        told = ((_ORACLE, any(gold)), (_MEASURED_BY_GOLD, not all(gold)), published)
        return (self.caution, _AGREEMENT, *(remark for remark, applies in told if applies))


def _restated(row: FigureRow) -> str:
    """Return the figures of the control in words."""
    return (
        f"accuracy {percent(row.accuracy.value)}%, score {decimal(SCORE(row).value)}, "
        f"{percent(ENTAILED(row).value)}% of its claims entailed, "
        f"{percent(FRESH(row).value)}% not already in the context"
    )
