"""Count the retries of turns: how many there were, how many sent the same request again, and what they mended.

A retry asks the model again because the attempt before it was not good. At temperature 0 a retry with the same request
cannot bring anything else, so a method's number of retries says nothing where they are alike.
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


SHARES = Metrics[Retry]()
SHARES.share("identical", lambda retry: retry.identical)
SHARES.share("identical_further", lambda retry: retry.identical if retry.further else None)
SHARES.share("same", lambda retry: retry.same)


@dataclass(slots=True)
class _Counts:
    """The counts of one method and kind of attempt, and what retries add to shares, by problem."""

    retried: int = 0
    mended: list[int] = field(default_factory=lambda: [0, 0, 0])
    added: defaultdict[str, list[Added]] = field(default_factory=lambda: defaultdict(list))


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
            counts.added[entry.problem].append(SHARES.added(retry))
            counts.mended[min(number, 2)] += retry.mends

    def rows(self) -> tuple[RetryRow, ...]:
        """Return a row for each method and kind of retry that there was, methods in order of first appearance."""
        return tuple(
            _row(arm, kind, turns, counts)
            for arm, turns in self._turns.items()
            for kind, counts in sorted(self._counts[arm].items())
        )


def _row(arm: Arm, kind: str, turns: int, counts: _Counts) -> RetryRow:
    first, second, later = counts.mended
    shares = SHARES.combine([added for _, added in sorted(counts.added.items())])
    return RetryRow(arm, kind, turns, counts.retried, **shares, mended=(first, second, later))
