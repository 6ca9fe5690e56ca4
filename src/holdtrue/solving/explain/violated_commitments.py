"""V_t: the commitments that an answer breaks, each taken by itself.

Answers mostly repeat what was answered before. When one assignment follows another, only what is new, or about a value
that has changed, is looked at.
"""

from __future__ import annotations

from collections.abc import Mapping

from holdtrue.budget import Budget
from holdtrue.logic.evaluate import Values
from holdtrue.logic.formula import Formula
from holdtrue.solving.engine import Engine, Soft
from holdtrue.solving.result import Core, Id, Satisfiable, Unknown, Violated


def violated(soft: Soft, values: Values) -> tuple[Id, ...]:
    """Return the ids whose formula a complete assignment breaks, by evaluation (`Evaluation` for one after another).

    Raises `KeyError` where a variable that is needed has no value.
    """
    return tuple([id for id, formula in soft.items() if not formula.holds(values)])


def violated_partial(engine: Engine, soft: Soft, fixed: Mapping[str, int], budget: Budget) -> Violated | Core | Unknown:
    """Return the ids that no completion of the `fixed` values can satisfy, one by one, within the background.

    `Core` (of fixed ids) where the values break the background by themselves: then every commitment would
    count as broken, and none is to blame. An empty `Violated` does not mean that the values can be completed:
    commitments that are each possible may be impossible together (`mus` with `fixed` tells).
    """
    deadline = budget.start()
    by_themselves = engine.check({}, budget, fixed=fixed)
    if not isinstance(by_themselves, Satisfiable):
        return by_themselves
    if isinstance(engine.check(soft, budget.until(deadline), fixed=fixed), Satisfiable):
        return Violated(())
    broken, undecided = [], []
    for id, formula in soft.items():
        result = engine.check({id: formula}, budget.until(deadline), fixed=fixed)
        if isinstance(result, Core):
            broken.append(id)
        elif isinstance(result, Unknown):
            undecided.append(id)
    return Violated(tuple(broken), tuple(undecided))


ALL_BELOW = 64
"""Evaluating so few formulas costs less than finding out which of them need it."""


class Evaluation:
    """The formulas of one theory after another, and what the last assignment breaks of them."""

    def __init__(self) -> None:
        self._ids: list[Id] = []
        self._formulas: list[Formula] = []
        self._about: dict[str, list[int]] = {}
        self._values: Values | None = None
        self._broken: set[int] = set()

    def broken(self, theory: Mapping[Id, Formula], values: Values) -> tuple[Id, ...]:
        """Return the ids of the theory's formulas that are false under a complete assignment, in their order (V_t).

        Raises `KeyError` where a variable that is needed has no value.
        """
        if len(theory) < ALL_BELOW:
            return violated(theory, values)
        due = self._follow(theory)
        before = self._values
        # With as many names as before, one can only be missing where another is new; then nothing is taken as known.
        changed = [name for name, value in values.items() if before is None or before.get(name) != value]
        if before is None or len(values) != len(before) or not all(name in before for name in changed):
            due = set(range(len(self._formulas)))
        else:
            for name in changed:
                due.update(self._about.get(name, ()))
        self._values = None  # until all is done: a missing value leaves nothing half known
        for place in due:
            (self._broken.discard if self._formulas[place].holds(values) else self._broken.add)(place)
        self._values = dict(values)
        return tuple([self._ids[place] for place in sorted(self._broken)])

    def _follow(self, theory: Mapping[Id, Formula]) -> set[int]:
        """Take in what has been added, or everything anew; the places of what nobody has evaluated yet."""
        ids, formulas = list(theory), list(theory.values())
        known = len(self._formulas)
        if ids[:known] != self._ids or formulas[:known] != self._formulas:
            self._about, self._broken, self._values, known = {}, set(), None, 0
        self._ids, self._formulas = ids, formulas
        for place in range(known, len(formulas)):
            for variable in formulas[place].variables:
                self._about.setdefault(variable.name, []).append(place)
        return set(range(known, len(formulas)))
