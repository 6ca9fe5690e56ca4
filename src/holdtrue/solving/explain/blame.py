"""Why a partial answer cannot be extended: which commitments, and which of its values, are to blame.

A MUS over commitments and values together, by deletion (`mus.shrink`) on one side and then on the other.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from holdtrue.budget import Budget
from holdtrue.solving.engine import Engine, Soft, fixed_id
from holdtrue.solving.explain.mus import shrink
from holdtrue.solving.result import BackgroundConflict, Blame, Core, Id, Satisfiable, Unknown


def blame(
    engine: Engine,
    soft: Soft,
    fixed: Mapping[str, int],
    budget: Budget,
    *,
    first: Literal["commitments", "values"] = "commitments",
) -> Blame | Core | Satisfiable | Unknown | BackgroundConflict:
    """Commitments and `fixed` values that exclude each other, and would not without any one of them.

    `first` says whose side is kept small first. With `"commitments"` the ids are a MUS relative to all values, and
    the values are those that these ids leave no room for. With `"values"` no smaller part of the values conflicts
    with all of `soft`, and the ids are those that say so. Without ids, the values break the background; without
    values, the commitments clash among themselves. `Satisfiable` where the values can be extended; `Core`, with
    `fixed_id`s of values, where the budget ended before each was proved needed.
    """
    deadline = budget.start()
    names = {fixed_id(name): name for name in fixed}

    def ask(ids: Sequence[Id], values: Sequence[Id]) -> Satisfiable | Core | Unknown:
        some = {names[value]: fixed[names[value]] for value in values}
        return engine.check({id: soft[id] for id in ids}, budget.until(deadline), fixed=some)

    ids, values = tuple(soft), tuple(names)
    whole = ask(ids, values)
    if not isinstance(whole, Core):
        return whole
    if first == "commitments":
        ids, needed = shrink(lambda some: ask(some, values), [id for id in ids if id in whole.ids])
        values, needed_too = shrink(lambda some: ask(ids, some), values)
    else:
        values, needed = shrink(lambda some: ask(ids, some), [value for value in values if value in whole.ids])
        ids, needed_too = shrink(lambda some: ask(some, values), ids)
    if not needed or not needed_too:
        return Core((*ids, *values))
    if not ids and not values:
        return BackgroundConflict()
    return Blame(ids, tuple(names[value] for value in values))
