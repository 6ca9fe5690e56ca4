"""Witnesses that may leave open whether a formula holds, such as a situation of which not every fact is known."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping
from typing import Any

from holdtrue.logic.formula import Formula


class PartialWitness(Mapping[str, Any]):
    """A `PartialWitness` tells of some formulas whether they hold."""

    @abstractmethod
    def tells(self, formula: Formula, at_each: Callable[[], object] = lambda: None) -> bool | None:
        """Return whether the formula holds, or None where that is not told.

        `at_each` is called as often as something is tried, and may raise to make an end. Raises `FormulaError` for a
        formula that says nothing of such witnesses.
        """


def told(formula: Formula, witness: Mapping[str, int], at_each: Callable[[], object] = lambda: None) -> bool | None:
    """Return whether a formula holds under a witness; None where that is not told before `at_each` raises."""
    if not isinstance(witness, PartialWitness):
        return formula.holds(witness)
    try:
        return witness.tells(formula, at_each)
    except TimeoutError:
        return None
