"""This module generates the transfer sets: Sudokus, Latin squares and schedules.

They test whether results about sums are also valid for other problems. A grid puzzle has exactly one solution, or none
because of one wrong clue. A schedule orders jobs with shared machines; its deadline is possible or just out of reach.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from random import Random
from typing import Literal

from holdtrue.budget import UNLIMITED
from holdtrue.errors import SettingsError
from holdtrue.kinds.search.problem import Difficulty, Gold, Requirement, SearchProblem
from holdtrue.logic.formula import AllDifferent, Formula, Or, Variable
from holdtrue.logic.sorts import IntSort
from holdtrue.solving.engine import EngineFault
from holdtrue.solving.explain.mus import mus, smallest_mus
from holdtrue.solving.result import Mus, SmallestMus, Witness
from holdtrue.solving.route import make_engine
from holdtrue_lab.suites.cegvr import NAME
from holdtrue_lab.suites.cegvr.files import notation
from holdtrue_lab.suites.cegvr.prove import DIFFICULTIES, decided, proved

Clues = Mapping[int, int]
"""Numbers by place. Places count from 0, row by row."""


@dataclass(frozen=True)
class Grid:
    """A `Grid` declares a kind of square grid.

    `box` is the side of the grid's boxes, or 0 for no boxes. `clues` has the fewest and the most clues by difficulty.
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
        """The places of each row, column and box; their numbers have to differ."""
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
        """The peers of each place, which are the other places with other numbers than this place."""
        return tuple(
            frozenset(other for group in self.groups if place in group for other in group) - {place}
            for place in range(self.size**2)
        )

    @cached_property
    def rules(self) -> tuple[Formula, ...]:
        """The formulas that a filled grid has to satisfy."""
        return tuple(AllDifferent(tuple(self.variables[place] for place in group)) for group in self.groups)

    def options(self, numbers: Clues, place: int) -> list[int]:
        """Return the numbers that no peer of the place has."""
        taken = {numbers[peer] for peer in self.peers[place] if peer in numbers}
        return [number for number in range(1, self.size + 1) if number not in taken]

    def values(self, numbers: Clues) -> dict[str, int]:
        return {self.variables[place].name: numbers[place] for place in sorted(numbers)}


def fill(grid: Grid, rng: Random) -> dict[int, int]:
    """Return a random filled grid. Fill the most constrained place first, and try numbers in random order."""
    numbers: dict[int, int] = {}
    if not _complete(grid, rng, numbers):
        raise RuntimeError(f"{grid.name}: no grid can be filled")  # every declared grid can be filled
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
    """Return the first place with the fewest options left, and these options."""
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
    """A clue with a number that no solution has at this place; it clashes visibly if a peer's clue has this number."""

    place: int
    number: int
    clash: Clash


class Puzzles:
    """A `Puzzles` draws puzzles of one grid, with one engine for the rules of all of them."""

    def __init__(self, grid: Grid) -> None:
        self.grid = grid
        self._engine = make_engine(grid.variables, grid.rules)

    def draw(self, id: str, rng: Random, gold: Gold, difficulty: Difficulty) -> SearchProblem:
        """Draw a puzzle with the number of clues that the grid has for this difficulty.

        An impossible puzzle has one solution until a wrong clue is added, and as many clues as a possible puzzle. If
        the puzzle is easy, the clash is visible in a row, column or box; otherwise it has to be inferred.
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
        """Return whether these clues have another solution than `solution`."""
        variables = self.grid.variables
        other: Formula = Or(tuple(variables[place].ne(number) for place, number in solution.items()))
        return decided(self._engine, {"other": other}, self.grid.values(clues)) is not None

    def _dig(self, rng: Random, solution: Clues, wanted: int) -> dict[int, int] | None:
        """Return `wanted` clues that only this solution has, or None if that needs more clues."""
        clues = dict(solution)
        for place in rng.sample(sorted(solution), len(solution)):
            if len(clues) == wanted:
                return clues
            number = clues.pop(place)
            if self.has_other(clues, solution):
                clues[place] = number
        return clues if len(clues) == wanted else None

    def _wrong_clue(self, rng: Random, solution: Clues, clues: Clues, clash: Clash) -> WrongClue | None:
        """Return a random wrong clue at an empty place that clashes in this way; None if there is none.

        The wrong clue makes the puzzle impossible, because the other clues have only one solution.
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


_JOBS: dict[Difficulty, int] = {"easy": 4, "medium": 5, "hard": 6}
_SLACK: dict[Difficulty, tuple[int, int]] = {"easy": (3, 4), "medium": (1, 2), "hard": (0, 0)}
"""The hours between the earliest possible end and a possible deadline, by difficulty."""
_SHORTAGE: dict[Difficulty, tuple[int, int]] = {"easy": (3, 4), "medium": (2, 2), "hard": (1, 1)}
"""The hours between an impossible deadline and the earliest possible end, by difficulty."""


@dataclass(frozen=True, slots=True)
class Shop:
    """A `Shop` describes jobs, numbered from 0.

    It has the jobs' durations, the precedences `before` (pairs of an earlier and a later job), and each machine's jobs.
    """

    durations: tuple[int, ...]
    before: tuple[tuple[int, int], ...]
    machines: tuple[tuple[int, ...], ...]

    @property
    def starts(self) -> tuple[Variable, ...]:
        """The start of each job in hours (`s1`, `s2`, ...), with bounds wide enough for all jobs in a sequence."""
        sort = IntSort(0, sum(self.durations))
        return tuple(Variable(f"s{number}", sort) for number in range(1, len(self.durations) + 1))

    def order(self) -> Iterator[Formula]:
        """Yield the formulas of the precedences, and formulas which say that no machine does two jobs at a time."""
        starts = self.starts
        for first, then in self.before:
            yield starts[then] - starts[first] >= self.durations[first]
        ordered = {frozenset(pair) for pair in self.before}
        for machine in self.machines:
            for one, other in combinations(machine, 2):
                if {one, other} in ordered:
                    continue
                one_first = starts[other] - starts[one] >= self.durations[one]
                yield one_first | (starts[one] - starts[other] >= self.durations[other])

    def ends(self, deadline: int) -> Iterator[Formula]:
        """Yield formulas which say that every job ends by the deadline."""
        for start, duration in zip(self.starts, self.durations, strict=True):
            yield start <= deadline - duration


