"""Score what was read of a message against gold."""

from __future__ import annotations

from collections.abc import Sequence

from holdtrue.record import ReadingRecord
from holdtrue.world.instance import Constraint
from holdtrue_lab.kinds.readings.entry import Judged, ReadingScore
from holdtrue_lab.kinds.readings.problem import MessageItem
from holdtrue_lab.kinds.readings.teller import say_constraint


def score_reading(item: MessageItem, readings: Sequence[ReadingRecord]) -> ReadingScore:
    """Return the score of the readings of a message; a constraint that was read several times counts once.

    What the message takes back is counted and not judged, because gold says only what it commits to.
    """
    accepted, doubtful = _constraints(item, readings, "accepted"), _constraints(item, readings, "doubtful")
    doubtful = {made: confidence for made, confidence in doubtful.items() if made not in accepted}
    gold = set(item.gold)
    right = len(gold & accepted.keys())
    judged = (Judged(confidence, made in gold) for made, confidence in (accepted | doubtful).items())
    missed = (made for made in item.gold if made not in accepted and made not in doubtful)
    return ReadingScore(
        correct=accepted.keys() == gold,
        with_doubtful=accepted.keys() | doubtful.keys() == gold,
        right=right,
        wrong=len(accepted) - right,
        gold=len(gold),
        doubtful=len(doubtful),
        doubtful_right=len(gold & doubtful.keys()),
        missed=tuple(say_constraint(made.type, made.args) for made in missed),
        rejected=sum(own.status == "rejected" for own in readings),
        taken_back=sum(own.status == "accepted" and own.act == "withdraws" for own in readings),
        judged=tuple(judged),
        kind=item.kind,
        style=item.style,
        family=item.family,
    )


def _constraints(item: MessageItem, readings: Sequence[ReadingRecord], status: str) -> dict[Constraint, float]:
    """Return the constraints that the message was read to commit to, with the confidence of the surest reading."""
    found: dict[Constraint, float] = {}
    for own in readings:
        if own.status == status and own.act != "withdraws" and own.type is not None:
            made = item.instance.canonical(Constraint(own.type, own.args))
            found[made] = max(own.confidence, found.get(made, 0.0))
    return found
