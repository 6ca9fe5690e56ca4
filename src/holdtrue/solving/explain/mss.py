"""Grow a maximal satisfiable subset in an order of preference. The remaining formulas are a minimal correction.

This is linear search that skips formulas which the last witness satisfies. Source: Marques-Silva, Heras, Janota,
Previti and Belov, "On computing minimal correction subsets", IJCAI 2013, section 3. The result is the best one in the
order of preference: no formula is set aside for a less preferred one. Source: Brewka, "Preferred subtheories", IJCAI
1989.
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
    """Keep as many formulas as possible, trying them in `order`, the most preferred first. Unnamed ids come last.

    `kept` and `set_aside` have the order of `soft`. `fixed` values count as background. Returns `Unknown` if the budget
    ended, because then the subset is not known to be maximal.
    """
    questions = Questions(engine, soft, budget, fixed)
    whole = questions.check(soft)
    if isinstance(whole, Unknown):
        return whole
    if isinstance(whole, Satisfiable):
        return Mcs(tuple(soft), (), whole.witness)
    ids = list(dict.fromkeys((*(order or ()), *soft)))
    # All ids before the core's last one can often be kept. Then that id is the first to be set aside.
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
    """Add the ids of `rest` in order, if they can hold with the ones kept so far. `witness` satisfies `kept`.

    Returns all kept ids and a witness of them.
    """
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
    """Return the complement of `kept` as an `Mcs`. `kept` must be maximal."""
    return Mcs(tuple(id for id in soft if id in kept), tuple(id for id in soft if id not in kept), witness)
