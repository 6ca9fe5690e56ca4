"""The row of a report about searches."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from holdtrue.kinds.search.method import REVEALED
from holdtrue_lab.kit.arm import Arm
from holdtrue_lab.kit.groups import FigureRow


@dataclass(frozen=True, slots=True)
class SearchRow(FigureRow):
    """One method, over one domain (None: all), or over one bin of difficulty (None: all) of all domains.

    Only original problems are counted, none that was rewritten, and of these the finished ones, all trials of which
    were played. Intervals are drawn by problem, because trials of one are not independent. `asks_model`: it is no
    control. `revealed`: the method showed the model solutions that the solver had found.
    """

    asks_model: bool
    difficulty: str | None

    @property
    def revealed(self) -> bool:
        return is_revealed(self.arm)

    def to_json(self) -> dict[str, Any]:
        own = {"asks_model": self.asks_model, "difficulty": self.difficulty, "revealed": self.revealed}
        return {**FigureRow.to_json(self), **own}


def is_revealed(arm: Arm) -> bool:
    """Return whether the arm's method showed the model solutions that the solver had found."""
    return arm.method.endswith(REVEALED)


def title_of(arm: Arm, *, partial: bool) -> str:
    """Return the name of the method, marked if it showed the solver's solutions, or if a solver said which values stay.

    That is so if some candidates were asked for only a part of the variables (`partial`).
    """
    if is_revealed(arm):
        return f"{arm.method.removesuffix(REVEALED)} (witness revealed)"
    return f"{arm.method} (solver keeps values)" if partial else arm.method
