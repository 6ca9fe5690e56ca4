"""Figure 3's test (VERGE): does accuracy rise with every round, and in how many later rounds is it below `cot`'s?

The paper tells of 85.2% of trials and χ² = 26.7, and not what a trial is. 46 of 54 are 85.2%, their χ² against one half
is 26.74, and 54 are six data sets with nine rounds after the first. So a trial is one later round on one data set.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from math import fsum

from holdtrue_lab.figures.significance import against_half
from holdtrue_lab.kinds.claims.row import ClaimRow
from holdtrue_lab.kit.arm import Arm

BASELINE = "cot"


@dataclass(frozen=True, slots=True)
class Cliff:
    """One method over the data sets on which it went into a second round.

    `tau` is the mean of Kendall's tau between rounds and accuracy over the data sets that have one, `least` the lowest
    of these. Of `trials` so many have an accuracy `below` the baseline's on the same data set; `chi2` and `p` test that
    share against one half, None and 1 where there is no trial.
    """

    arm: Arm
    data_sets: int
    tau: float | None
    least: float | None
    below: int
    trials: int
    chi2: float | None
    p: float


def cliffs(rows: Sequence[ClaimRow]) -> tuple[Cliff, ...]:
    """Return a `Cliff` for each method whose rounds can be told, in the order of the rows."""
    level = {(row.arm, row.domain): row.accuracy.value for row in rows}
    parted = {row.arm for row in rows if row.domain is not None}
    # Of a single data set there is the row over all of them alone.
    own = [row for row in rows if row.domain is not None or row.arm not in parted]
    several = [row for row in own if len(row.convergence.rounds) > 1]
    arms = dict.fromkeys(row.arm for row in several)
    return tuple(_cliff(arm, [row for row in several if row.arm == arm], level) for arm in arms)


def _cliff(arm: Arm, rows: Iterable[ClaimRow], level: dict[tuple[Arm, str | None], float | None]) -> Cliff:
    rows = list(rows)
    taus = [row.convergence.accuracy.tau for row in rows if row.convergence.accuracy.tau is not None]
    trials = [
        round.accuracy.value < base
        for row in rows
        if (base := level.get((replace(arm, method=BASELINE), row.domain))) is not None
        for round in row.convergence.rounds[1:]
        if round.accuracy.value is not None
    ]
    chi2, p = against_half(sum(trials), len(trials))
    tau = fsum(taus) / len(taus) if taus else None
    return Cliff(arm, len(rows), tau, min(taus, default=None), sum(trials), len(trials), chi2, p)
