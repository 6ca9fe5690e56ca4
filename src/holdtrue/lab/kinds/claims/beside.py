"""What has to stand beside figures that say little alone: how those score who answer nothing, or anything."""

from __future__ import annotations

from collections.abc import Sequence

from holdtrue.figures.cells import decimal, percent
from holdtrue.lab.kinds.claims.row import ClaimRow
from holdtrue.lab.kit.groups import Group

RESTATE_PREMISES = "restate_premises"


def beside_claims(groups: Sequence[Group[ClaimRow]]) -> str:
    """The warning, and how the control scores that says the premises again, for each model that has it."""
    told = (
        "A share of verified claims, or a score, says nothing without accuracy beside it: claims can all be proved and "
        f"miss the question. {RESTATE_PREMISES} says the context again and then the first option, whatever was asked: "
    )
    played = [
        (group.label, row)
        for group in groups
        for row in group.whole
        if row.arm.method == RESTATE_PREMISES and row.verified
    ]
    if not played:
        return f"{told}it can score high and says nothing. It was not run, or not verified, here."
    several = len(played) > 1
    return told + "; ".join(_restated(row) + (f" ({label})" if several else "") for label, row in played) + "."


def _restated(row: ClaimRow) -> str:
    """Its accuracy comes with its score."""
    return (
        f"accuracy {percent(row.accuracy.value)}%, score {decimal(row.score.value)}, "
        f"{percent(row.verdicts.entailed.value)}% of its claims entailed, "
        f"{percent(row.verdicts.fresh.value)}% not already in the context"
    )
