"""Count the retries of turns: how many there were, how many sent the same request again, and what they mended.

A retry asks the model again because the attempt before it was not good. At temperature 0 a retry with the same request
cannot bring anything else, so a method's number of retries says nothing where they are alike.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from holdtrue.language.retries import same_answer
from holdtrue.record import AnswerStatus, AttemptRecord
from holdtrue_lab.figures.statistics import Rate, clustered
from holdtrue_lab.kit.arm import Arm, arm_of
from holdtrue_lab.kit.entry import Entry, FailureEntry, PlayedEntry

# Purposes of the calls that bring an answer, for kinds that do not name them as the attempt.
_ANSWERING = frozenset({"answer", "candidate"})


@dataclass(frozen=True, slots=True)
class Retry:
    """A retry: the `kind` of its attempt, and whether it was `identical` or brought the `same` answer again.

    It is identical if its request has the key of an earlier call of its turn, and the same answer is one that an
    earlier attempt of the turn gave. `mends`: the turn's attempts before it failed, and this one respects what it is
    judged by. `further`: another retry came before it in the turn, whose request it can repeat.
    """

    kind: str
    further: bool
    identical: bool
    same: bool
    mends: bool


def find_retries(entry: PlayedEntry[Any]) -> list[Retry]:
    """Return the retries of a turn, in their order."""
    attempts: Sequence[AttemptRecord] = entry.record.attempts
    found: list[Retry] = []
    sent: set[str] = set()
    respected = False
    for place, attempt in enumerate(attempts):
        respects = attempt.verdict.answer is AnswerStatus.RESPECTING
        if entry.is_retry(attempt):
            keys = {call.key for call in attempt.calls if call.purpose == attempt.kind or call.purpose in _ANSWERING}
            same = any(same_answer(attempt, earlier) for earlier in attempts[:place])
            found.append(Retry(attempt.kind, bool(found), bool(keys & sent), same, respects and not respected))
        sent.update(call.key for call in attempt.calls)
        respected = respected or respects
    return found


@dataclass(frozen=True, slots=True)
class RetryRow:
    """The retries of one method, of the attempts of one `kind`.

    `turns` were played, those of changed forms of problems too, and `retried` of them have such a retry. `identical`
    and `same` are rates over the retries (see `Retry`), and `identical_further` is over those that follow another
    retry; intervals are from a bootstrap over problems. `mended` counts turns that were first put right by their first
    retry of any kind, by the second, and by a later one, where that was one of this kind.
    """

    arm: Arm
    kind: str
    turns: int
    retried: int
    identical: Rate
    identical_further: Rate
    same: Rate
    mended: tuple[int, int, int]


# What is counted of the retries of each problem.
_FLAGS: tuple[Callable[[Retry], bool], ...] = (
    lambda retry: True,
    lambda retry: retry.identical,
    lambda retry: retry.further,
    lambda retry: retry.further and retry.identical,
    lambda retry: retry.same,
)


@dataclass(slots=True)
class _Counts:
    """The counts of one method and kind of attempt: sums, and by problem those of `_FLAGS`."""

    retried: int = 0
    mended: list[int] = field(default_factory=lambda: [0, 0, 0])
    problems: defaultdict[str, list[int]] = field(default_factory=lambda: defaultdict(lambda: [0] * len(_FLAGS)))


class RetryCounts:
    """Counts the retries of a run while its entries are read; their texts are not kept."""

    def __init__(self) -> None:
        self._turns: defaultdict[Arm, int] = defaultdict(int)
        self._counts: defaultdict[Arm, defaultdict[str, _Counts]] = defaultdict(lambda: defaultdict(_Counts))

    def watch(self, entries: Iterable[Entry]) -> Iterator[Entry]:
        """Yield the entries as they come, and count their retries."""
        for entry in entries:
            if not isinstance(entry, FailureEntry):
                self._add(entry)
            yield entry

    def _add(self, entry: PlayedEntry[Any]) -> None:
        arm, retries = arm_of(entry), find_retries(entry)
        self._turns[arm] += 1
        for kind in {retry.kind for retry in retries}:
            self._counts[arm][kind].retried += 1
        for number, retry in enumerate(retries):
            counts = self._counts[arm][retry.kind]
            problem = counts.problems[entry.problem]
            for place, counted in enumerate(flag(retry) for flag in _FLAGS):
                problem[place] += counted
            counts.mended[min(number, 2)] += retry.mends

    def rows(self) -> tuple[RetryRow, ...]:
        """Return a row for each method and kind of retry that there was, methods in order of first appearance."""
        return tuple(
            _row(arm, kind, turns, counts)
            for arm, turns in self._turns.items()
            for kind, counts in sorted(self._counts[arm].items())
        )


def _row(arm: Arm, kind: str, turns: int, counts: _Counts) -> RetryRow:
    by_problem = [numbers for _, numbers in sorted(counts.problems.items())]
    every, identical, further, repeated, same = (list(column) for column in zip(*by_problem, strict=True))
    first, second, later = counts.mended
    all_identical, further_identical, same_again = clustered([(identical, every), (repeated, further), (same, every)])
    return RetryRow(
        arm, kind, turns, counts.retried, all_identical, further_identical, same_again, (first, second, later)
    )
