"""Matching of the turns of two runs, and the lists of unmatched ones."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

from hypothesis import given
from hypothesis import strategies as st

from holdtrue_lab.kit.arm import Arm
from holdtrue_lab.kit.folder import Run
from holdtrue_lab.kit.two_runs.changes import (
    ChangeKind,
    compare_costs,
    count_changes,
    find_changes,
    kind_of,
)
from holdtrue_lab.kit.two_runs.matching import Side, TurnFacts, TurnKey, match

TALLIES = st.none() | st.sampled_from([(0, 1), (1, 1), (2, 3), (1, 2), (0, 0)])
FACTS = st.builds(
    TurnFacts,
    asked=st.sampled_from([1, 1, 1, 2]),
    answer=st.integers(0, 2),
    turns=st.sampled_from([2, 2, 2, 3]),
    tally=TALLIES,
    outcome=st.sampled_from(["drift", "consistent"]),
    calls=st.integers(0, 5),
    tokens=st.integers(0, 99),
    seconds=st.floats(0, 9),
    prompt=st.none() | st.sampled_from("ab"),
    place=st.just(0),
)
KEYS = st.tuples(st.sampled_from("pqr"), st.sampled_from(["direct", "cot", "own"]), st.integers(1, 2))
TURNS = st.dictionaries(KEYS, FACTS, max_size=12)


def side(turns: Mapping[TurnKey, TurnFacts]) -> Side:
    arms: dict[str, tuple[Arm, ...]] = {key[1]: (Arm("drift", "m", "p", "e", key[1]),) for key in turns}
    run = Run(folder=Path(), settings={}, planned=None, finished=0, failed=0, measured=cast(Any, None))
    return Side(Path(), run, turns, arms)


@given(TURNS, TURNS)
def test_every_turn_is_compared_or_told_of(ours: dict[TurnKey, TurnFacts], theirs: dict[TurnKey, TurnFacts]) -> None:
    found = match(side(ours), side(theirs))
    for place, (turns, other) in enumerate(((ours, theirs), (theirs, ours))):
        for key in turns:
            problem, method, _ = key
            told = (
                key in found.turns,
                method in found.methods_only[place],
                method not in found.methods_only[place] and problem in found.problems_only[place],
                method not in found.methods_only[place] and problem in found.worded_otherwise,
                key in found.turns_only[place],
            )
            assert sum(told) == 1, key
            assert (key in found.turns) <= (key in other)


@given(TURNS, TURNS)
def test_problems_are_the_same_only_if_all_that_was_asked_is(
    ours: dict[TurnKey, TurnFacts], theirs: dict[TurnKey, TurnFacts]
) -> None:
    found = match(side(ours), side(theirs))
    for problem in {key[0] for key in found.turns}:
        of_both = [(key, each) for turns in (ours, theirs) for key, each in turns.items() if key[0] == problem]
        both = [(key[2], each) for key, each in of_both if key[1] in found.methods]
        assert len({each.turns for _, each in both}) == 1
        for turn in (1, 2):
            assert len({each.asked for number, each in both if number == turn}) <= 1
    for problem, method in found.finished:
        turns = [key for key in found.turns if key[:2] == (problem, method)]
        assert len(turns) == ours[turns[0]].turns == theirs[turns[0]].turns


@given(TURNS, TURNS)
def test_the_other_way_round_fixed_is_broken(ours: dict[TurnKey, TurnFacts], theirs: dict[TurnKey, TurnFacts]) -> None:
    turned = {ChangeKind.FIXED: ChangeKind.BROKEN, ChangeKind.BROKEN: ChangeKind.FIXED}
    a, b = side(ours), side(theirs)
    there, back = match(a, b), match(b, a)
    assert there.turns == back.turns and there.finished == back.finished
    changes, others = find_changes(a, b, there), find_changes(b, a, back)
    assert {(each.problem, each.method, each.turn, turned.get(each.kind, each.kind)) for each in changes} == {
        (each.problem, each.method, each.turn, each.kind) for each in others
    }
    assert find_changes(a, a, match(a, a)) == ()


@given(TURNS, TURNS)
def test_counts_and_costs_are_those_of_the_turns(
    ours: dict[TurnKey, TurnFacts], theirs: dict[TurnKey, TurnFacts]
) -> None:
    a, b = side(ours), side(theirs)
    matched = match(a, b)
    changes = find_changes(a, b, matched)
    for counted in count_changes(changes, matched):
        kinds = [kind_of(ours[key], theirs[key]) for key in matched.turns if key[1] == counted.method]
        assert counted.turns == len(kinds) == counted.same + sum(counted.changed.values())
        assert counted.same == kinds.count(None)
        assert all(kinds.count(kind) == number for kind, number in counted.changed.items())
    for cost in compare_costs(a, b, matched):
        keys = [key for key in matched.turns if key[1] == cost.method]
        assert cost.turns == len(keys)
        assert round(cost.a.calls * cost.turns) == sum(ours[key].calls for key in keys)
        assert round(cost.b.tokens * cost.turns) == sum(theirs[key].tokens for key in keys)
    ranks = {ChangeKind.FIXED: 0, ChangeKind.BROKEN: 0, ChangeKind.OUTCOME: 1, ChangeKind.ANSWER: 2}
    order = [(ranks[each.kind], each.problem, each.turn, each.method) for each in changes]
    assert order == sorted(order), "what was fixed or broken comes first"
