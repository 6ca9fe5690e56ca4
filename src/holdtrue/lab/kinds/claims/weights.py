"""Sensitivity to the weight of a claim that only judges support (VERGE, table 4), without asking a model again.

The recorded rounds of each item are scored again with other weights. A weight does not change the claims of an answer
or the feedback about them; it changes only where the method stops and which answer it delivers. So the figures are
exact wherever the record goes on for as long as the method would have gone on.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from holdtrue.figures.statistics import clustered, means
from holdtrue.kinds.claims.acceptance import accepts, score_answer
from holdtrue.kinds.claims.method import ClaimMethod
from holdtrue.lab.kinds.claims.facts import Answered, ItemFacts
from holdtrue.lab.kinds.claims.row import Reweighed

SUPPORTED = (0.7, 0.8, 0.85, 0.9, 0.95, 1.0)


@dataclass(frozen=True, slots=True)
class Replayed:
    """A `Replayed` tells what one item comes to under another weight.

    `place` is the index from 0 of the round whose answer is delivered, `score` is the score of that answer, and
    `accepted` says whether the method accepts it. If `open`, the method would have gone on behind the last recorded
    round, so the result is not exact.
    """

    place: int
    score: float
    accepted: bool
    open: bool


def reweigh(items: Sequence[ItemFacts], method: ClaimMethod) -> tuple[Reweighed, ...]:
    """Return the figures of one report row, which is one method's items, at each of the weights `SUPPORTED`.

    All other settings are the method's own. Only items count that have a score and of which some answer was verified.
    The result is empty where there is no such item, and for a method that does not choose its answer by score.
    """
    played = [item.rounds for item in items if _verified(item)]
    if method.strategy != "verge" or not played:
        return ()
    own = [replay(rounds, method, method.check.weights.supported) for rounds in played]
    base = sum(_right(rounds, each) for rounds, each in zip(played, own, strict=True)) / len(played)
    found = []
    for weight in SUPPORTED:
        new = [replay(rounds, method, weight) for rounds in played]
        right = [_right(rounds, each) for rounds, each in zip(played, new, strict=True)]
        everything = [1] * len(played)
        accuracy, accepted = clustered([(right, everything), ([int(each.accepted) for each in new], everything)])
        [score] = means([[each.score for each in new]])
        found.append(
            Reweighed(
                weight=weight,
                accuracy=accuracy,
                change=sum(right) / len(played) - base,
                moved=sum(one.place != two.place for one, two in zip(own, new, strict=True)),
                accepted=accepted,
                score=score,
                open=sum(each.open for each in new),
                exact=not any(each.open for each in new),
            )
        )
    return tuple(found)


def replay(rounds: Sequence[Answered], method: ClaimMethod, supported: float) -> Replayed:
    """Go through the rounds of one item again with the weight `supported`, by the rules of `kinds.claims.loop`.

    An answer that was not verified has the score 0.
    """
    check = replace(method.check, weights=replace(method.check.weights, supported=supported))
    best, before = Replayed(0, 0.0, False, False), None
    for place, each in enumerate(rounds):
        checked = each.checked
        verdicts = () if checked is None else checked.verdicts
        score = score_answer(verdicts, check).score
        accepted = checked is not None and accepts(verdicts, score, check, together=checked.together)
        if place == 0 or (accepted, score) > (best.accepted, best.score):
            best = Replayed(place, score, accepted, False)
        stands = before is not None and method.converge is not None and abs(score - before) < method.converge
        if stands or (accepted and not method.patient):
            return best
        before = score
    return replace(best, open=len(rounds) < method.rounds)


def _verified(item: ItemFacts) -> bool:
    return item.score is not None and any(each.checked is not None for each in item.rounds)


def _right(rounds: Sequence[Answered], each: Replayed) -> int:
    return int(rounds[each.place].right or False)
