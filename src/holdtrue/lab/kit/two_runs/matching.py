"""Match the turns of two runs: the same problem, asked the same, under the same method. What has no match is listed."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass

from holdtrue.lab.kit.two_runs.side import Conversation, Side, TurnFacts, TurnKey


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
