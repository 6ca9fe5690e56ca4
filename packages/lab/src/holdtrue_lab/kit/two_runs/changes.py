"""The turns that came out otherwise in the second of two runs, and what the turns of both have cost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, BinaryIO

from holdtrue_lab.kit.entry import PlayedEntry
from holdtrue_lab.kit.journal import read_at
from holdtrue_lab.kit.settings import JOURNAL_FILE
from holdtrue_lab.kit.two_runs.matching import Matched
from holdtrue_lab.kit.two_runs.side import Side, TurnFacts, TurnKey


class ChangeKind(StrEnum):
    """A `ChangeKind` says how a turn of B differs from that of A; the first of these that applies.

    `fixed` and `broken`: more or fewer of its answers are right. `outcome`: it came to something else. `answer`: only
    what was delivered is another answer.
    """

    FIXED = "fixed"
    BROKEN = "broken"
    OUTCOME = "outcome"
    ANSWER = "answer"


SAME = "same"
_RIGHT_OR_WRONG = frozenset({ChangeKind.FIXED, ChangeKind.BROKEN})


@dataclass(frozen=True, slots=True)
class Change:
    """A turn that came out otherwise, with its facts in A and in B."""

    problem: str
    method: str
    turn: int
    kind: ChangeKind
    a: TurnFacts
    b: TurnFacts


@dataclass(frozen=True, slots=True)
class Answered:
    """The answers that were delivered in a changed turn, as it was read; `asked` is the user's message."""

    asked: str
    a: Mapping[str, str | int] | str | None
    b: Mapping[str, str | int] | str | None


@dataclass(frozen=True, slots=True)
class Counted:
    """The numbers of a method's `turns`, which both runs have, that came out the same, and otherwise, by kind."""

    method: str
    turns: int
    same: int
    changed: Mapping[ChangeKind, int]


@dataclass(frozen=True, slots=True)
class Spent:
    """The mean cost of a turn, by the calls that it needs; `seconds` are those of the calls."""

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
    """Return how a turn changed, or None if it came out the same."""
    if a.tally is not None and b.tally is not None:
        first, second = (right / of if of else 0.0 for right, of in (a.tally, b.tally))
        if first != second:
            return ChangeKind.FIXED if second > first else ChangeKind.BROKEN
    if a.outcome != b.outcome:
        return ChangeKind.OUTCOME
    return None if a.answer == b.answer else ChangeKind.ANSWER


def find_changes(one: Side, other: Side, matched: Matched) -> tuple[Change, ...]:
    """Return all turns that changed: first what was fixed or broken, then other outcomes, then other answers."""
    found = []
    for key in matched.turns:
        a, b = one.turns[key], other.turns[key]
        if (kind := kind_of(a, b)) is not None:
            found.append(Change(*key, kind, a, b))
    ranks = {kind: 0 if kind in _RIGHT_OR_WRONG else place for place, kind in enumerate(ChangeKind)}
    return tuple(sorted(found, key=lambda each: (ranks[each.kind], each.problem, each.turn, each.method)))


def count_changes(changes: Sequence[Change], matched: Matched) -> tuple[Counted, ...]:
    """Count the changes of each method."""
    turns = _turns_by_method(matched)
    kinds = Counter((change.method, change.kind) for change in changes)
    return tuple(
        Counted(
            method,
            len(keys),
            len(keys) - sum(kinds[method, kind] for kind in ChangeKind),
            {kind: kinds[method, kind] for kind in ChangeKind},
        )
        for method, keys in turns.items()
    )


def compare_costs(one: Side, other: Side, matched: Matched) -> tuple[RunCost, ...]:
    """Return what the turns that both runs have cost, method by method."""
    return tuple(
        RunCost(method, len(keys), _spent(one, keys), _spent(other, keys))
        for method, keys in _turns_by_method(matched).items()
    )


def _turns_by_method(matched: Matched) -> Mapping[str, Sequence[TurnKey]]:
    """The turns of each method that has one, in the order of the methods."""
    found: dict[str, list[TurnKey]] = {method: [] for method in matched.methods}
    for key in matched.turns:
        found[key[1]].append(key)
    return {method: keys for method, keys in found.items() if keys}


def _spent(side: Side, keys: Sequence[TurnKey]) -> Spent:
    facts = [side.turns[key] for key in keys]
    calls, tokens = (sum(each) / len(keys) for each in zip(*((one.calls, one.tokens) for one in facts), strict=True))
    return Spent(calls, tokens, sum(each.seconds for each in facts) / len(keys))


def read_answers(one: Side, other: Side, changes: Sequence[Change]) -> Iterator[tuple[Change, Answered]]:
    """Yield these changes, each with its answers, which are read again from both journals."""
    if not changes:
        return
    with (one.folder / JOURNAL_FILE).open("rb") as ours, (other.folder / JOURNAL_FILE).open("rb") as theirs:
        for change in changes:
            a, b = _read(ours, change.a.place), _read(theirs, change.b.place)
            yield change, Answered(a.record.user_message, a.given, b.given)


def _read(file: BinaryIO, place: int) -> PlayedEntry[Any]:
    entry = read_at(file, place)
    assert isinstance(entry, PlayedEntry)  # its place is that of a turn
    return entry
