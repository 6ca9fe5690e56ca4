"""One verdict from several judges: the one that has the most confidence behind it (VERGE, section 3.4)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import fsum

from holdtrue.claim_record import SoftVerdict
from holdtrue.kinds.claims.prompts.judge import Judgement

# Sums of confidences that differ by less than this are equal: the order in which floats are added is no vote.
_DIGITS = 9


@dataclass(frozen=True, slots=True)
class Vote:
    """What the judges say together. `confidence` (0..1): the confidence behind the verdict, over all judges.

    `counts`: how many judges gave each verdict that was given, in the order of `SoftVerdict`.
    """

    verdict: SoftVerdict
    confidence: float
    counts: Mapping[SoftVerdict, int]


def vote(judgements: Iterable[Judgement]) -> Vote:
    """The verdict with the largest sum of confidences; uncertain, with confidence 0, on a tie or without any."""
    judgements = tuple(judgements)
    given = Counter(judgement.verdict for judgement in judgements)
    counts = {verdict: given[verdict] for verdict in SoftVerdict if given[verdict]}
    weights = {
        verdict: round(fsum(item.confidence for item in judgements if item.verdict is verdict), _DIGITS)
        for verdict in counts
    }
    heaviest = max(weights.values(), default=0.0)
    leading = [verdict for verdict, weight in weights.items() if weight == heaviest]
    if heaviest <= 0 or len(leading) > 1:
        return Vote(SoftVerdict.UNCERTAIN, 0.0, counts)
    return Vote(leading[0], heaviest / len(judgements), counts)
