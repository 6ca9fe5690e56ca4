"""Grids: what has to differ, and grids that are filled at random."""

from __future__ import annotations

from random import Random

import pytest

from holdtrue.lab.suites.cegvr.transfer.grid import LATIN5, SUDOKU4, SUDOKU9, Grid, fill
from tests.lab.suites.cegvr.transfer.naive import count_solutions

GRIDS = pytest.mark.parametrize("grid", [SUDOKU4, SUDOKU9, LATIN5], ids=lambda grid: grid.name)


def test_groups_of_a_small_sudoku() -> None:
    assert SUDOKU4.groups[0] == (0, 1, 2, 3)
    assert SUDOKU4.groups[4] == (0, 4, 8, 12)
    assert SUDOKU4.groups[8:] == ((0, 1, 4, 5), (2, 3, 6, 7), (8, 9, 12, 13), (10, 11, 14, 15))
    assert [variable.name for variable in SUDOKU4.variables[:5]] == ["r1c1", "r1c2", "r1c3", "r1c4", "r2c1"]
    assert SUDOKU4.peers[5] == {4, 6, 7, 1, 9, 13, 0}


def test_a_latin_square_has_no_boxes() -> None:
    assert len(LATIN5.groups) == len(LATIN5.rules) == 10
    assert len(SUDOKU9.groups) == 27


@GRIDS
def test_a_filled_grid_keeps_the_rules(grid: Grid) -> None:
    fills = [fill(grid, Random(seed)) for seed in range(5)]
    for numbers in fills:
        assert all(rule.holds(grid.values(numbers)) for rule in grid.rules)
        cells = {divmod(place, grid.size): number for place, number in numbers.items()}
        assert count_solutions(grid.size, grid.box, cells) == 1
    assert len({tuple(sorted(numbers.items())) for numbers in fills}) == 5
    assert fill(grid, Random(0)) == fills[0]


def test_options_are_what_no_peer_has() -> None:
    assert SUDOKU4.options({1: 2, 12: 3, 15: 4}, 0) == [1, 4]
