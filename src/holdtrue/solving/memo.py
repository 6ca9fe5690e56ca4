"""One result per distinct formula, found again cheaply."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

from holdtrue.logic.formula import Formula

Made = TypeVar("Made")


class FormulaMemo(Generic[Made]):
    """Keeps what `make` makes of each distinct formula.

    Hashing a nested formula walks all of it, so the same object is recognised by its id first, equal ones only
    then. Equal copies are not kept: a caller who builds his formulas anew every time costs time, not memory.
    """

    def __init__(self, make: Callable[[Formula], Made]) -> None:
        self._make = make
        # The formula is kept beside its result, so that its id cannot pass to another object.
        self._by_id: dict[int, tuple[Formula, Made]] = {}
        self._by_value: dict[Formula, Made] = {}

    def __getitem__(self, formula: Formula) -> Made:
        known = self._by_id.get(id(formula))
        if known is not None:
            return known[1]
        if formula in self._by_value:
            return self._by_value[formula]
        made = self._by_value[formula] = self._make(formula)
        self._by_id[id(formula)] = (formula, made)
        return made

    def __len__(self) -> int:
        """The number of distinct formulas met so far."""
        return len(self._by_value)
