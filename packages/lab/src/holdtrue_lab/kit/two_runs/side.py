"""One of two runs that are compared: its measurements, and the facts of each turn, but none of its texts."""

from __future__ import annotations

import json
from collections.abc import Container, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from zlib import crc32

from holdtrue_lab.kit.arm import Arm, arm_of
from holdtrue_lab.kit.entry import Entry, FailureEntry, PlayedEntry
from holdtrue_lab.kit.folder import Measure, Run, read_run
from holdtrue_lab.kit.journal import read_placed

TurnKey = tuple[str, str, int]
"""A turn of a run: the problem, the method and the turn's number."""
Conversation = tuple[str, str]
"""A problem under a method."""


@dataclass(frozen=True, slots=True)
class TurnFacts:
    """A turn in numbers, with the place of its line in the journal (bytes), where its texts are read again.

    `asked` and `answer` are checksums: of what the model was asked, and of what was delivered. `tally` is how many
    answers are right, and how many there are; None without gold. `prompt` is the key of the turn's first call, None if
    no model was asked. `seconds` are those of the calls.
    """

    asked: int
    answer: int
    turns: int
    tally: tuple[int, int] | None
    outcome: str
    calls: int
    tokens: int
    seconds: float
    prompt: str | None
    place: int


@dataclass(frozen=True, eq=False)
class Side:
    """A run that is compared. `arms` are those that each method was played under, in order of first appearance."""

    folder: Path
    run: Run[Any]
    turns: Mapping[TurnKey, TurnFacts]
    arms: Mapping[str, tuple[Arm, ...]]

    @property
    def settings(self) -> Mapping[str, Any]:
        return self.run.settings

    @property
    def methods(self) -> tuple[str, ...]:
        """The methods of which there is a turn, in the order of the run's settings, then of their first turns."""
        named = [method for method in self.settings.get("methods", ()) if method in self.arms]
        return tuple(dict.fromkeys((*named, *self.arms)))


@dataclass
class _Turns:
    """Gathers the facts of turns while a journal is read, to be measured in the same pass."""

    turns: dict[TurnKey, TurnFacts] = field(default_factory=dict)
    arms: dict[str, dict[Arm, None]] = field(default_factory=dict)

    def read(self, folder: Path) -> Iterator[Entry]:
        names: dict[str, str] = {}
        for place, entry in read_placed(folder):
            if not isinstance(entry, FailureEntry):
                # Each name is kept once, however many turns have it.
                problem, method = (names.setdefault(name, name) for name in (entry.problem, entry.method))
                outcome = names.setdefault(entry.record.outcome.value, entry.record.outcome.value)
                self.turns[problem, method, entry.turn] = _facts_of(entry, outcome, place)
                self.arms.setdefault(method, {})[arm_of(entry)] = None
            yield entry


def read_side(folder: Path, measure: Measure[Any]) -> Side:
    """Read and measure one run, in one pass over its journal; raises as `read_run` does."""
    gathered = _Turns()
    run = read_run(folder, measure, gathered.read)
    return Side(folder, run, gathered.turns, {method: tuple(arms) for method, arms in gathered.arms.items()})


def read_some(side: Side, measure: Measure[Any], wanted: Container[Conversation]) -> Run[Any]:
    """Measure a run anew, from these conversations alone."""

    def read(folder: Path) -> Iterator[Entry]:
        return (entry for _, entry in read_placed(folder) if (entry.problem, entry.method) in wanted)

    return read_run(side.folder, measure, read)


def _facts_of(entry: PlayedEntry[Any], outcome: str, place: int) -> TurnFacts:
    record = entry.record
    usage = record.usage
    calls = [call for attempt in record.attempts for call in attempt.calls]
    return TurnFacts(
        asked=_checksum("\0".join((record.user_message, *entry.problem_lines))),
        answer=_checksum(json.dumps(entry.given, sort_keys=True)),
        turns=entry.turns,
        tally=entry.tally,
        outcome=outcome,
        calls=usage.calls,
        tokens=usage.tokens,
        seconds=record.time_s,
        prompt=calls[0].key if calls else None,
        place=place,
    )


def _checksum(text: str) -> int:
    return crc32(text.encode("utf-8", "surrogatepass"))
