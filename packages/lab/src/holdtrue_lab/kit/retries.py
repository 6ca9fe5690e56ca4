"""This module counts the retries of turns: all of them, those that repeat a request, and those that mend the turn.

A retry calls the model again because the attempt before it failed. At temperature 0 the same request brings the same
answer. So the number of identical retries says nothing about the method.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from holdtrue.language.retries import same_answer
from holdtrue.record import AnswerStatus, AttemptRecord
from holdtrue_lab.figures.statistics import Rate
from holdtrue_lab.kit.arm import Arm, arm_of
from holdtrue_lab.kit.entry import Entry, FailureEntry, PlayedEntry
from holdtrue_lab.kit.metrics import Added, Metrics

# The purposes of calls that ask for an answer, for kinds of answers whose calls are not named like their attempts.
_ANSWERING = frozenset({"answer", "candidate"})


@dataclass(frozen=True, slots=True)
class Retry:
    """A `Retry` is one retry of a turn; `kind` is the kind of its attempt.

    `further` says that another retry came before this one in the turn. `identical` says that its request has the key of
    an earlier call of the turn. `same` says that an earlier attempt gave the same answer. `mends` says that it is the
    first attempt that respects the constraints.
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
    """A `RetryRow` describes the retries of one method in attempts of one `kind`.

    Of all played `turns`, `retried` have such a retry; problems that were made by changing others count too.
    `identical` and `same` are rates over the retries, and `identical_further` is a rate over those after another retry.
    Intervals are from a bootstrap over problems. `mended` counts the turns that a retry of this kind mended, by the
    retry's position: first, second, or later in the turn.
    """

    arm: Arm
    kind: str
    turns: int
    retried: int
    identical: Rate
    identical_further: Rate
    same: Rate
    mended: tuple[int, int, int]


SHARES = Metrics[Retry]()
SHARES.share("identical", lambda retry: retry.identical)
SHARES.share("identical_further", lambda retry: retry.identical if retry.further else None)
SHARES.share("same", lambda retry: retry.same)


@dataclass(slots=True)
class _Counts:
    """A `_Counts` holds the counts of one method and kind of attempt, and the values of its retries by problem."""

    retried: int = 0
    mended: list[int] = field(default_factory=lambda: [0, 0, 0])
    added: defaultdict[str, list[Added]] = field(default_factory=lambda: defaultdict(list))


class RetryCounts:
    """A `RetryCounts` counts the retries of a run while its entries are read."""

    def __init__(self) -> None:
        self._turns: defaultdict[Arm, int] = defaultdict(int)
        self._counts: defaultdict[Arm, defaultdict[str, _Counts]] = defaultdict(lambda: defaultdict(_Counts))

    def watch(self, entries: Iterable[Entry]) -> Iterator[Entry]:
        """Count the retries of the entries, and yield the entries unchanged."""
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
            counts.added[entry.problem].append(SHARES.added(retry))
            counts.mended[min(number, 2)] += retry.mends

    def rows(self) -> tuple[RetryRow, ...]:
        """Return a row for each method and kind of retry, with methods in order of first appearance."""
        return tuple(
            _row(arm, kind, turns, counts)
            for arm, turns in self._turns.items()
            for kind, counts in sorted(self._counts[arm].items())
        )


def _row(arm: Arm, kind: str, turns: int, counts: _Counts) -> RetryRow:
    first, second, later = counts.mended
    shares = SHARES.combine([added for _, added in sorted(counts.added.items())])
    return RetryRow(arm, kind, turns, counts.retried, **shares, mended=(first, second, later))
