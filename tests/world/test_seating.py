"""Each seating constraint against the facts, written down a second time by walking around the table."""

from __future__ import annotations

from collections.abc import Callable
from itertools import permutations, product
from typing import Any

import pytest

from holdtrue.errors import ConstraintError, DomainError
from holdtrue.logic.evaluate import compile_formula, evaluate
from holdtrue.world.instance import Instance
from holdtrue.world.seating import SEATING

Predicate = Callable[[int, int, int], bool]
"""Over the seats of A and B and the number of seats."""


def _next(seat: int, seats: int) -> int:
    return 1 if seat == seats else seat + 1


def _steps(start: int, goal: int, seats: int) -> int:
    """Steps from one seat to the other, walking upwards and from the last seat on to the first."""
    steps = 0
    while start != goal:
        start, steps = _next(start, seats), steps + 1
    return steps


def _neighbours(a: int, b: int, seats: int) -> bool:
    return _next(a, seats) == b or _next(b, seats) == a


def _seats_between(a: int, b: int, seats: int) -> int:
    return min(_steps(a, b, seats), _steps(b, a, seats)) - 1


PAIRS: dict[str, Predicate] = {
    "adjacent": _neighbours,
    "not_adjacent": lambda a, b, seats: not _neighbours(a, b, seats),
    "left_of": lambda a, b, seats: a == _next(b, seats),
}


def _table(seats: int, shape: str = "round") -> Instance:
    return SEATING.instance(["A", "B"], {"num_entities": seats, "table_shape": shape})


def _agrees(instance: Instance, kind: str, args: list[Any], holds: Predicate) -> None:
    seats = instance.context["num_entities"]
    check = compile_formula(instance.formula(instance.constraint(kind, args)))
    for a, b in permutations(range(1, seats + 1), 2):
        assert check({"A.seat": a, "B.seat": b}) == holds(a, b, seats), (kind, args, a, b, seats)


@pytest.mark.parametrize("shape", ["round", "rectangular"])
@pytest.mark.parametrize("kind", PAIRS)
def test_pairs_on_tables_of_every_size(kind: str, shape: str) -> None:
    for seats in range(2, 10):
        _agrees(_table(seats, shape), kind, ["A", "B"], PAIRS[kind])


@pytest.mark.parametrize("shape", ["round", "rectangular"])
def test_separated_counts_the_seats_on_the_shorter_way(shape: str) -> None:
    for seats in range(2, 10):
        for least in range(seats + 1):
            _agrees(
                _table(seats, shape),
                "separated_by",
                ["A", "B", least],
                lambda a, b, n, least=least: _seats_between(a, b, n) >= least,  # type: ignore[misc]
            )


def test_at_position_is_one_seat_and_there_is_no_seat_0() -> None:
    table = _table(5)
    for seat, actual in product(range(1, 6), repeat=2):
        formula = table.formula(table.constraint("at_position", ["A", seat]))
        assert evaluate(formula, {"A.seat": actual}) == (seat == actual)
    for given in (0, 6):
        with pytest.raises(ConstraintError, match=r"is not in 1\.\.5"):
            table.constraint("at_position", ["A", given])


def test_sides_are_the_two_halves_of_an_even_rectangular_table() -> None:
    for seats in (2, 4, 6, 8):
        first = set(range(1, seats + 1)[: seats // 2])

        def same(a: int, b: int, seats: int, first: set[int] = first) -> bool:
            return len(first & {a, b}) != 1

        _agrees(_table(seats, "rectangular"), "same_side", ["A", "B"], same)
        _agrees(
            _table(seats, "rectangular"),
            "opposite_side",
            ["A", "B"],
            lambda a, b, n, same=same: not same(a, b, n),  # type: ignore[misc]
        )


@pytest.mark.parametrize(("seats", "shape"), [(6, "round"), (7, "rectangular")])
def test_other_tables_have_no_sides(seats: int, shape: str) -> None:
    for kind in ("same_side", "opposite_side"):
        with pytest.raises(ConstraintError) as error:
            _table(seats, shape).constraint(kind, ["A", "B"])
        assert error.value.code == "not_applicable"


def test_nobody_shares_a_seat() -> None:
    table = SEATING.instance(["A", "B", "C"])
    (apart,) = map(compile_formula, table.background)
    for seats in product(range(1, 4), repeat=3):
        values = dict(zip(table.variables, seats, strict=True))
        assert apart(values) == (len(set(seats)) == 3)


def test_the_setting_has_defaults_and_limits() -> None:
    table = SEATING.instance(["A", "B", "C"])
    assert table.context == {"num_entities": 3, "table_shape": "round"}
    assert {str(variable.sort) for variable in table.variables.values()} == {"1..3"}
    for context in ({"num_entities": 2}, {"num_entities": "3"}, {"num_entities": True}, {"table_shape": "oval"}):
        with pytest.raises(DomainError, match="seating"):
            SEATING.instance(["A", "B", "C"], context)


@pytest.mark.parametrize("kind", ["adjacent", "not_adjacent", "separated_by", "same_side", "opposite_side"])
def test_symmetric_types_have_one_canonical_form(kind: str) -> None:
    table = _table(6, "rectangular")
    more = [2] if kind == "separated_by" else []
    there, back = table.constraint(kind, ["A", "B", *more]), table.constraint(kind, ["B", "A", *more])
    assert table.canonical(there) == table.canonical(back)
