"""Which earlier queries a query depends on by what it is about."""

from __future__ import annotations

from collections.abc import Sequence

from holdtrue.world.instance import Constraint, Instance


def sharing(instance: Instance, asked: Sequence[Constraint]) -> list[tuple[int, ...]]:
    """For each constraint, the places (from 0) of earlier ones that share an entity with it."""
    about = [set(instance.entities_in(made)) for made in asked]
    return [
        tuple(earlier for earlier in range(place) if not about[earlier].isdisjoint(own))
        for place, own in enumerate(about)
    ]
