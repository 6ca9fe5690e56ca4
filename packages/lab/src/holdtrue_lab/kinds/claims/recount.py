"""Recompute results from recorded answers for fewer rounds, or for another weight of claims that judges support."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate

from holdtrue_claims.claim_record import CheckRecord, ClaimVerdict, JointVerdict, SoftVerdict
from holdtrue_claims.kind.acceptance import accepts, claim_score
from holdtrue_claims.kind.method import ClaimMethod
from holdtrue_claims.kind.record import ClaimAttempt
from holdtrue_lab.figures.significance import Trend, kendall
from holdtrue_lab.figures.statistics import Column, Estimate, Rate, clustered, means
from holdtrue_lab.kinds.claims.entry import ClaimEntry

_ROUNDS = frozenset({"answer", "repair", "refine"})


@dataclass(frozen=True, slots=True)
class Checked:
    """The findings about one answer. `together` says whether its claims were proved to be consistent."""

    verdicts: tuple[ClaimVerdict | SoftVerdict, ...]
    score: float
    accepted: bool
    together: bool


@dataclass(frozen=True, slots=True)
class Answered:
    """The answer of one round. `right` is None without gold, and `checked` is None if nothing was verified."""

    right: bool | None
    checked: Checked | None


def rounds_of(entry: ClaimEntry) -> tuple[Answered, ...]:
    """Return the answers of all rounds, or of the last attempt alone for a method without rounds, such as `program`."""
    attempts, gold = entry.record.attempts, None if entry.score is None else entry.score.gold
    last = attempts[-1:]
    if any(attempt.program is not None for attempt in attempts):
        return tuple(_answered(attempt, gold) for attempt in last)
    own = [attempt for attempt in attempts if attempt.kind in _ROUNDS]
    return tuple(_answered(attempt, gold) for attempt in own or last)


def _answered(attempt: ClaimAttempt, gold: str | None) -> Answered:
    right = None if gold is None else (attempt.answer or {}).get("option") == gold
    check = attempt.check
    if check is None:
        return Answered(right, None)
    together = check.joint.verdict == JointVerdict.CONSISTENT
    return Answered(right, Checked(verdicts_of(check), check.score, check.accepted, together))


def verdicts_of(check: CheckRecord) -> tuple[ClaimVerdict | SoftVerdict, ...]:
    """Return the verdicts on claims. An unknown verdict counts as `uncertain`, which has the weight 0."""
    names = [claim.verdict for claim in check.claims]
    solver, judges = set(ClaimVerdict), set(SoftVerdict)
    return tuple(
        ClaimVerdict(name) if name in solver else SoftVerdict(name) if name in judges else SoftVerdict.UNCERTAIN
        for name in names
    )


@dataclass(frozen=True, slots=True)
class Round:
    """The results over all items with a score if at most `round` rounds were allowed, counted from 1.

    `accuracy` and `score` are means over the answers that would be delivered: the accepted one, or the best so far. An
    item that stopped earlier keeps its answer. `said` is the accuracy of this round's own answers, over the items that
    played it. Later rounds have only the harder items.
    """

    round: int
    accuracy: Rate
    score: Estimate
    said: Rate


@dataclass(frozen=True, slots=True)
class Convergence:
    """The change of answers by round, over items with a score (VERGE, figure 3 and table 13).

    `accuracy`, `score` and `said` are the trends of these figures over `rounds`. The trend of `score` is empty if
    different rounds have scores of different items.
    """

    rounds: tuple[Round, ...]
    accuracy: Trend
    score: Trend
    said: Trend


def kept(rounds: Sequence[Answered]) -> Iterator[Answered]:
    """Yield for each round the answer that would be delivered if it were the last round.

    This is the accepted answer, or else the first of those with the best score. While nothing is verified, it is the
    latest answer.
    """
    return accumulate(rounds, _better)


def convergence_of(items: Sequence[Sequence[Answered]]) -> Convergence:
    """Return the results by round of these items, up to the last round that any of them played."""
    played = [rounds for rounds in items if rounds and rounds[0].right is not None]
    last = max(map(len, played), default=0)
    stood = [_stretched(list(kept(rounds)), last) for rounds in played]
    accuracy = [([int(each[n].right or False) for each in stood], [1] * len(stood)) for n in range(last)]
    said = [_said(played, n) for n in range(last)]
    rates = clustered([*accuracy, *said])
    scores = [[_score(each[n]) for each in stood] for n in range(last)]
    estimates = means(scores)
    found = tuple(Round(n + 1, rates[n], estimates[n], rates[last + n]) for n in range(last))
    return Convergence(
        rounds=found,
        accuracy=_trend([each.accuracy.value for each in found]),
        # If a method verifies only its last answer, each round has scores of other items, which are no trend.
        score=_trend([each.score.value for each in found] if len({each.score.of for each in found}) == 1 else ()),
        said=_trend([each.said.value for each in found]),
    )


def _better(best: Answered, new: Answered) -> Answered:
    if best.checked is None:
        return new
    if new.checked is None:
        return best
    one, two = best.checked, new.checked
    return new if (two.accepted, two.score) > (one.accepted, one.score) else best


def _stretched(answers: list[Answered], last: int) -> list[Answered]:
    """Return the answers for all rounds up to `last`. An item that stopped earlier keeps its last answer."""
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


SUPPORTED = (0.7, 0.8, 0.85, 0.9, 0.95, 1.0)


@dataclass(frozen=True, slots=True)
class Reweighed:
    """The results of the recorded rounds if a supported claim had this `weight` (VERGE, table 4).

    Only items with gold and a verified answer count.

    Attributes:
        accuracy: Share of right answers among those that would be delivered. `accepted` and `score` are about the same
            answers.
        change: Difference from the accuracy under the method's own weight.
        moved: Number of items that would deliver another answer.
        open: Number of items that would play more rounds than were recorded. The best recorded answer stands for them.
        exact: Whether there are no open items.
    """

    weight: float
    accuracy: Rate
    change: float | None
    moved: int
    accepted: Rate
    score: Estimate
    open: int
    exact: bool


@dataclass(frozen=True, slots=True)
class Replayed:
    """The result of one item under another weight.

    `place` is the index, from 0, of the round whose answer is delivered. `score` is the score of this answer, and
    `accepted` says whether the method accepts it. `open` says that the method would play more rounds than were
    recorded, so the result is not exact.
    """

    place: int
    score: float
    accepted: bool
    open: bool


def reweigh(items: Sequence[Sequence[Answered]], method: ClaimMethod | None) -> tuple[Reweighed, ...]:
    """Return the results of one report row at each of the weights `SUPPORTED`; `items` are the rounds of its items.

    All other settings are the method's own. The result is empty for a method that does not choose its answer by score.
    It is also empty if no item has both gold and a verified answer.
    """
    played = [rounds for rounds in items if any(each.right is not None and each.checked is not None for each in rounds)]
    if method is None or method.strategy != "verge" or not played:
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
    """Play the recorded rounds of one item again with the weight `supported`, by the rules of `kinds.claims.loop`.

    An answer that was not verified has the score 0.
    """
    check = replace(method.check, weights=replace(method.check.weights, supported=supported))
    best, before = Replayed(0, 0.0, False, False), None
    for place, each in enumerate(rounds):
        checked = each.checked
        verdicts = () if checked is None else checked.verdicts
        score = claim_score(verdicts, check.weights).score
        accepted = checked is not None and accepts(verdicts, score, check, together=checked.together)
        if place == 0 or (accepted, score) > (best.accepted, best.score):
            best = Replayed(place, score, accepted, False)
        stands = before is not None and method.converge is not None and abs(score - before) < method.converge
        if stands or (accepted and not method.patient):
            return best
        before = score
    return replace(best, open=len(rounds) < method.rounds)


def _right(rounds: Sequence[Answered], each: Replayed) -> int:
    return int(rounds[each.place].right or False)
