"""The numbers of each turn that report rows need, so that a run's texts are never all in memory."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable
from itertools import chain
from typing import TYPE_CHECKING, Any

from holdtrue import record as records
from holdtrue_lab.kinds.assignment.entry import AssignmentEntry, TurnScore

if TYPE_CHECKING:
    from numpy.typing import NDArray

CRITIQUE = "critique"  # the purpose of a call that gives no answer
VOTE = "vote"  # says again what one of the samples said

OUTCOMES = tuple(records.TurnOutcome)
LEDGERS = tuple(records.Satisfiability)
TRIGGERS = tuple(records.Trigger)
_OUTCOME = {outcome: place for place, outcome in enumerate(OUTCOMES)}
_LEDGER = {status: place for place, status in enumerate(LEDGERS)}
_TRIGGER = {code: place for place, code in enumerate(TRIGGERS)}

# One number for each, in the order in which `_numbers` gives them. `problem` and `domain` are numbers for names,
# `outcome` and `upstream_ledger` places in `OUTCOMES` and `LEDGERS`. `first` and `final` have a bit for each of
# `TRIGGERS` that fired on that attempt. All of a score is 0 where there is none.
SCORE = ("correct", "upstream_correct", "first_correct", "upstream_ledger", "phantoms", "gaps", "churn", "churn_of")
SPENT = ("calls", "prompt_tokens", "completion_tokens", "seconds")
FIELDS = (
    *("problem", "domain", "turn", "finished", "scored", *SCORE),
    *("retried", "projected", "abstained", "clipped", "unread", "outcome", "sat", "first", "final"),
    *(f"own {name}" for name in SPENT),
    *(f"measuring {name}" for name in SPENT),
    *(f"events {code}" for code in TRIGGERS),
)
_PLACE = {name: place for place, name in enumerate(FIELDS)}


class Facts:
    """The turns of one arm, added one by one while a journal is read, and the problems that ended in an error."""

    def __init__(self) -> None:
        self._domains: dict[str, int] = {}
        self._problems: dict[str, int] = {}
        self._failed: dict[str, set[int]] = {}
        self._numbers = array("d")

    @property
    def domains(self) -> tuple[str, ...]:
        """Return the domains sorted by name, whichever was ready first."""
        return tuple(sorted(self._domains))

    def add(self, entry: AssignmentEntry) -> None:
        """Add one turn."""
        problem = self._problems.setdefault(entry.problem, len(self._problems))
        domain = self._domains.setdefault(entry.domain, len(self._domains))
        self._numbers.extend((problem, domain, *_numbers(entry)))

    def fail(self, problem: str, domain: str) -> None:
        """Add a problem that could not be finished."""
        self._domains.setdefault(domain, len(self._domains))
        self._failed.setdefault(domain, set()).add(self._problems.setdefault(problem, len(self._problems)))

    def turns(self, domain: str | None) -> Turns:
        """The turns of one domain, or, for None, of all."""
        import numpy as np

        table = np.frombuffer(self._numbers).reshape(-1, len(FIELDS))
        if domain is None:
            return Turns(table, frozenset[int]().union(*self._failed.values()))
        here = table[:, _PLACE["domain"]] == self._domains[domain]
        return Turns(table[here], frozenset(self._failed.get(domain, ())))


class Turns:
    """Turns as columns, arrays with one number for each; and which problems failed."""

    def __init__(self, table: NDArray[Any], failed: frozenset[int]) -> None:
        import numpy as np

        self._table = table
        played, self._problem = np.unique(table[:, _PLACE["problem"]], return_inverse=True)
        self._played = len(played)
        self.failed = len(failed)
        self.problems = len(failed.union(played.astype(int).tolist()))

    def __len__(self) -> int:
        return len(self._table)

    def __getitem__(self, field: str) -> NDArray[Any]:
        """The numbers of one of `FIELDS`."""
        numbers: NDArray[Any] = self._table[:, _PLACE[field]]
        return numbers

    def flags(self, field: str) -> NDArray[Any]:
        """One of `FIELDS` as truth values."""
        flags: NDArray[Any] = self[field] != 0
        return flags

    def fired(self, attempt: str, code: records.Trigger) -> NDArray[Any]:
        """Return for each turn whether a trigger fired on the attempt, `first` or `final`."""
        fired: NDArray[Any] = (self[attempt].astype(int) & 1 << _TRIGGER[code]) != 0
        return fired

    def by_problem(self, numbers: NDArray[Any]) -> list[int]:
        """Sums of whole numbers, for each problem that was played, in order of first appearance."""
        import numpy as np

        sums: list[int] = np.bincount(self._problem, weights=numbers, minlength=self._played).astype(int).tolist()
        return sums


def _numbers(entry: AssignmentEntry) -> Iterable[float]:
    record, score = entry.record, entry.score
    attempts = record.attempts
    first, final = attempts[0].verdict, attempts[-1].verdict
    return (
        entry.turn,
        entry.turn == entry.turns,
        score is not None,
        *_score(score),
        any(attempt.kind not in records.DRAWN for attempt in attempts[1:]),
        record.detail.projected,
        record.delivered is None,
        any(
            call.kind is records.ReplyKind.CUT and call.purpose != CRITIQUE for each in attempts for call in each.calls
        ),
        any(reading.status != "accepted" for reading in (*record.readings, *record.final.readings)),
        _OUTCOME[final.outcome],
        final.basis is records.Satisfiability.SAT,
        sum(1 << _TRIGGER[code] for code in first.triggers),
        sum(1 << _TRIGGER[code] for code in final.triggers),
        *_spent(chain(record.extraction, *(attempt.calls for attempt in attempts)), record.solver_s),
        *_spent(record.measuring),
        *_events(attempts),
    )


def _score(score: TurnScore | None) -> Iterable[float]:
    values = (getattr(score, name, 0) for name in SCORE)
    return (_LEDGER[value] if isinstance(value, records.Satisfiability) else value for value in values)


def _spent(calls: Iterable[records.CallRecord], solver_s: float = 0.0) -> Iterable[float]:
    usage = records.total(call.usage for call in calls)
    return usage.calls, usage.prompt_tokens, usage.completion_tokens, usage.latency_s + solver_s


def _events(attempts: Iterable[records.AttemptRecord]) -> Iterable[float]:
    answers = (attempt for attempt in attempts if attempt.kind != VOTE)
    events = Counter(code for attempt in answers for code in attempt.verdict.triggers)
    return (events[code] for code in TRIGGERS)
