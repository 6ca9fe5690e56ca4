"""This module matches turns of two runs that have the same problem, messages and method.

It also lists the differences between the runs' settings and prompts.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from zlib import crc32

from holdtrue.models.call_lines import read_call, scan
from holdtrue_lab.kit.arm import Arm, arm_of
from holdtrue_lab.kit.entry import Entry, FailureEntry, PlayedEntry
from holdtrue_lab.kit.folder import Measure, Run, read_run
from holdtrue_lab.kit.journal import read_placed
from holdtrue_lab.kit.settings import CALLS_FILE

TurnKey = tuple[str, str, int]
"""A turn of a run: the problem, the method and the turn's number."""
Conversation = tuple[str, str]
"""A problem under a method."""


@dataclass(frozen=True, slots=True)
class TurnFacts:
    """A `TurnFacts` holds the numbers of a turn.

    `asked` and `answer` are checksums of the model's task and of the delivered answer. `tally` counts right answers and
    all answers; it is None without gold. `prompt` is the key of the turn's first call, or None without a call.
    `seconds` is the time of the calls. `place` is the byte offset of the turn's line in the journal, so that its texts
    can be read again.
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
    """A `Side` is one of the compared runs.

    `arms` maps each method to its arms (the method under certain settings), in order of appearance.
    """

    folder: Path
    run: Run[Any]
    turns: Mapping[TurnKey, TurnFacts]
    arms: Mapping[str, Collection[Arm]]

    @property
    def settings(self) -> Mapping[str, Any]:
        return self.run.settings

    @property
    def methods(self) -> tuple[str, ...]:
        """The methods with a turn, in the order of the run's settings, then of their first turns."""
        named = [method for method in self.settings.get("methods", ()) if method in self.arms]
        return tuple(dict.fromkeys((*named, *self.arms)))


def read_side(folder: Path, measure: Measure[Any]) -> Side:
    """Read and measure one run in one pass over its journal; raises the errors of `read_run`."""
    turns: dict[TurnKey, TurnFacts] = {}
    arms: dict[str, dict[Arm, None]] = {}
    names: dict[str, str] = {}  # each name is stored once, to save memory

    def read(folder: Path) -> Iterator[Entry]:
        for place, entry in read_placed(folder):
            if not isinstance(entry, FailureEntry):
                said = (entry.problem, entry.method, entry.record.outcome.value)
                problem, method, outcome = (names.setdefault(name, name) for name in said)
                turns[problem, method, entry.turn] = _facts_of(entry, outcome, place)
                arms.setdefault(method, {})[arm_of(entry)] = None
            yield entry

    return Side(folder, read_run(folder, measure, read), turns, arms)


def read_some(side: Side, measure: Measure[Any], wanted: Collection[Conversation]) -> Run[Any]:
    """Return the measurement of a run from these conversations alone."""

    def read(folder: Path) -> Iterator[Entry]:
        return (entry for _, entry in read_placed(folder) if (entry.problem, entry.method) in wanted)

    return read_run(side.folder, measure, read)


def _facts_of(entry: PlayedEntry[Any], outcome: str, place: int) -> TurnFacts:
    record = entry.record
    calls = [call for attempt in record.attempts for call in attempt.calls]
    return TurnFacts(
        asked=_checksum("\0".join((record.user_message, *entry.problem_lines))),
        answer=_checksum(json.dumps(entry.given, sort_keys=True)),
        turns=entry.turns,
        tally=entry.tally,
        outcome=outcome,
        calls=record.usage.calls,
        tokens=record.usage.tokens,
        seconds=record.time_s,
        prompt=calls[0].key if calls else None,
        place=place,
    )


def _checksum(text: str) -> int:
    return crc32(text.encode("utf-8", "surrogatepass"))


@dataclass(frozen=True, slots=True)
class Matched:
    """The turns that two runs have in common, and everything that only one of them has.

    Attributes:
        methods: The methods that both have played, in the order of the first run.
        turns: The turns that both have, sorted; only these are compared.
        finished: The conversations that both have played to their ends; the tests use only these.
        methods_only: For each run, the methods that the other has not played.
        problems_only: For each run, the problems that the other has not begun under a common method.
        turns_only: For each run, the turns of common problems and methods that the other lacks.
        worded_otherwise: The problems that are not compared, because only their ids are equal: their messages or
            numbers of turns differ.
        repeated: The methods that a run has played under several settings, in words, with the run's letter.
    """

    methods: tuple[str, ...]
    turns: Sequence[TurnKey]
    finished: frozenset[Conversation]
    methods_only: tuple[Sequence[str], ...]
    problems_only: tuple[Sequence[str], ...]
    turns_only: tuple[Sequence[TurnKey], ...]
    worded_otherwise: tuple[str, ...]
    repeated: tuple[str, ...]

    @property
    def by_method(self) -> Mapping[str, Sequence[TurnKey]]:
        """The common turns of each method with such turns, in the order of the methods."""
        found = {method: [key for key in self.turns if key[1] == method] for method in self.methods}
        return {method: keys for method, keys in found.items() if keys}


