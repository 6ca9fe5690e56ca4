"""Puzzles on a grid that have exactly one solution, and such that a wrong clue made impossible."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Literal

from holdtrue.kinds.search.problem import Difficulty, Gold, Requirement, SearchProblem
from holdtrue.lab.suites.cegvr import NAME
from holdtrue.lab.suites.cegvr.notation import notation
from holdtrue.lab.suites.cegvr.prove import decided
from holdtrue.lab.suites.cegvr.transfer.grid import Clues, Grid, fill
from holdtrue.logic.formula import Formula, Or
from holdtrue.solving.route import make_engine

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
