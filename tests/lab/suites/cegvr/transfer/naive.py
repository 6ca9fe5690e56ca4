"""Naive twins without formulas or solvers: they count solutions of grids, and place jobs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product

from holdtrue.kinds.search.problem import SearchProblem
from holdtrue.logic.formula import Compare

Cells = dict[tuple[int, int], int]


def clues_of(problem: SearchProblem) -> Cells:
    """Return the given numbers by row and column from 0, parsed from the constraints' texts."""
    found: Cells = {}
    for constraint in problem.constraints:
        if isinstance(constraint.formula, Compare):
            cell, number = constraint.text.split(" = ")
            row, column = cell.removeprefix("r").split("c")
            found[int(row) - 1, int(column) - 1] = int(number)
    return found


def count_solutions(size: int, box: int, clues: Cells, most: int = 2) -> int:
    """Return the number of ways to fill the grid, counted up to `most`; `box` 0 means no boxes."""
    if any(number in _seen(size, box, clues, cell) for cell, number in clues.items()):
        return 0
    return _count(size, box, dict(clues), most)


def _count(size: int, box: int, cells: Cells, most: int) -> int:
    steps = range(size)
    empty = [(row, column) for row in steps for column in steps if (row, column) not in cells]
    if not empty:
        return 1
    free = {cell: set(range(1, size + 1)) - _seen(size, box, cells, cell) for cell in empty}
    cell = min(empty, key=lambda cell: len(free[cell]))
    count = 0
    for number in sorted(free[cell]):
        cells[cell] = number
        count += _count(size, box, cells, most - count)
        del cells[cell]
        if count >= most:
            break
    return count


def _seen(size: int, box: int, cells: Cells, cell: tuple[int, int]) -> set[int]:
    """Return the numbers of the cells that this one must differ from."""
    row, column = cell
    found = set()
    for (other_row, other_column), number in cells.items():
        same_box = box and row // box == other_row // box and column // box == other_column // box
        if (other_row, other_column) != cell and (row == other_row or column == other_column or same_box):
            found.add(number)
    return found


def orderly(
    durations: Sequence[int],
    before: Sequence[tuple[int, int]],
    machines: Sequence[Sequence[int]],
    starts: Sequence[int],
) -> bool:
    """Return whether jobs with these starts keep their order, and no machine does two jobs in an hour."""
    hours = [set(range(start, start + duration)) for start, duration in zip(starts, durations, strict=True)]
    if any(max(hours[first]) >= min(hours[then]) for first, then in before):
        return False
    return all(
        hours[one].isdisjoint(hours[other])
        for machine in machines
        for one in machine
        for other in machine
        if one < other
    )


def every_start(durations: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Yield all starts within the time that the jobs take one after the other."""
    return product(range(sum(durations) + 1), repeat=len(durations))


def by_number(values: Mapping[str, int]) -> list[int]:
    """Return the values of s1, s2, ..., in this order."""
    return [values[f"s{number}"] for number in range(1, len(values) + 1)]