def draw_schedule(id: str, rng: Random, gold: Gold, difficulty: Difficulty) -> SearchProblem:
    """Draw a schedule; more jobs and a deadline near the earliest possible end make it harder."""
    low, high = (_SLACK if gold == "sat" else _SHORTAGE)[difficulty]
    while True:
        shop = _draw_shop(rng, _JOBS[difficulty])
        earliest, witness = earliest_end(shop)
        margin = rng.randint(low, high)
        deadline = earliest + margin if gold == "sat" else earliest - margin
        # If the deadline is shorter than one job, the bounds alone exclude a schedule. If every schedule keeps the
        # deadline, this reveals the label.
        if not max(shop.durations) <= deadline <= sum(shop.durations):
            continue
        formulas = [*shop.order(), *shop.ends(deadline)]
        rng.shuffle(formulas)
        known = {"planted": dict(witness)} if gold == "sat" else {}
        return SearchProblem(
            id=id,
            suite=NAME,
            domain="schedule",
            variables=shop.starts,
            constraints=tuple(
                Requirement(f"c{number}", notation(formula), formula) for number, formula in enumerate(formulas, 1)
            ),
            gold=gold,
            difficulty=difficulty,
            setting=("The variables are the hours at which jobs begin.",),
            metadata={"jobs": len(shop.durations), "deadline": deadline, "earliest_end": earliest, **known},
        )


def earliest_end(shop: Shop) -> tuple[int, Witness]:
    """Return the earliest hour by which all jobs can be done, and a schedule for it; the engine proves this."""
    engine = make_engine(shop.starts, shop.order())
    deadline, witness = sum(shop.durations), None
    while True:
        found = decided(engine, {f"end{job}": formula for job, formula in enumerate(shop.ends(deadline))})
        if found is None and witness is not None:
            return deadline + 1, witness
        if found is None:
            raise EngineFault(f"{engine.name} finds no schedule, where doing one job after the other is one")
        witness = found
        deadline = _end(shop.durations, [found[start.name] for start in shop.starts]) - 1


def _end(durations: Sequence[int], starts: Sequence[int]) -> int:
    return max(start + duration for start, duration in zip(starts, durations, strict=True))


def _draw_shop(rng: Random, jobs: int) -> Shop:
    """Draw jobs of 1 to 4 hours on two machines. They have one precedence fewer than jobs, and no cycle."""
    numbers = range(jobs)
    pairs = list(combinations(rng.sample(numbers, jobs), 2))
    before = rng.sample(pairs, jobs - 1)
    machine = [rng.randrange(2) for _ in numbers]
    return Shop(
        durations=tuple(rng.randint(1, 4) for _ in numbers),
        before=tuple(sorted(before)),
        machines=tuple(tuple(job for job in numbers if machine[job] == which) for which in range(2)),
    )


GRIDS = {grid.name: grid for grid in (SUDOKU4, SUDOKU9, LATIN5)}
KINDS = (*GRIDS, "schedule")
"""The kinds of `make_transfer`. Possible grids have exactly one solution, possible schedules one or more."""

FEW = 30
"""A smallest MUS is computed for at most so many variables; for a Sudoku of 9 by 9 it may take minutes."""
_Draw = Callable[[str, Random, Gold, Difficulty], SearchProblem]


def make_transfer(kind: str, seed: int, count: int) -> list[SearchProblem]:
    """Return `count` problems of a kind. The same seed gives the same problems; a larger `count` only adds some.

    Three in ten are impossible (the 4th, 7th and 10th), so that a constant claim is sometimes wrong. Difficulties
    alternate among the possible problems, and among the others. Raises `SettingsError` for an unknown kind.
    """
    if kind not in KINDS:
        raise SettingsError(f"there is no transfer set {kind!r}; there are {', '.join(KINDS)}")
    draw: _Draw = Puzzles(GRIDS[kind]).draw if kind in GRIDS else draw_schedule
    problems: list[SearchProblem] = []
    made: dict[Gold, int] = {"sat": 0, "unsat": 0}
    for number in range(1, count + 1):
        gold: Gold = "unsat" if 3 * number % 10 < 3 else "sat"
        difficulty = DIFFICULTIES[made[gold] % len(DIFFICULTIES)]
        made[gold] += 1
        # Each problem has its own random stream, so it does not depend on the problems before it.
        rng = Random(f"{kind}/{seed}/{number}")
        problems.append(_explained(proved(draw(f"{kind}-{gold}-{number:04d}", rng, gold, difficulty))))
    return problems


def _explained(problem: SearchProblem) -> SearchProblem:
    """Return an impossible problem with a MUS in its metadata; for few variables it is a smallest MUS."""
    if problem.gold == "sat":
        return problem
    find = smallest_mus if len(problem.variables) <= FEW else mus
    found = find(make_engine(problem.variables), problem.formulas, UNLIMITED)
    if not isinstance(found, Mus):
        raise EngineFault(f"{problem.id} was proved to be impossible, and has no MUS: {found}")
    smallest = {"smallest_mus": len(found.ids)} if isinstance(found, SmallestMus) else {}
    return replace(problem, metadata={**problem.metadata, **smallest, "mus": list(found.ids)})
