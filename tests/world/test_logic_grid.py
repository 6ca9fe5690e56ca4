"""Each logic-grid constraint against the facts, written down a second time over labels and their list order."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import Any

import pytest

from holdtrue.errors import DomainError
from holdtrue.logic.evaluate import compile_formula, evaluate
from holdtrue.world.instance import Instance
from holdtrue.world.logic_grid import LOGIC_GRID

# The order of a category is that of its list, here not alphabetical and not by length.
DRINKS = ["Tea", "Ale", "Coffee", "Milk"]
SIZES = ["small", "huge", "medium", "tiny", "large"]
GRID = LOGIC_GRID.instance(["Ann", "Bob", "Cid", "Dee"], {"categories": {"drink": DRINKS, "size": SIZES}})
LISTS = {"drink": DRINKS, "size": SIZES}


def _agrees(kind: str, args: list[Any], category: str, holds: Callable[[str, str], bool]) -> None:
    """`holds` over the labels of Ann and Bob in the category."""
    check = compile_formula(GRID.formula(GRID.constraint(kind, args)))
    labels = LISTS[category]
    for ann, bob in product(labels, repeat=2):
        values = {f"Ann.{category}": labels.index(ann), f"Bob.{category}": labels.index(bob)}
        assert check(values) == holds(ann, bob), (kind, args, ann, bob)


@pytest.mark.parametrize(("category", "label"), [(name, label) for name in LISTS for label in LISTS[name]])
def test_assigned_or_not_is_about_one_value(category: str, label: str) -> None:
    _agrees("assign", ["Ann", category, label], category, lambda ann, bob: ann == label)
    _agrees("not_assign", ["Bob", category, label], category, lambda ann, bob: bob != label)


@pytest.mark.parametrize("category", LISTS)
def test_same_different_and_ordered(category: str) -> None:
    places = {label: place for place, label in enumerate(LISTS[category])}
    _agrees("same_as", ["Ann", "Bob", category], category, lambda ann, bob: ann == bob)
    _agrees("different", ["Ann", "Bob", category], category, lambda ann, bob: ann != bob)
    _agrees("ordered", ["Ann", "Bob", category], category, lambda ann, bob: places[ann] < places[bob])
    _agrees("ordered", ["Bob", "Ann", category], category, lambda ann, bob: places[bob] < places[ann])


def _lawful(grid: Instance, values: dict[str, int]) -> bool:
    return all(evaluate(formula, values) for formula in grid.background)


def test_within_a_category_no_two_share_a_value() -> None:
    grid = LOGIC_GRID.instance(["Ann", "Bob"], {"categories": {"drink": DRINKS[:3], "size": SIZES[:3]}})
    for drinks, sizes in product(product(range(3), repeat=2), repeat=2):
        values = {
            "Ann.drink": drinks[0],
            "Bob.drink": drinks[1],
            "Ann.size": sizes[0],
            "Bob.size": sizes[1],
        }
        assert _lawful(grid, values) == (drinks[0] != drinks[1] and sizes[0] != sizes[1])


def test_the_default_categories_are_those_of_the_benchmark() -> None:
    grid = LOGIC_GRID.instance(["Ann", "Bob", "Cid", "Dee"])
    assert {name: attribute.sort.size for name, attribute in grid.attributes.items()} == {
        "color": 4,
        "pet": 4,
        "profession": 4,
    }
    assert str(grid.variables["Ann.color"].sort) == "{Red, Blue, Green, Yellow}"
    assert str(grid.variables["Ann.pet"].sort) == "{Cat, Dog, Bird, Fish}"
    assert str(grid.variables["Ann.profession"].sort) == "{Doctor, Artist, Teacher, Chef}"


@pytest.mark.parametrize(
    "categories",
    [{}, [], {"drink": ["Tea"]}, {"drink": "Tea"}, {"drink": [1, 2, 3, 4]}, {"drink": ["Tea", "Ale", "Milk", "tea"]}],
)
def test_categories_must_have_enough_different_names(categories: object) -> None:
    with pytest.raises(DomainError):
        LOGIC_GRID.instance(["Ann", "Bob", "Cid", "Dee"], {"categories": categories})


def test_same_and_different_have_one_spelling() -> None:
    for kind in ("same_as", "different"):
        there, back = (GRID.constraint(kind, [*pair, "drink"]) for pair in (["Ann", "Bob"], ["Bob", "Ann"]))
        assert GRID.canonical(there) == GRID.canonical(back)
    there, back = (GRID.constraint("ordered", [*pair, "drink"]) for pair in (["Ann", "Bob"], ["Bob", "Ann"]))
    assert GRID.canonical(there) != GRID.canonical(back)
