"""What has to stand beside figures that say little alone: how those score who answer nothing, or anything."""

from __future__ import annotations

from collections.abc import Sequence

from holdtrue.figures.cells import divide, percent
from holdtrue.lab.kinds.search.row import SearchRow
from holdtrue.lab.kit.groups import Group

ALWAYS_UNSAT = "always_unsat"


RANDOM_IN_DOMAIN = "random_in_domain"


def beside_verified(groups: Sequence[Group[SearchRow]]) -> str:
    """The warning, and how the controls score: as they were played, else what the labels tell of `always_unsat`."""
    rows = [row for group in groups for row in group.whole if row.trials]
    played = {row.arm.method: row for row in rows}
    most = max(rows, key=lambda row: row.trials, default=None)
    scores = []
    for method in (ALWAYS_UNSAT, RANDOM_IN_DOMAIN):
        row = played.get(method)
        if row is not None:
            scores.append(f"{method} verifies {percent(row.verified.value)}% of its {row.trials} trials")
        elif method == ALWAYS_UNSAT and most is not None:
            share = percent(divide(most.claims.recall.of, most.trials))
            scores.append(f"{method}, not run here, would verify {share}% of the trials of {most.title}")
        else:
            scores.append(f"{method} was not run here")
    return (
        "A verified rate is worth what it adds to controls that never ask a model, and to asking as often without "
        f"feedback: {'; '.join(scores)}."
    )
