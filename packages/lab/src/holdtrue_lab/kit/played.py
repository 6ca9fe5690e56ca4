"""Gather what was played under each arm, while the entries of a run are read."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from holdtrue_lab.kit.arm import Arm, arm_of
from holdtrue_lab.kit.entry import Entry, FailureEntry, PlayedEntry

E = TypeVar("E", bound=PlayedEntry[Any])
Facts = TypeVar("Facts")


@dataclass(frozen=True, slots=True)
class PlayedArm(Generic[Facts]):
    """An arm, and by id the facts of each problem that was begun under it.

    Problems are sorted by id, because resampling draws them by index, which must not depend on the order of entries.
    `failed` are the domains of problems that ended in an error.
    """

    arm: Arm
    facts: tuple[Facts, ...]
    failed: Mapping[str, str]


def by_arm(entries: Iterable[Entry], kind: type[E], take: Callable[[Facts | None, E], Facts]) -> list[PlayedArm[Facts]]:
    """Gather the facts of every problem, arm by arm in order of first appearance; entries of other kinds are skipped.

    `take` returns the facts of a problem, given its facts so far (None at first) and its next turn. A failure counts
    only if neither its turn nor a later one was played, because a problem may have been tried again.
    """
    arms: dict[Arm, dict[str, Facts]] = {}
    latest: dict[tuple[Arm, str], int] = {}
    named: dict[tuple[str, str], Arm] = {}
    failures: list[FailureEntry] = []
    for entry in entries:
        if isinstance(entry, FailureEntry):
            failures.append(entry)
        elif isinstance(entry, kind):
            arm, problem = arm_of(entry), entry.problem
            named[entry.suite, entry.method] = arm
            facts = arms.setdefault(arm, {})
            facts[problem] = take(facts.get(problem), entry)
            latest[arm, problem] = max(entry.turn, latest.get((arm, problem), 0))
    failed: dict[Arm, dict[str, str]] = {}
    for each in failures:
        # A method that failed before its first turn has left no record that says what it ran with.
        arm = named.get((each.suite, each.method), Arm(each.suite, "", "", "", each.method))
        arms.setdefault(arm, {})
        if latest.get((arm, each.problem), 0) < each.turn:
            failed.setdefault(arm, {})[each.problem] = each.domain
    return [
        PlayedArm(arm, tuple(each for _, each in sorted(facts.items(), key=lambda item: item[0])), failed.get(arm, {}))
        for arm, facts in arms.items()
    ]
