"""This module lists the possible arguments of constraints, reorders arguments, and finds constraints that share an
entity.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from holdtrue.logic.sorts import EnumSort
from holdtrue.world.domain import Argument, AttributeName, Entity, Integer
from holdtrue.world.instance import Arg, Constraint, Instance


def choices(instance: Instance, argument: Argument, before: Sequence[Arg]) -> Sequence[Arg]:
    """Return the values that an argument can take. `before` holds the values of the arguments to its left."""
    match argument:
        case Entity():
            return instance.entities
        case Integer():
            return range(instance.bound(argument.low), instance.bound(argument.high) + 1)
        case AttributeName():
            return instance.attribute_names(argument)
    sort = instance.attributes[argument.attribute_in(before)].sort
    return sort.labels if isinstance(sort, EnumSort) else sort.values


def any_order(start: int = 0, stop: int | None = None) -> Callable[[tuple[Arg, ...]], tuple[Arg, ...]]:
    """Return a function for `ConstraintType.canonical` that sorts `args[start:stop]`, because their order has no
    meaning.
    """

    def sort(args: tuple[Arg, ...]) -> tuple[Arg, ...]:
        ordered = list(args)
        ordered[start:stop] = sorted(args[start:stop], key=str)
        return tuple(ordered)

    return sort


def sharing(instance: Instance, questions: Sequence[Constraint]) -> list[tuple[int, ...]]:
    """Return for each constraint the indices (from 0) of earlier constraints that share an entity with it."""
    about = [set(instance.entities_in(made)) for made in questions]
    return [
        tuple(earlier for earlier in range(place) if not about[earlier].isdisjoint(own))
        for place, own in enumerate(about)
    ]
