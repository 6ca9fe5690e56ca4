"""Match the turns of two runs: the same problem, asked the same, under the same method. List what else differs."""

from __future__ import annotations

import json
from collections.abc import Collection, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from zlib import crc32

from holdtrue.models.call_lines import read_call, scan
from holdtrue_lab.kit.settings import CALLS_FILE
from holdtrue_lab.kit.two_runs.side import Conversation, Side, TurnFacts, TurnKey


@dataclass(frozen=True, slots=True)
class Matched:
    """The turns that two runs have in common, and all that only one of them has.

    Attributes:
        methods: The methods that both have played, in the order of the first run.
        turns: The turns that both have, sorted; nothing else is compared.
        finished: The conversations of these that both have played to their ends, which the tests are over.
        methods_only: The methods of each run that the other has not played.
        problems_only: The problems of each run that the other has not begun, under any of the methods of both.
        turns_only: The turns of each run that the other lacks, of problems and methods of both.
        worded_otherwise: The problems that have one id in both and were not asked the same: other words, or another
            number of turns. None of their turns are compared.
        repeated: The methods that a run has played under several settings, in words, with the run's letter.
    """

    methods: tuple[str, ...]
    turns: Sequence[TurnKey]
    finished: frozenset[Conversation]
    methods_only: tuple[tuple[str, ...], tuple[str, ...]]
    problems_only: tuple[tuple[str, ...], tuple[str, ...]]
    turns_only: tuple[tuple[TurnKey, ...], tuple[TurnKey, ...]]
    worded_otherwise: tuple[str, ...]
    repeated: tuple[str, ...]


def match(one: Side, other: Side) -> Matched:
    """Match two runs of the same suite."""
    methods = tuple(method for method in one.methods if method in other.arms)
    ours, theirs = ({key: facts for key, facts in side.turns.items() if key[1] in methods} for side in (one, other))
    problems = {key[0] for key in ours} & {key[0] for key in theirs}
    reworded = _reworded(ours, theirs, problems)
    compared = problems - reworded
    turns = sorted(key for key in ours.keys() & theirs.keys() if key[0] in compared)
    return Matched(
        methods=methods,
        turns=turns,
        finished=_finished(turns, ours),
        methods_only=(_left(one, methods), _left(other, methods)),
        problems_only=(_unmatched(ours, problems), _unmatched(theirs, problems)),
        turns_only=(_lacking(ours, theirs, compared), _lacking(theirs, ours, compared)),
        worded_otherwise=tuple(sorted(reworded)),
        repeated=(*_repeated("A", one), *_repeated("B", other)),
    )


def _reworded(ours: Mapping[TurnKey, TurnFacts], theirs: Mapping[TurnKey, TurnFacts], problems: set[str]) -> set[str]:
    """The problems of which a turn was asked otherwise in the two, whichever methods have played it."""
    said: dict[tuple[str, int], set[int]] = {}
    lengths: dict[str, set[int]] = {}
    for facts in (ours, theirs):
        for (problem, _, turn), each in facts.items():
            if problem in problems:
                said.setdefault((problem, turn), set()).add(each.asked)
                lengths.setdefault(problem, set()).add(each.turns)
    return {problem for (problem, _), asked in said.items() if len(asked) > 1} | {
        problem for problem, found in lengths.items() if len(found) > 1
    }


def _finished(turns: Iterable[TurnKey], facts: Mapping[TurnKey, TurnFacts]) -> frozenset[Conversation]:
    played: dict[Conversation, int] = {}
    for problem, method, _ in turns:
        played[problem, method] = played.get((problem, method), 0) + 1
    lengths = {(problem, method): each.turns for (problem, method, _), each in facts.items()}
    return frozenset(key for key, number in played.items() if number == lengths[key])


def _left(side: Side, methods: Container[str]) -> tuple[str, ...]:
    return tuple(method for method in side.methods if method not in methods)


def _unmatched(facts: Mapping[TurnKey, TurnFacts], problems: set[str]) -> tuple[str, ...]:
    return tuple(sorted({key[0] for key in facts} - problems))


