"""The nearest answer: satisfying, and with the fewest values changed from a target.

Bounds are raised from zero on, so that the easy questions come first and the last one needs no further proof
(linear search UNSAT-SAT: Morgado, Heras, Liffiton, Planes and Marques-Silva, "Iterative and core-guided MaxSAT
solving", Constraints 2013, section 3).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from holdtrue.budget import Budget
from holdtrue.errors import FormulaError
from holdtrue.solving.engine import Engine, Near, Soft, changes
from holdtrue.solving.explain.lexicographic import first_witness
from holdtrue.solving.result import BackgroundConflict, Core, Nearest, Satisfiable, Unknown, Witness


def nearest(
    engine: Engine, soft: Soft, target: Mapping[str, int], budget: Budget, *, frozen: Collection[str] = ()
) -> Nearest | Core | Unknown | BackgroundConflict:
    """The satisfying assignment that changes the fewest values of `target`.

    A target outside its variable's sort counts as a change; variables without a target are free at no cost.
    `frozen` names targets that must stay. Of several nearest assignments it is the lexicographically first in
    the engine's order of variables. `Core` (with `fixed_id`s of frozen variables) where nothing satisfies
    all; `Nearest(optimal=False)` where the budget ended before fewer changes were ruled out.
    """
    deadline = budget.start()
    foreign = target.keys() - {variable.name for variable in engine.variables}
    if foreign:
        raise FormulaError(f"the engine has no variable {min(foreign)!r}")
    fixed = _frozen_values(target, frozen)
    start = engine.check(soft, budget, fixed=fixed)
    if isinstance(start, Core):
        alone = engine.check({}, budget.until(deadline))
        return BackgroundConflict() if isinstance(alone, Core) else start
    if isinstance(start, Unknown):
        return start
    best, optimal, bound = start.witness, True, 0
    while bound < changes(best, target):
        result = engine.check(soft, budget.until(deadline), fixed=fixed, near=Near(target, bound))
        if isinstance(result, Unknown):
            optimal = False
            break
        if isinstance(result, Satisfiable):
            best = result.witness
        else:
            bound += 1
    if optimal:
        # Without changes the targets are simply the values, and nothing is to be counted.
        held, near = (fixed, Near(target, bound)) if bound else (target, None)
        first = first_witness(engine, soft, budget.until(deadline), fixed=held, near=near)
        # Out of time between equals: the fewest changes are proved all the same.
        best = first.witness if isinstance(first, Satisfiable) else best
    return Nearest(best, _changed(engine, best, target), optimal)


def _frozen_values(target: Mapping[str, int], frozen: Collection[str]) -> dict[str, int]:
    without = [name for name in frozen if name not in target]
    if without:
        raise FormulaError(f"frozen, but without a target value: {', '.join(without)}")
    return {name: value for name, value in target.items() if name in frozen}


def _changed(engine: Engine, witness: Witness, target: Mapping[str, int]) -> tuple[str, ...]:
    names = (variable.name for variable in engine.variables)
    return tuple(name for name in names if name in target and target[name] != witness[name])
