from __future__ import annotations

from collections.abc import Mapping
from itertools import permutations, product
from typing import Any

import pytest

from holdtrue.budget import UNLIMITED
from holdtrue.errors import RecordError
from holdtrue.lab.suites.verge.zebra import ZebraPuzzle, read_puzzle
from holdtrue.solving.explain.count_witnesses import count_witnesses
from holdtrue.solving.result import Satisfiable, WitnessCount
from holdtrue.solving.route import make_engine
from tests.data import DATA
from tests.lab.suites.verge.records import load_puzzles

RULES = DATA / "zebralogic" / "rules-shared.jsonl"
needs_zebra = pytest.mark.skipif(not RULES.exists(), reason="the ZebraLogic puzzles are not beside the repository")

SMALL: Mapping[str, Any] = {
    "id": "own",
    "size": "3*2",
    "domains": {"Name": ["Ann", "Bob", "Cy"], "Pet": ["cat", "dog", "owl"]},
    "constraints": [
        ["left", ["Name", "Ann"], ["Name", "Bob"], "Ann lives somewhere to the left of Bob"],
        ["notin", ["Name", "Cy"], 3, "Cy is not in the third house"],
        ["dleft", ["Name", "Cy"], ["Pet", "dog"], "Cy is directly left of the dog"],
        ["gap1", ["Pet", "cat"], ["Name", "Bob"], "There is one house between the cat and Bob"],
        ["same", ["Name", "Ann"], ["Pet", "dog"], "Ann has the dog"],
    ],
    "solution": [["1", "Cy", "cat"], ["2", "Ann", "dog"], ["3", "Bob", "owl"]],
}


def witnesses_by_trying(puzzle: ZebraPuzzle) -> list[dict[str, int]]:
    """All ways of giving the houses to the values that every clue allows: the naive twin of the engine."""
    found = []
    orders = list(permutations(range(1, puzzle.houses + 1)))
    for chosen in product(orders, repeat=len(puzzle.attributes)):
        values = dict(
            zip((v.name for v in puzzle.variables), (house for order in chosen for house in order), strict=True)
        )
        if all(formula.holds(values) for formula in puzzle.theory.values()):
            found.append(values)
    return found


def test_a_small_puzzle_has_just_its_solution() -> None:
    puzzle = read_puzzle(SMALL, "own")
    assert witnesses_by_trying(puzzle) == [puzzle.solution]
    assert puzzle.solution["Pet: owl"] == 3
    assert [clue.text for clue in puzzle.clues][1] == "Cy is not in the third house"


@pytest.mark.parametrize(
    ("kind", "pairs"),
    [
        ("same", {(1, 1), (2, 2), (3, 3), (4, 4)}),
        ("left", {(1, 2), (1, 3), (1, 4), (2, 3), (2, 4), (3, 4)}),
        ("right", {(2, 1), (3, 1), (4, 1), (3, 2), (4, 2), (4, 3)}),
        ("dleft", {(1, 2), (2, 3), (3, 4)}),
        ("dright", {(2, 1), (3, 2), (4, 3)}),
        ("nextto", {(1, 2), (2, 1), (2, 3), (3, 2), (3, 4), (4, 3)}),
        ("gap1", {(1, 3), (3, 1), (2, 4), (4, 2)}),
        ("gap2", {(1, 4), (4, 1)}),
    ],
)
def test_what_each_kind_of_clue_allows(kind: str, pairs: set[tuple[int, int]]) -> None:
    record = {
        "id": "own",
        "size": "4*2",
        "domains": {"A": ["a", "a2", "a3", "a4"], "B": ["b", "b2", "b3", "b4"]},
        "constraints": [[kind, ["A", "a"], ["B", "b"], "words"]],
        "solution": [[str(n), f"a{n if n > 1 else ''}", f"b{n if n > 1 else ''}"] for n in range(1, 5)],
    }
    formula = read_puzzle(record, "own").theory["C1"]
    allowed = {(a, b) for a in range(1, 5) for b in range(1, 5) if formula.holds({"A: a": a, "B: b": b})}
    assert allowed == pairs


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"size": "2*3"}, "size"),
        ({"domains": {"Name": ["Ann", "Bob"], "Pet": ["cat"]}}, "same number"),
        ({"domains": {"Name": ["Ann", "Ann", "Cy"], "Pet": ["cat", "dog", "owl"]}}, "different values"),
        ({"constraints": [["beside", ["Name", "Ann"], ["Name", "Bob"], ""]]}, "none of same"),
        ({"constraints": [["in", ["Name", "Ann"], 4, ""]]}, "no house 4"),
        ({"constraints": [["in", ["Name", "Ann"], True, ""]]}, "a whole number is needed"),
        ({"constraints": [["same", ["Name", "Dan"], ["Name", "Bob"], ""]]}, "no attribute with one of its values"),
        ({"constraints": [["same", ["Name"], ["Name", "Bob"], ""]]}, "no attribute with one of its values"),
        ({"constraints": [["same"]]}, "are needed"),
        ({"solution": [["1", "Cy", "cat"]]}, "not every value has a house"),
        ({"solution": [["2", "Cy", "cat"]]}, "the house 1"),
        ({"domains": 3}, "an object is needed"),
    ],
)
def test_what_cannot_be_a_puzzle_is_named(change: Mapping[str, Any], message: str) -> None:
    with pytest.raises(RecordError, match=message) as raised:
        read_puzzle({**SMALL, **change}, "line 7")
    assert str(raised.value).startswith("line 7")


@needs_zebra
def test_all_puzzles_are_solved_and_have_no_other_solution() -> None:
    puzzles = load_puzzles(RULES)
    for puzzle in puzzles:
        engine = make_engine(puzzle.variables, puzzle.laws)
        found = engine.decide(puzzle.theory, UNLIMITED)
        assert isinstance(found, Satisfiable) and dict(found.witness) == puzzle.solution, puzzle.id
        assert count_witnesses(engine, puzzle.theory, UNLIMITED, most=2) == WitnessCount(1, True), puzzle.id
    assert len(puzzles) == 300
