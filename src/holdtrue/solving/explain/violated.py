"""V_t: the commitments that an answer breaks, each taken by itself."""

from __future__ import annotations

from collections.abc import Mapping

from holdtrue.budget import Budget
from holdtrue.logic.evaluate import Values
from holdtrue.solving.engine import Engine, Soft
from holdtrue.solving.result import Core, Id, Satisfiable, Unknown, Violated


def violated(soft: Soft, values: Values) -> tuple[Id, ...]:
    """The ids whose formula is false under a complete assignment, by evaluation (`Evaluation` for one after another).

    Raises `KeyError` where a variable that is needed has no value.
    """
    return tuple([id for id, formula in soft.items() if not formula.holds(values)])


def violated_partial(engine: Engine, soft: Soft, fixed: Mapping[str, int], budget: Budget) -> Violated | Core | Unknown:
    """The ids that no completion of the `fixed` values can satisfy, one by one, within the background.

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
