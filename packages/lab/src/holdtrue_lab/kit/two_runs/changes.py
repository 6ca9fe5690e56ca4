"""This module finds the turns that differ between run A and run B, and compares their costs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from holdtrue_lab.kit.entry import PlayedEntry
from holdtrue_lab.kit.journal import read_at
from holdtrue_lab.kit.settings import JOURNAL_FILE
from holdtrue_lab.kit.two_runs.matching import Matched, Side, TurnFacts, TurnKey


class ChangeKind(StrEnum):
    """A `ChangeKind` says how a turn of B differs from that of A; the first that applies counts.

    `fixed` and `broken` mean more or fewer right answers. `outcome` means another outcome. `answer` means that only the
    delivered answer differs.
    """

    FIXED = "fixed"
    BROKEN = "broken"
    OUTCOME = "outcome"
    ANSWER = "answer"


SAME = "same"
_RIGHT_OR_WRONG = frozenset({ChangeKind.FIXED, ChangeKind.BROKEN})


@dataclass(frozen=True, slots=True)
class Change:
    """A `Change` is a turn that differs, with its facts in A and in B."""

    problem: str
    method: str
    turn: int
    kind: ChangeKind
    a: TurnFacts
    b: TurnFacts


@dataclass(frozen=True, slots=True)
class Answered:
    """The delivered answers in a changed turn, as they were read; `asked` is the user's message."""

    asked: str
    a: Mapping[str, str | int] | str | None
    b: Mapping[str, str | int] | str | None


@dataclass(frozen=True, slots=True)
class Counted:
    """A `Counted` counts a method's `turns` in both runs: those that are the same, and the changed ones by kind."""

    method: str
    turns: int
    same: int
    changed: Mapping[ChangeKind, int]


@dataclass(frozen=True, slots=True)
class Spent:
    """The mean cost of a turn; `seconds` are the time of its calls."""

    calls: float
    tokens: float
    seconds: float


@dataclass(frozen=True, slots=True)
class RunCost:
    """The cost of a method in each run, over the `turns` that both have."""

    method: str
    turns: int
    a: Spent
    b: Spent


def kind_of(a: TurnFacts, b: TurnFacts) -> ChangeKind | None:
    """Return how a turn changed, or None if it is the same."""
    if a.tally is not None and b.tally is not None:
        first, second = (right / of if of else 0.0 for right, of in (a.tally, b.tally))
        if first != second:
            return ChangeKind.FIXED if second > first else ChangeKind.BROKEN
    if a.outcome != b.outcome:
        return ChangeKind.OUTCOME
    return None if a.answer == b.answer else ChangeKind.ANSWER


def find_changes(one: Side, other: Side, matched: Matched) -> tuple[Change, ...]:
    """Return all turns that changed: first fixed and broken ones, then other outcomes, then other answers."""
    found = []
    for key in matched.turns:
        a, b = one.turns[key], other.turns[key]
        if (kind := kind_of(a, b)) is not None:
            found.append(Change(*key, kind, a, b))
    ranks = {kind: 0 if kind in _RIGHT_OR_WRONG else place for place, kind in enumerate(ChangeKind)}
    return tuple(sorted(found, key=lambda each: (ranks[each.kind], each.problem, each.turn, each.method)))


def count_changes(changes: Sequence[Change], matched: Matched) -> tuple[Counted, ...]:
    """Return the numbers of changes of each method."""
    kinds = Counter((change.method, change.kind) for change in changes)
    found = []
    for method, keys in matched.by_method.items():
        changed = {kind: kinds[method, kind] for kind in ChangeKind}
        found.append(Counted(method, len(keys), len(keys) - sum(changed.values()), changed))
    return tuple(found)


def compare_costs(one: Side, other: Side, matched: Matched) -> tuple[RunCost, ...]:
    """Return the cost of the turns that both runs have, method by method."""
    return tuple(
        RunCost(method, len(keys), _spent(one, keys), _spent(other, keys)) for method, keys in matched.by_method.items()
    )


def _spent(side: Side, keys: Sequence[TurnKey]) -> Spent:
    facts, number = [side.turns[key] for key in keys], len(keys)
    return Spent(
        calls=sum(each.calls for each in facts) / number,
        tokens=sum(each.tokens for each in facts) / number,
        seconds=sum(each.seconds for each in facts) / number,
    )


def read_answers(one: Side, other: Side, changes: Sequence[Change]) -> Iterator[tuple[Change, Answered]]:
    """Yield these changes, each with its answers. The answers are read again from both journals."""
    if not changes:
        return
    with (one.folder / JOURNAL_FILE).open("rb") as ours, (other.folder / JOURNAL_FILE).open("rb") as theirs:
        for change in changes:
            a, b = read_at(ours, change.a.place), read_at(theirs, change.b.place)
            assert isinstance(a, PlayedEntry) and isinstance(b, PlayedEntry)  # both places are lines of turns
            yield change, Answered(a.record.user_message, a.given, b.given)
