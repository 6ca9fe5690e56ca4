"""This module groups the turns of a run by *arm* (a method with a model) while the journal is read."""

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
    """A `PlayedArm` holds an arm, and an object with the facts of each problem that was begun under it.

    `facts` is sorted by problem id. Resampling draws problems by index, so the order must not depend on the journal.
    `failed` maps each problem that ended in an error to its domain.
    """

    arm: Arm
    facts: tuple[Facts, ...]
    failed: Mapping[str, str]


def by_arm(entries: Iterable[Entry], kind: type[E], take: Callable[[Facts | None, E], Facts]) -> list[PlayedArm[Facts]]:
    """Return the facts of every problem, arm by arm in order of first appearance. Entries of other kinds are skipped.

    `take` gets a problem's facts so far (None at first) and its next turn, and returns the new facts. A failed problem
    may be tried again. So a failure counts only if neither the turn of the failure nor a later turn was played.
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
        # A method that failed before its first turn has left no record of its model and settings.
        arm = named.get((each.suite, each.method), Arm(each.suite, "", "", "", each.method))
        arms.setdefault(arm, {})
        if latest.get((arm, each.problem), 0) < each.turn:
            failed.setdefault(arm, {})[each.problem] = each.domain
    return [
        PlayedArm(arm, tuple(each for _, each in sorted(facts.items(), key=lambda item: item[0])), failed.get(arm, {}))
        for arm, facts in arms.items()
    ]
