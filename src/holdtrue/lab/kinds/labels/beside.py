"""What has to stand beside figures that say little alone: how those score who answer nothing, or anything."""

from __future__ import annotations

from collections.abc import Sequence

from holdtrue.figures.cells import divide, percent
from holdtrue.lab.kinds.labels.row import LabelRow
from holdtrue.lab.kit.groups import Group
from holdtrue.record import Label

ALWAYS_UNKNOWN = "always_unknown"


ONE_MODEL = "one_model"


def beside_consistency(groups: Sequence[Group[LabelRow]]) -> str:
    """The warning, and the scores of the controls that this report has no rows of.

    Both follow from the true labels: whoever reads labels off one witness of the premises is right about all that is
    entailed or contradicted, and wrong about all that is unknown.
    """
    told = (
        "Consistency says nothing without accuracy: answering UNKNOWN throughout is always consistent, and so are "
        "labels read off any one situation that the premises allow."
    )
    rows = [row for group in groups for row in group.whole]
    played = {row.arm.method for row in rows if row.finished}
    most = max(rows, key=lambda row: row.queries, default=None)
    unknown = None if most is None else sum(most.confusion[Label.UNKNOWN].values())
    if most is None or not most.queries or unknown is None:
        return told
    scores = {ALWAYS_UNKNOWN: unknown, ONE_MODEL: most.queries - unknown}
    missing = [
        f"{method} has {percent(divide(right, most.queries))}% accuracy"
        for method, right in scores.items()
        if method not in played
    ]
    if not missing:
        return told
    return (
        f"{told} Not run here, but known from the {most.queries} true labels of what {most.title} was asked: "
        f"{', '.join(missing)}, with 100.0% set consistency and revision cost 0.00."
    )
