"""A minimum correction: the fewest commitments, or the cheapest, without which the rest can hold.

By implicit hitting sets (`relaxation`). Where that takes long, the greedy correction stands by: it is the answer
too if it costs no more than what is known to be needed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from holdtrue.budget import Budget
from holdtrue.solving.engine import Engine, Soft
from holdtrue.solving.explain.mss import as_mcs, greedy_mss
from holdtrue.solving.explain.relaxation import Relaxation, Relaxed, check_weights
from holdtrue.solving.explain.shared_deadline import Questions
from holdtrue.solving.result import BackgroundConflict, Core, Id, Mcs, MinimumMcs, Satisfiable, Unknown, Unsatisfiable


def minimum_mcs(
    engine: Engine,
    soft: Soft,
    budget: Budget,
    order: Sequence[Id] | None = None,
    *,
    weights: Mapping[Id, int] | None = None,
    fixed: Mapping[str, int] | None = None,
) -> MinimumMcs | Mcs | Unknown | BackgroundConflict:
    """Set aside what costs least: `weights` are positive integers, one where not given.

    Of several cheapest corrections it is the one that `order` prefers (most preferred first; ids it does not name
    come last): it keeps the first id, if one of them does, then the second, and so on, whatever the engine. Only
    an `Mcs` where the budget ended before a cheaper correction was ruled out. `fixed` values count as background.
    """
    check_weights(weights, soft)
    questions = Questions(engine, soft, budget, fixed)
    whole = questions.check(soft)
    if isinstance(whole, Unknown):
        return whole
    if isinstance(whole, Satisfiable):
        return MinimumMcs(tuple(soft), (), whole.witness, 0)

    def ask(kept: Sequence[Id]) -> Satisfiable | Core | Unknown:
        # Often the last question already, and a witness comes cheaper without reasons.
        result = questions.decide(kept)
        return questions.check(kept) if isinstance(result, Unsatisfiable) else result

    ids = list(dict.fromkeys((*(order or ()), *soft)))
    relaxation = Relaxation(ask, ids, weights, questions.deadline)
    found = relaxation.begin() if relaxation.learn(whole.ids) else whole
    standby: Mcs | Unknown | BackgroundConflict | None = None
    if found is None:
        standby = greedy_mss(engine, soft, questions.budget, order, fixed=fixed)
        if isinstance(standby, Mcs) and relaxation.cost(standby.set_aside) == relaxation.bound:
            # The greedy one is the most preferred of all corrections, so it is of the cheapest.
            return _minimum(standby, relaxation)
        found = relaxation.finish()
    if isinstance(found, Relaxed):
        return _minimum(as_mcs(soft, soft.keys() - found.ids, found.witness), relaxation)
    if isinstance(found, Core):
        return BackgroundConflict()
    return standby if isinstance(standby, Mcs) else found


def _minimum(correction: Mcs, relaxation: Relaxation) -> MinimumMcs:
    cost = relaxation.cost(correction.set_aside)
    return MinimumMcs(correction.kept, correction.set_aside, correction.witness, cost)
