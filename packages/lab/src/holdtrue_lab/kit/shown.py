"""This module finds the problems on which methods differ most, and reads their turns for a page.

A *side* of such a problem is a model under a method.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Generic, TypeVar

from holdtrue.errors import RecordError
from holdtrue_lab.kit.arm import Arm
from holdtrue_lab.kit.entry import PlayedEntry
from holdtrue_lab.kit.groups import Row
from holdtrue_lab.kit.journal import decode
from holdtrue_lab.kit.pairs import settings_of
from holdtrue_lab.kit.plan import deal
from holdtrue_lab.kit.plays import ArmPlays, Play, ProblemKey
from holdtrue_lab.kit.runs import Runs
from holdtrue_lab.kit.settings import JOURNAL_FILE


def most_telling(
    runs: Sequence[Sequence[ArmPlays[Play]]], number: int, controls: Collection[str] = ()
) -> list[ProblemKey]:
    """Return at most `number` problems on which methods differ most, with alternating domains.

    Two methods of a model differ in a turn if one of them is right and the other wrong. Problems are ranked by the
    number of such pairs, then by wrong turns, then by name. So the choice is always the same. Methods among `controls`,
    which never call the model, do not count.
    """
    played: dict[ProblemKey, dict[Arm, list[Play]]] = {}
    for arm in (arm for arms in runs for arm in arms if arm.arm.method not in controls):
        for asked, play in arm.originals.items():
            played.setdefault(asked, {}).setdefault(settings_of(arm.arm), []).append(play)
    weights = {asked: _weigh(by_model.values()) for asked, by_model in played.items()}
    ranked = sorted(played, key=lambda asked: (*(-weight for weight in weights[asked]), asked))
    domains = {asked: next(iter(by_model.values()))[0].domain for asked, by_model in played.items()}
    return list(deal(sorted(ranked, key=domains.__getitem__), key=domains.__getitem__)[:number])


def _weigh(models: Iterable[Sequence[Play]]) -> tuple[int, int]:
    """Return, summed over turns, the numbers of pairs of a right and a wrong method, and of wrong methods."""
    pairs = wrong = 0
    for plays in models:
        for turn in range(1, plays[0].turns + 1):
            right = [play.right[turn] for play in plays if turn in play.right]
            pairs += sum(right) * (len(right) - sum(right))
            wrong += len(right) - sum(right)
    return pairs, wrong


SHOWN = 4000  # characters of a model's text on a page
E = TypeVar("E", bound=PlayedEntry[Any])
Turn = TypeVar("Turn")

# The first field `problem` in a line is that of the entry, because it comes before all texts of a model.
_PROBLEM = re.compile(rb'"problem": ?("(?:[^"\\]|\\.)*")')


@dataclass(frozen=True, slots=True)
class Side:
    """A `Side` is a model under a method; `id` is its name on the page."""

    id: str
    model: str
    method: str


@dataclass(frozen=True, slots=True)
class Talk(Generic[Turn]):
    """A `Talk` is the turns of one problem with one side, ready to be shown."""

    side: Side
    turns: tuple[Turn, ...]


@dataclass(frozen=True)
class ProblemOnPage(Generic[E]):
    """A `ProblemOnPage` is a problem with the turns of all sides that played it. `id` is its name on the page.

    The entries are in the order of their turns. A kind of answer whose page needs more has a subclass.
    """

    id: str
    entries: Mapping[Side, Sequence[E]]

    @cached_property
    def longest(self) -> Sequence[E]:
        """The turns of the side that came farthest."""
        return max(self.entries.values(), key=len)

    @property
    def messages(self) -> Sequence[Any]:
        """The entries that hold the user's messages, turn by turn."""
        return self.longest

    @cached_property
    def conversations(self) -> list[Any]:
        """A conversation for each side, ready to be shown."""
        return [Talk(side, tuple(entries)) for side, entries in self.entries.items()]

    @property
    def name(self) -> str:
        return self.longest[0].problem

    @property
    def domain(self) -> str:
        return self.longest[0].domain


S = TypeVar("S", bound=ProblemOnPage[Any])


def show_most_telling(report: Runs[Row], number: int, kind: type[E], shown: type[S]) -> list[S]:
    """Return at most `number` problems on which methods differ most, with the sides in the order of the tables."""
    sides = find_sides(report).values()
    found = find_conversations(report, number, kind)
    return [
        shown(f"p{place}", {side: played[side] for side in sides if side in played})
        for place, played in enumerate(found, start=1)
    ]


def find_sides(report: Runs[Row]) -> dict[tuple[str, str], Side]:
    """Return all sides of a report by the names of model and method, in the order of its tables."""
    named = [(group.label, report.names.method(row.arm)) for group in report.groups for row in group.whole]
    return {names: Side(f"s{number}", *names) for number, names in enumerate(named, start=1)}


def find_conversations(report: Runs[Row], number: int, kind: type[E]) -> list[dict[Side, list[E]]]:
    """Return the turns of each side for at most `number` problems.

    These are the report's chosen problems, or otherwise those on which methods differ most.
    """
    sides = find_sides(report)
    chosen = report.chosen[:number] if report.chosen else most_telling(report.plays, number, report.controls)
    turns_by_problem: dict[ProblemKey, dict[Side, list[E]]] = {asked: {} for asked in chosen}
    for run in report.runs:
        here = {asked[0]: asked for asked in turns_by_problem if any(asked in arm.plays for arm in run.plays)}
        for entry in read_turns(run.folder, here, kind):
            arm = run.arm(entry)
            side = sides.get((report.names.model_in(run.folder, arm), report.names.method(arm)))
            if side is not None:  # it is None if an active run began with a method after it was measured
                turns_by_problem[here[entry.problem]].setdefault(side, []).append(entry)
    # If a method has played only problems that were made by changing others, it has no row, and so no side.
    return [conversations for conversations in turns_by_problem.values() if conversations]


def read_turns(folder: Path, problems: Collection[str], kind: type[E]) -> Iterator[E]:
    """Yield the turns of these problems; lines of other problems are skipped without being decoded."""
    wanted = {json.dumps(problem).encode() for problem in problems}
    path = folder / JOURNAL_FILE
    try:
        with path.open("rb") as file:
            for line in file if wanted else ():
                found = _PROBLEM.search(line)
                if found is None or found[1] in wanted:
                    entry = decode(line) if line.endswith(b"\n") else None
                    if isinstance(entry, kind) and entry.problem in problems:
                        yield entry
    except OSError as error:
        raise RecordError(f"{path}: cannot be read: {error.strerror}") from error


def first_pair(report: Runs[Row], rows: Iterable[Row | None]) -> tuple[Side | None, Side | None]:
    """Return the two sides that the page shows first: the sides of these rows, and other sides if they are fewer."""
    sides = find_sides(report)
    pair = [sides[report.groups[0].label, report.names.method(row.arm)] for row in rows if row is not None]
    pair += [side for side in sides.values() if side not in pair]
    return pair[0] if pair else None, pair[1] if len(pair) > 1 else None
