"""What has to stand beside figures that say little alone: how those score who answer nothing, or anything."""

from __future__ import annotations

from collections.abc import Sequence

from holdtrue.figures.cells import decimal, divide, percent
from holdtrue.lab.kinds.claims.row import ClaimRow
from holdtrue.lab.kinds.labels.row import LabelRow
from holdtrue.lab.kinds.search.row import SearchRow
from holdtrue.lab.kit.groups import Group
from holdtrue.record import Label

ALWAYS_UNKNOWN, ONE_MODEL = "always_unknown", "one_model"
ALWAYS_UNSAT, RANDOM_IN_DOMAIN = "always_unsat", "random_in_domain"
RESTATE_PREMISES = "restate_premises"


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