def _lacking(
    here: Mapping[TurnKey, TurnFacts], there: Mapping[TurnKey, TurnFacts], compared: set[str]
) -> tuple[TurnKey, ...]:
    return tuple(sorted(key for key in here.keys() - there.keys() if key[0] in compared))


def _repeated(letter: str, side: Side) -> list[str]:
    return [f"{method} in {letter}" for method, arms in side.arms.items() if len(arms) > 1]


# They follow from the others, or from the machine: a run is not another one for them.
_SAYS_NOTHING = frozenset({"max_connections", "token_limit", "methods", "own_methods"})
# What a reader looks for first.
_FIRST = ("model", "holdtrue", "seed", "temperature", "max_tokens", "structured", "protocol", "extractor")


@dataclass(frozen=True, slots=True)
class Difference:
    """A setting with its value in A and in B; None where a run has no such setting."""

    setting: str
    a: Any
    b: Any


@dataclass(frozen=True, slots=True)
class Prompts:
    """The first prompts of the conversations that both runs have begun under one method.

    Of `compared` such prompts `same` are the same word for word. `unknown` could not be compared, because a call log
    is missing or lacks them.
    """

    method: str
    compared: int
    same: int
    unknown: int


def settings_that_differ(one: Mapping[str, Any], other: Mapping[str, Any]) -> tuple[Difference, ...]:
    """Return the settings that differ, the model, the version and the sampling first.

    Those of the kind of answers and of one's own methods are named like `play.ask` and `own_methods.two_tries.repairs`.
    """
    a, b = dict(_flat(one)), dict(_flat(other))
    names = [name for name in dict.fromkeys((*_FIRST, *a, *b)) if name not in _SAYS_NOTHING]
    return tuple(Difference(name, a.get(name), b.get(name)) for name in names if a.get(name) != b.get(name))


def _flat(settings: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    for name, value in settings.items():
        if name == "play":
            yield from _spread(name, value)
        elif name == "own_methods":
            for method, its in (value or {}).items():
                yield from _spread(f"{name}.{method}", its)
        else:
            yield name, value


def _spread(name: str, value: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(value, Mapping) and value:
        for key, each in value.items():
            yield from _spread(f"{name}.{key}", each)
    else:
        yield name, value


def compare_prompts(one: Side, other: Side, matched: Matched) -> tuple[Prompts, ...]:
    """Compare, method by method, the first prompts of the conversations that both have begun.

    Where a key is the same, so is its whole request; other prompts are read in the logs of calls.
    """
    places = {method: place for place, method in enumerate(matched.methods)}
    begun = sorted((key for key in matched.turns if key[2] == 1), key=lambda key: places[key[1]])
    pairs = [(key[1], one.turns[key].prompt, other.turns[key].prompt) for key in begun]
    asked = [(method, a, b) for method, a, b in pairs if a is not None and b is not None]
    theirs = [_said(side.folder, {pair[place] for pair in asked}) for place, side in ((1, one), (2, other))]
    found: dict[str, list[bool | None]] = {}
    for method, a, b in asked:
        first, second = theirs[0].get(a), theirs[1].get(b)
        known = None if first is None or second is None else first == second
        found.setdefault(method, []).append(True if a == b else known)
    return tuple(
        Prompts(method, len(same) - same.count(None), same.count(True), same.count(None))
        for method, same in found.items()
    )


def _said(folder: Path, keys: Collection[str | None]) -> dict[str, int]:
    """A checksum of the messages of each of these calls that is in the folder's log."""
    path = folder / CALLS_FILE
    if not keys or not path.is_file():
        return {}
    found: dict[str, int] = {}
    with path.open("rb") as file, path.open("rb") as texts:
        for place in scan(file, path):
            if place.key in keys:
                messages = read_call(texts, place.start, place.length, path).messages
                text = json.dumps([message.to_json() for message in messages])
                found[place.key] = crc32(text.encode())
    return found
