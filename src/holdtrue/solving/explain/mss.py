"""A maximal satisfiable subset, grown in an order of preference; what is left out is a minimal correction.

Linear search that skips what the last witness satisfies anyway (Marques-Silva, Heras, Janota, Previti and
Belov, "On computing minimal correction subsets", IJCAI 2013, section 3). In the order of preference the
result is the best one: nothing is set aside for the sake of something less preferred (Brewka, "Preferred
subtheories", IJCAI 1989).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from holdtrue.budget import Budget
from holdtrue.logic.partial_witness import told
from holdtrue.solving.engine import SOON, Engine, Questions, Soft
from holdtrue.solving.result import BackgroundConflict, Id, Mcs, Satisfiable, Unknown, Unsatisfiable, Witness


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
    questions = Questions(engine, soft, budget, fixed)
    whole = questions.check(soft)
    if isinstance(whole, Unknown):
        return whole
    if isinstance(whole, Satisfiable):
        return Mcs(tuple(soft), (), whole.witness)
    ids = list(dict.fromkeys((*(order or ()), *soft)))
    # All before the last one of the core can often be kept; then that one is the first to be set aside.
    place = max((place for place, id in enumerate(ids) if id in whole.ids), default=0)
    kept, rest = ids[:place], ids[place + 1 :]
    start = questions.decide(kept)
    if isinstance(start, Unsatisfiable) and kept:
        kept, rest = [], ids
        start = questions.decide(kept)
    if isinstance(start, Unsatisfiable):
        return BackgroundConflict()
    if isinstance(start, Unknown):
        return start
    grown = grow(questions, kept, rest, start.witness)
    return grown if isinstance(grown, Unknown) else as_mcs(soft, *grown)


def grow(
    questions: Questions, kept: Iterable[Id], rest: Iterable[Id], witness: Witness
) -> tuple[set[Id], Witness] | Unknown:
    """Add of the `rest`, in this order, what can be kept beside `kept`, which holds under `witness`."""
    growing = dict.fromkeys(kept)
    for id in rest:
        if not told(questions.soft[id], witness, SOON.start().check):
            result = questions.decide((*growing, id))
            if isinstance(result, Unknown):
                return result
            if isinstance(result, Unsatisfiable):
                continue
            witness = result.witness
        growing[id] = None
    return set(growing), witness


def as_mcs(soft: Soft, kept: Collection[Id], witness: Witness) -> Mcs:
    """The correction that keeps just these, which must be as many as can be kept."""
    return Mcs(tuple(id for id in soft if id in kept), tuple(id for id in soft if id not in kept), witness)
