"""Work out how accuracy would change with fewer rounds, from the answers that were recorded in each round."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate

from holdtrue.figures.statistics import Column, clustered, means
from holdtrue.figures.trend import Trend, kendall
from holdtrue.lab.kinds.claims.facts import Answered, ItemFacts
from holdtrue.lab.kinds.claims.row import Convergence, Round


def kept(rounds: Sequence[Answered]) -> Iterator[Answered]:
    """Yield for each round the answer that would be delivered if it were the last round.

    That is the accepted answer, or else the first of those with the best score; while nothing was verified, it is the
    latest answer.
    """
    return accumulate(rounds, _better)


def convergence_of(items: Sequence[ItemFacts]) -> Convergence:
    """The rounds of these items, as many as any of them has played."""
    played = [item.rounds for item in items if item.rounds and item.rounds[0].right is not None]
    last = max(map(len, played), default=0)
    stood = [_stretched(list(kept(rounds)), last) for rounds in played]
    accuracy = [([int(each[n].right or False) for each in stood], [1] * len(stood)) for n in range(last)]
    said = [_said(played, n) for n in range(last)]
    ends = [(each[0].right, each[-1].right) for each in stood]
    fell = [int(bool(first) and not end) for first, end in ends], [1] * len(ends)
    rose = [int(bool(end) and not first) for first, end in ends], [1] * len(ends)
    *rates, fallen, risen = clustered([*accuracy, *said, fell, rose])
    scores = [[_score(each[n]) for each in stood] for n in range(last)]
    *estimates, rounds = means([*scores, [len(each) for each in played]])
    found = tuple(Round(n + 1, rates[n], estimates[n], rates[last + n]) for n in range(last))
    return Convergence(
        rounds=found,
        accuracy=_trend([each.accuracy.value for each in found]),
        # Means over other items in each round are no trend: methods that verify only their last answer have these.
        score=_trend([each.score.value for each in found] if len({each.score.of for each in found}) == 1 else ()),
        said=_trend([each.said.value for each in found]),
        fell=fallen,
        rose=risen,
        played=rounds,
    )


def _better(best: Answered, new: Answered) -> Answered:
    if best.checked is None:
        return new
    if new.checked is None:
        return best
    one, two = best.checked, new.checked
    return new if (two.accepted, two.score) > (one.accepted, one.score) else best


def _stretched(answers: list[Answered], last: int) -> list[Answered]:
    """Return the answers for rounds up to `last`; an item that stopped earlier keeps its last one."""
    return answers + answers[-1:] * (last - len(answers))


def _said(played: Sequence[Sequence[Answered]], n: int) -> Column:
    there = [len(rounds) > n for rounds in played]
    return [int(is_there and bool(rounds[n].right)) for is_there, rounds in zip(there, played, strict=True)], [
        int(each) for each in there
    ]


def _score(answered: Answered) -> float | None:
    return None if answered.checked is None else answered.checked.score


def _trend(values: Sequence[float | None]) -> Trend:
    return kendall([value for value in values if value is not None])
