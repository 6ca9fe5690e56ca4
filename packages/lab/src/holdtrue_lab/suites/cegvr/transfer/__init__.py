"""The transfer sets: Sudoku, Latin squares and schedules, on which results about sums may hold or not."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random

from holdtrue.budget import UNLIMITED
from holdtrue.errors import SettingsError
from holdtrue.kinds.search.problem import Difficulty, Gold, SearchProblem
from holdtrue.solving.engine import EngineFault
from holdtrue.solving.explain.mus import mus, smallest_mus
from holdtrue.solving.result import Mus, SmallestMus
from holdtrue.solving.route import make_engine
from holdtrue_lab.suites.cegvr.prove import proved
from holdtrue_lab.suites.cegvr.structure import DIFFICULTIES
from holdtrue_lab.suites.cegvr.transfer.grid import LATIN5, SUDOKU4, SUDOKU9, Puzzles
from holdtrue_lab.suites.cegvr.transfer.schedule import draw_schedule

GRIDS = {grid.name: grid for grid in (SUDOKU4, SUDOKU9, LATIN5)}
KINDS = (*GRIDS, "schedule")
"""`make_transfer` makes these. Grids have exactly one solution, schedules one or more; the others have none."""

FEW = 30
"""Of more variables, as in a Sudoku of 9 by 9, a smallest MUS may take minutes."""
_Draw = Callable[[str, Random, Gold, Difficulty], SearchProblem]


def make_transfer(kind: str, seed: int, count: int) -> list[SearchProblem]:
    """Return `count` problems of a kind; the same seed gives the same ones, and a longer set begins with them.

    Three in ten are impossible (the 4th, 7th and 10th), so that always claiming either is sometimes wrong. Difficulties
    alternate among the possible ones, and among the others. Raises `SettingsError` for an unknown kind.
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
        # Each is drawn by itself, so that it does not depend on how the ones before it came about.
        rng = Random(f"{kind}/{seed}/{number}")
        problems.append(_explained(proved(draw(f"{kind}-{gold}-{number:04d}", rng, gold, difficulty))))
    return problems


def _explained(problem: SearchProblem) -> SearchProblem:
    """An impossible problem with a MUS in its metadata: a smallest one, where there are few enough variables."""
    if problem.gold == "sat":
        return problem
    find = smallest_mus if len(problem.variables) <= FEW else mus
    found = find(make_engine(problem.variables), problem.formulas, UNLIMITED)
    if not isinstance(found, Mus):
        raise EngineFault(f"{problem.id} was proved to be impossible, and has no MUS: {found}")
    smallest = {"smallest_mus": len(found.ids)} if isinstance(found, SmallestMus) else {}
    return replace(problem, metadata={**problem.metadata, **smallest, "mus": list(found.ids)})
