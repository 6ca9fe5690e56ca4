"""This module defines witnesses that may not decide a formula, such as a situation with unknown facts."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping
from typing import Any

from holdtrue.logic.formula import Formula


class PartialWitness(Mapping[str, Any]):
    """A `PartialWitness` decides only some formulas."""

    @abstractmethod
    def tells(self, formula: Formula, at_each: Callable[[], object] = lambda: None) -> bool | None:
        """Return whether the formula holds, or None if this is not decided.

        `at_each` is called before each attempt, and may raise to end the search. Raises `FormulaError` for a formula
        that is not about such witnesses.
        """


def told(formula: Formula, witness: Mapping[str, int], at_each: Callable[[], object] = lambda: None) -> bool | None:
    """Return whether a formula holds for a witness, or None if this is not decided, or `at_each` ends the search."""
    if not isinstance(witness, PartialWitness):
        return formula.holds(witness)
    try:
        return witness.tells(formula, at_each)
    except TimeoutError:
        return None