def match(one: Side, other: Side) -> Matched:
    """Match two runs of the same suite."""
    both = (one, other)
    methods = tuple(method for method in one.methods if method in other.arms)
    ours, theirs = ({key: facts for key, facts in side.turns.items() if key[1] in methods} for side in both)
    problems = {key[0] for key in ours} & {key[0] for key in theirs}
    reworded = {problem for problem in _reworded(ours, theirs) if problem in problems}
    compared = problems - reworded
    turns = sorted(key for key in ours.keys() & theirs.keys() if key[0] in compared)
    played = Counter((problem, method) for problem, method, _ in turns)
    return Matched(
        methods=methods,
        turns=turns,
        finished=frozenset(key[:2] for key in turns if played[key[:2]] == ours[key].turns),
        methods_only=tuple([method for method in side.methods if method not in methods] for side in both),
        problems_only=tuple(sorted({key[0] for key in facts} - problems) for facts in (ours, theirs)),
        turns_only=tuple(
            sorted(key for key in here.keys() - there.keys() if key[0] in compared)
            for here, there in ((ours, theirs), (theirs, ours))
        ),
        worded_otherwise=tuple(sorted(reworded)),
        repeated=tuple(
            f"{method} in {letter}"
            for letter, side in zip("AB", both, strict=True)
            for method, arms in side.arms.items()
            if len(arms) > 1
        ),
    )


def _reworded(*runs: Mapping[TurnKey, TurnFacts]) -> Iterator[str]:
    """Yield the problems whose messages or number of turns differ between runs, under any method."""
    said: dict[tuple[str, int | None], set[int]] = {}
    for (problem, _, turn), each in (item for facts in runs for item in facts.items()):
        said.setdefault((problem, turn), set()).add(each.asked)
        said.setdefault((problem, None), set()).add(each.turns)
    return (problem for (problem, _), found in said.items() if len(found) > 1)


# These settings cannot change results, or follow from other settings.
_SAYS_NOTHING = frozenset({"max_connections", "token_limit", "methods", "own_methods"})
# The settings that readers look for first.
_FIRST = ("model", "holdtrue", "seed", "temperature", "max_tokens", "structured", "protocol", "extractor")


@dataclass(frozen=True, slots=True)
class Difference:
    """A setting with its value in A and in B; None if a run has no such setting."""

    setting: str
    a: Any
    b: Any


def settings_that_differ(one: Mapping[str, Any], other: Mapping[str, Any]) -> tuple[Difference, ...]:
    """Return the settings that differ, beginning with the model, the version and the sampling.

    Nested settings have dotted names, such as `play.ask` and `own_methods.two_tries.repairs`.
    """
    a, b = dict(_spread("", one)), dict(_spread("", other))
    names = [name for name in dict.fromkeys((*_FIRST, *a, *b)) if name not in _SAYS_NOTHING]
    return tuple(Difference(name, a.get(name), b.get(name)) for name in names if a.get(name) != b.get(name))


def _spread(name: str, value: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(value, Mapping) and value:
        for key, each in value.items():
            yield from _spread(f"{name}.{key}" if name else key, each)
    else:
        yield name, value


@dataclass(frozen=True, slots=True)
class Prompts:
    """The first prompts of the conversations that both runs have begun under one method.

    Of `compared` prompts, `same` are equal word for word. `unknown` counts the prompts that could not be compared,
    because a call log lacks them.
    """

    method: str
    compared: int
    same: int
    unknown: int


def compare_prompts(one: Side, other: Side, matched: Matched) -> tuple[Prompts, ...]:
    """Compare, method by method, the first prompts of the conversations that both have begun.

    Equal call keys mean equal requests; other prompts are read from the call logs.
    """
    begun = {
        method: [(one.turns[key].prompt, other.turns[key].prompt) for key in keys if key[2] == 1]
        for method, keys in matched.by_method.items()
    }
    asked = {method: [(a, b) for a, b in pairs if a is not None and b is not None] for method, pairs in begun.items()}
    ours = _said(one.folder, {a for pairs in asked.values() for a, _ in pairs})
    theirs = _said(other.folder, {b for pairs in asked.values() for _, b in pairs})

    def is_same(a: str, b: str) -> bool | None:
        if a == b:
            return True
        return ours[a] == theirs[b] if a in ours and b in theirs else None

    found = {method: [is_same(*pair) for pair in pairs] for method, pairs in asked.items() if pairs}
    return tuple(
        Prompts(method, len(same) - same.count(None), same.count(True), same.count(None))
        for method, same in found.items()
    )


def _said(folder: Path, keys: Collection[str]) -> dict[str, int]:
    """Return a checksum of the messages of each of these calls that the folder's call log has."""
    path = folder / CALLS_FILE
    if not keys or not path.is_file():
        return {}
    found: dict[str, int] = {}
    with path.open("rb") as file, path.open("rb") as texts:
        for place in scan(file, path):
            if place.key in keys:
                messages = read_call(texts, place.start, place.length, path).messages
                found[place.key] = _checksum(json.dumps([message.to_json() for message in messages]))
    return found
