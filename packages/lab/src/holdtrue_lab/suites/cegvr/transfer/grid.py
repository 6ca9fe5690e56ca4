"""Grids to fill, and puzzles on them that have exactly one solution, or none because of one wrong clue."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cached_property
from random import Random
from typing import Literal

from holdtrue.kinds.search.problem import Difficulty, Gold, Requirement, SearchProblem
from holdtrue.logic.formula import AllDifferent, Formula, Or, Variable
from holdtrue.logic.sorts import IntSort
from holdtrue.solving.route import make_engine
from holdtrue_lab.suites.cegvr import NAME
from holdtrue_lab.suites.cegvr.notation import notation
from holdtrue_lab.suites.cegvr.prove import decided

Clues = Mapping[int, int]
"""Place -> number. Places count from 0, row by row."""


@dataclass(frozen=True)
class Grid:
    """One kind of square grid.

    `box` is the side of its boxes, 0 where it has none. `clues` says between how many and how many numbers are given,
    both included, by difficulty.
    """

    name: str
    title: str
    size: int
    box: int
    clues: Mapping[Difficulty, tuple[int, int]]

    @cached_property
    def variables(self) -> tuple[Variable, ...]:
        """The cells, row by row: `r1c1`, `r1c2`, ..."""
        sort = IntSort(1, self.size)
        steps = range(1, self.size + 1)
        return tuple(Variable(f"r{row}c{column}", sort) for row in steps for column in steps)

    @cached_property
    def groups(self) -> tuple[tuple[int, ...], ...]:
        """The places that have to differ: rows, columns, boxes."""
        size, box = self.size, self.box
        rows = [tuple(range(row * size, (row + 1) * size)) for row in range(size)]
        columns = [tuple(range(column, size * size, size)) for column in range(size)]
        boxes = [
            tuple((top + row) * size + left + column for row in range(box) for column in range(box))
            for top in range(0, size if box else 0, box or 1)
            for left in range(0, size, box or 1)
        ]
        return (*rows, *columns, *boxes)

    @cached_property
    def peers(self) -> tuple[frozenset[int], ...]:
        """For each place, the others that it must differ from."""
        return tuple(
            frozenset(other for group in self.groups if place in group for other in group) - {place}
            for place in range(self.size**2)
        )

    @cached_property
    def rules(self) -> tuple[Formula, ...]:
        """Return the formulas that a filled grid has to satisfy."""
        return tuple(AllDifferent(tuple(self.variables[place] for place in group)) for group in self.groups)

    def options(self, numbers: Clues, place: int) -> list[int]:
        """The numbers that no peer of the place has already."""
        taken = {numbers[peer] for peer in self.peers[place] if peer in numbers}
        return [number for number in range(1, self.size + 1) if number not in taken]

    def values(self, numbers: Clues) -> dict[str, int]:
        """The numbers by the names of their cells, row by row."""
        return {self.variables[place].name: numbers[place] for place in sorted(numbers)}


def fill(grid: Grid, rng: Random) -> dict[int, int]:
    """A filled grid, drawn at random: the most constrained place first, its numbers in random order."""
    numbers: dict[int, int] = {}
    if not _complete(grid, rng, numbers):
        raise RuntimeError(f"{grid.name}: no grid can be filled")  # every declared one can
    return numbers


def _complete(grid: Grid, rng: Random, numbers: dict[int, int]) -> bool:
    empty = [place for place in range(grid.size**2) if place not in numbers]
    if not empty:
        return True
    place, options = _narrowest(grid, numbers, empty)
    rng.shuffle(options)
    for number in options:
        numbers[place] = number
        if _complete(grid, rng, numbers):
            return True
        del numbers[place]
    return False


def _narrowest(grid: Grid, numbers: Clues, empty: Collection[int]) -> tuple[int, list[int]]:
    """The place with the fewest options left, and these; the first of several."""
    best: tuple[int, list[int]] | None = None
    for place in empty:
        options = grid.options(numbers, place)
        if best is None or len(options) < len(best[1]):
            best = place, options
            if len(options) < 2:
                break
    if best is None:
        raise ValueError("no place is empty")
    return best


SUDOKU4 = Grid(
    name="sudoku4",
    title="The variables are the cells of a 4 by 4 Sudoku, row by row.",
    size=4,
    box=2,
    clues={"easy": (9, 10), "medium": (7, 8), "hard": (5, 6)},
)
SUDOKU9 = Grid(
    name="sudoku9",
    title="The variables are the cells of a 9 by 9 Sudoku, row by row.",
    size=9,
    box=3,
    clues={"easy": (46, 50), "medium": (35, 39), "hard": (27, 30)},
)


LATIN5 = Grid(
    name="latin5",
    title="The variables are the cells of a Latin square of 5 rows and 5 columns, row by row.",
    size=5,
    box=0,
    clues={"easy": (15, 16), "medium": (12, 13), "hard": (9, 10)},
)


Clash = Literal["visible", "hidden"]


@dataclass(frozen=True, slots=True)
class WrongClue:
    """A number that no solution has there. `visible`: another clue of its row, column or box is the same number."""

    place: int
    number: int
    clash: Clash


class Puzzles:
    """Draws puzzles of one grid; one engine, which knows the rules, proves all of them."""

    def __init__(self, grid: Grid) -> None:
        self.grid = grid
        self._engine = make_engine(grid.variables, grid.rules)

    def draw(self, id: str, rng: Random, gold: Gold, difficulty: Difficulty) -> SearchProblem:
        """A puzzle of so many clues as the grid wants for that difficulty.

        An impossible one is a puzzle with one solution and a wrong clue more: where it is easy, the clash is visible
        among the clues of one row, column or box, else it has to be found. It has no more clues than the others.
        """
        low, high = self.grid.clues[difficulty]
        while True:
            solution = fill(self.grid, rng)
            wanted = rng.randint(low, high)
            clues = self._dig(rng, solution, wanted if gold == "sat" else wanted - 1)
            if clues is None:
                continue
            if gold == "sat":
                known = {"solutions": 1, "planted": self.grid.values(solution)}
                return self._problem(id, clues, gold, difficulty, known)
            wrong = self._wrong_clue(rng, solution, clues, "visible" if difficulty == "easy" else "hidden")
            if wrong is not None:
                known = {"solutions": 0, "wrong_clue": wrong.clash}
                return self._problem(id, {**clues, wrong.place: wrong.number}, gold, difficulty, known)

    def has_other(self, clues: Clues, solution: Clues) -> bool:
        """Return whether these clues have another solution than this one, which is forbidden to the solver."""
        variables = self.grid.variables
        other: Formula = Or(tuple(variables[place].ne(number) for place, number in solution.items()))
        return decided(self._engine, {"other": other}, self.grid.values(clues)) is not None

    def _dig(self, rng: Random, solution: Clues, wanted: int) -> dict[int, int] | None:
        """`wanted` clues, taken from the solution in random order, that no other solution has; None if it got stuck."""
        clues = dict(solution)
        for place in rng.sample(sorted(solution), len(solution)):
            if len(clues) == wanted:
                return clues
            number = clues.pop(place)
            if self.has_other(clues, solution):
                clues[place] = number
        return clues if len(clues) == wanted else None

    def _wrong_clue(self, rng: Random, solution: Clues, clues: Clues, clash: Clash) -> WrongClue | None:
        """One at an empty place, drawn among those that clash in this way; None if there is none.

        It makes the puzzle impossible because the clues have no other solution.
        """
        found: list[WrongClue] = []
        for place in sorted(solution.keys() - clues.keys()):
            options = self.grid.options(clues, place)
            for number in range(1, self.grid.size + 1):
                kind: Clash = "hidden" if number in options else "visible"
                if kind == clash and number != solution[place]:
                    found.append(WrongClue(place, number, kind))
        return rng.choice(found) if found else None

    def _problem(
        self, id: str, clues: Clues, gold: Gold, difficulty: Difficulty, known: dict[str, object]
    ) -> SearchProblem:
        grid = self.grid
        given = [grid.variables[place].eq(clues[place]) for place in sorted(clues)]
        return SearchProblem(
            id=id,
            suite=NAME,
            domain=grid.name,
            variables=grid.variables,
            constraints=tuple(
                Requirement(f"c{number}", notation(formula), formula)
                for number, formula in enumerate((*grid.rules, *given), start=1)
            ),
            gold=gold,
            difficulty=difficulty,
            setting=(grid.title,),
            metadata={"clues": len(clues), **known},
        )
