"""Sudoku, 4 by 4 and 9 by 9."""

from __future__ import annotations

from holdtrue.lab.suites.cegvr.transfer.grid import Grid

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
