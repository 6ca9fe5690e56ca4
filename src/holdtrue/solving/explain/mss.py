"""A maximal satisfiable subset, grown in an order of preference; what is left out is a minimal correction.

Linear search that skips what the last witness satisfies anyway (Marques-Silva, Heras, Janota, Previti and
Belov, "On computing minimal correction subsets", IJCAI 2013, section 3). In the order of preference the
result is the best one: nothing is set aside for the sake of something less preferred (Brewka, "Preferred
subtheories", IJCAI 1989).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from holdtrue.budget import Budget
from holdtrue.logic.evaluate import evaluate
from holdtrue.solving.engine import Engine, Soft
from holdtrue.solving.result import BackgroundConflict, Core, Id, Mcs, Satisfiable, Unknown


def greedy_mss(
    engine: Engine,
    soft: Soft,
    budget: Budget,
    order: Sequence[Id] | None = None,
    *,
    fixed: Mapping[str, int] | None = None,
) -> Mcs | Unknown | BackgroundConflict:
    """Keep what can be kept, asking in `order` (most preferred first; ids it does not name come last).

    `kept` and `set_aside` are in the order of `soft`. `fixed` values count as background. `Unknown` where the
    budget ended, because then nothing is known to be maximal.
    """
    deadline = budget.start()
    whole = engine.check(soft, budget, fixed=fixed)
    if isinstance(whole, Unknown):
        return whole
    if isinstance(whole, Satisfiable):
        return Mcs(tuple(soft), (), whole.witness)
    start = engine.check({}, budget.until(deadline), fixed=fixed)
    if isinstance(start, Core):
        return BackgroundConflict()
    if isinstance(start, Unknown):
        return start
    witness = start.witness
    kept: set[Id] = set()
    for id in dict.fromkeys((*(order or ()), *soft)):
        if not evaluate(soft[id], witness):
            wanted = {own: formula for own, formula in soft.items() if own in kept or own == id}
            result = engine.check(wanted, budget.until(deadline), fixed=fixed)
            if isinstance(result, Unknown):
                return result
            if isinstance(result, Core):
                continue
            witness = result.witness
        kept.add(id)
    return Mcs(tuple(id for id in soft if id in kept), tuple(id for id in soft if id not in kept), witness)
