"""Grids and puzzles: the cells that must differ, random grids, and puzzles with one solution or none."""

from __future__ import annotations

from random import Random
from typing import get_args

import pytest

from holdtrue.budget import Budget
from holdtrue.kinds.search.certifier import Certifier
from holdtrue.kinds.search.problem import Difficulty, Gold, SearchProblem
from holdtrue.record import AnswerStatus
from holdtrue.world.answer import Assignment
from holdtrue_lab.suites.cegvr.transfer import LATIN5, SUDOKU4, SUDOKU9, Grid, Puzzles, fill
from tests.lab.suites.cegvr.transfer.naive import clues_of, count_solutions

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


DIFFICULTIES: tuple[Difficulty, ...] = get_args(Difficulty)


def drawn(grid: Grid, gold: Gold, count: int = 2) -> list[SearchProblem]:
    """Return puzzles of each difficulty."""
    puzzles = Puzzles(grid)
    return [puzzles.draw("p", Random(seed), gold, difficulty) for difficulty in DIFFICULTIES for seed in range(count)]


@GRIDS
@pytest.mark.slow
def test_a_puzzle_has_exactly_one_solution(grid: Grid) -> None:
    for problem in drawn(grid, "sat"):
        clues = clues_of(problem)
        assert count_solutions(grid.size, grid.box, clues) == 1
        assert problem.difficulty is not None
        low, high = grid.clues[problem.difficulty]
        assert low <= len(clues) == problem.metadata["clues"] <= high
        planted = problem.metadata["planted"]
        assert all(formula.holds(planted) for formula in problem.formulas.values())


@GRIDS
def test_an_impossible_one_has_none_and_no_more_clues(grid: Grid) -> None:
    for problem in drawn(grid, "unsat"):
        clues = clues_of(problem)
        assert count_solutions(grid.size, grid.box, clues) == 0
        assert problem.difficulty is not None
        low, high = grid.clues[problem.difficulty]
        assert low <= len(clues) == problem.metadata["clues"] <= high
        repeated = any(
            len(here := [clues[cell] for cell in cells if cell in clues]) > len(set(here))
            for cells in ([divmod(place, grid.size) for place in group] for group in grid.groups)
        )
        assert problem.metadata["wrong_clue"] == ("visible" if repeated else "hidden")
        assert repeated is (problem.difficulty == "easy")


@pytest.mark.parametrize("grid", [SUDOKU4, LATIN5], ids=lambda grid: grid.name)
def test_without_the_wrong_clue_it_is_a_puzzle(grid: Grid) -> None:
    for problem in drawn(grid, "unsat"):
        clues = clues_of(problem)
        others = ({cell: number for cell, number in clues.items() if cell != one} for one in clues)
        assert any(count_solutions(grid.size, grid.box, left) == 1 for left in others)


def test_another_solution_is_found_where_there_is_one() -> None:
    puzzles = Puzzles(SUDOKU4)
    solution = fill(SUDOKU4, Random(0))
    assert puzzles.has_other({}, solution)
    assert puzzles.has_other({0: solution[0]}, solution)
    assert not puzzles.has_other(solution, solution)


@GRIDS
def test_a_filled_grid_that_ignores_the_clues_is_refused(grid: Grid) -> None:
    for problem in drawn(grid, "sat", 1):
        certifier = Certifier(problem.variables, problem.formulas, Budget())
        planted = problem.metadata["planted"]
        assert certifier.certify(Assignment(planted)).answer is AnswerStatus.RESPECTING
        another = next(values for seed in range(9) if (values := grid.values(fill(grid, Random(seed)))) != planted)
        verdict = certifier.certify(Assignment(another))
        assert verdict.answer is AnswerStatus.VIOLATING
        rules = [f"c{number}" for number in range(1, len(grid.rules) + 1)]
        assert verdict.violated
        assert not set(verdict.violated) & set(rules)
        assert "engine" not in vars(certifier)
