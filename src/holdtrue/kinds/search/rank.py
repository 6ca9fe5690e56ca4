"""Rank failing candidates, to choose which ones to go on from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from holdtrue.kinds.search.record import SearchAttempt, SearchStep
from holdtrue.record import AnswerStatus

Key = tuple[int, ...]
_UNKNOWN = 10**6  # a conflict that was not found in time is no small one


def best(failures: Sequence[SearchAttempt], n: int) -> tuple[SearchAttempt, ...]:
    """The best `n` of the failures, the best one first; of the same candidate given several times the first one.

    Better is an assignment than a claim, and a claim than what could not be read; then fewer values out of bounds,
    fewer constraints broken, a smaller conflict, fewer variables in it, and what was repeated less; then the earlier.
    """
    given = Counter(map(_identity, failures))
    different = {_identity(failure): failure for failure in reversed(failures)}.values()
    ranked = sorted(different, key=lambda failure: (rank(failure, given[_identity(failure)]), failure.attempt))
    return tuple(ranked[:n])


def rank(failure: SearchAttempt, given: int = 1) -> Key:
    """Return the sort key of a failure, the least for the best one; `given` is how often the candidate was given."""
    verdict = failure.verdict
    step = failure.step or SearchStep(1)
    return (
        _kind(failure),
        len(verdict.background),
        len(verdict.violated),
        len(step.conflict) or _UNKNOWN,
        len(step.revise) or _UNKNOWN,
        given,
    )


def _kind(failure: SearchAttempt) -> int:
    if failure.verdict.answer in (AnswerStatus.UNPARSED, AnswerStatus.REFUSED, AnswerStatus.INCOMPLETE):
        return 2
    return 0 if failure.answer else 1


def _identity(failure: SearchAttempt) -> object:
    """Equal for the same candidate; what could not be read is like nothing else."""
    if _kind(failure) == 2:
        return failure.attempt
    return frozenset((failure.answer or {}).items())
