"""Latin squares, 5 by 5, partly filled in such a way that there is only one way to go on."""

from __future__ import annotations

from holdtrue.lab.suites.cegvr.transfer.grid import Grid

LATIN5 = Grid(
    name="latin5",
    title="The variables are the cells of a Latin square of 5 rows and 5 columns, row by row.",
    size=5,
    box=0,
    clues={"easy": (15, 16), "medium": (12, 13), "hard": (9, 10)},
)
