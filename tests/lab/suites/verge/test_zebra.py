from __future__ import annotations

import time
from collections import Counter
from collections.abc import Mapping
from itertools import product
from statistics import median
from typing import Any

import pytest

from bench.programs.grounding import variables_of
from holdtrue.budget import UNLIMITED
from holdtrue.errors import RecordError
from holdtrue.solving.explain.possible_values import count_witnesses
from holdtrue.solving.result import Satisfiable, WitnessCount
from holdtrue.solving.route import make_engine
from holdtrue_claims.fol.naming import thing_text
from holdtrue_claims.solving.sentence_grounding import fact_name
from holdtrue_lab.kinds.claims.item import Item
from holdtrue_lab.suites.verge.zebra import zebra_item
from tests.data import DATA, read_jsonl
from tests.lab.suites.verge.gold_verdict import gives_the_answer, grounded

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


def witnesses_by_trying(item: Item) -> list[dict[str, int]]:
    """Return all assignments of houses to values that every sentence allows, as a naive twin of the engine."""
    assert item.gold is not None
    premises, _, _ = grounded(item)
    values = [fact_name("house", (thing_text(entity.name),)) for entity in item.gold.vocabulary.entities]
    tried = (dict(zip(values, chosen, strict=True)) for chosen in product(range(1, 4), repeat=len(values)))
    return [each for each in tried if all(formula.holds(each) for formula in premises.values())]


def solution_of(record: Mapping[str, Any]) -> dict[str, int]:
    """Return the record's solution; a value that two attributes have is named with its attribute."""
    met = Counter(value for values in record["domains"].values() for value in values)
    return {
        fact_name("house", (thing_text(value if met[value] == 1 else f"{value} ({attribute})"),)): int(house)
        for house, *values in record["solution"]
        for attribute, value in zip(record["domains"], values, strict=True)
    }


def test_a_small_puzzle_has_just_its_solution() -> None:
    item = zebra_item(SMALL, "own")
    assert witnesses_by_trying(item) == [solution_of(SMALL)]
    assert item.sentences[4] == "Cy is not in the third house."
    assert gives_the_answer(item)


def test_a_value_of_two_attributes_is_told_with_its_attribute() -> None:
    domains = {"Name": ["Ann", "Rex", "Cy"], "Pet": ["Rex", "dog", "owl"]}
    solution = [["1", "Ann", "Rex"], ["2", "Rex", "dog"], ["3", "Cy", "owl"]]
    item = zebra_item({**SMALL, "domains": domains, "constraints": [], "solution": solution}, "own")
    assert item.gold is not None
    names = [entity.name for entity in item.gold.vocabulary.entities]
    assert names == ["Ann", "Rex (Name)", "Cy", "Rex (Pet)", "dog", "owl"]


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
    formula = grounded(zebra_item(record, "own"))[0]["P4"]
    allowed = {(a, b) for a in range(1, 5) for b in range(1, 5) if formula.holds({"house(a)": a, "house(b)": b})}
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
        zebra_item({**SMALL, **change}, "line 7")
    assert str(raised.value).startswith("line 7")


@needs_zebra
def test_all_puzzles_are_solved_and_have_no_other_solution() -> None:
    records, took = read_jsonl(RULES), []
    for record in records:
        item, started = zebra_item(record, record["id"]), time.process_time()
        premises, _, always = grounded(item)
        engine = make_engine(variables_of([*premises.values(), *always]), always)
        found = engine.decide(premises, UNLIMITED)
        assert isinstance(found, Satisfiable) and dict(found.witness) == solution_of(record), item.id
        assert count_witnesses(engine, premises, UNLIMITED, most=2) == WitnessCount(1, True), item.id
        took.append(time.process_time() - started)
    print(f"\nZebraLogic: {len(records)} puzzles, each with one solution; median {1000 * median(took):.0f} ms")
    assert len(records) == 300
