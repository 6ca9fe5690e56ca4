"""Make the instance of a problem that one more entity joins, as its domain says.

>>> from holdtrue.world.seating import SEATING
>>> table = SEATING.instance(["Ann", "Bob"], {"num_entities": 3})
>>> join(table, "Cy").entities
('Ann', 'Bob', 'Cy')
>>> join(join(table, "Cy"), "Dee")
Traceback (most recent call last):
holdtrue.errors.DomainError: seating: num_entities must be an integer of 4 to 1000, got 3
"""

from __future__ import annotations

from holdtrue.world.instance import Instance
from holdtrue.world.place import Place, own_code


def join(instance: Instance, name: str) -> Instance:
    """Return a new instance with one more entity, the last one; its setting is what `Domain.joining` says.

    Raises `DomainError` where the domain lets nobody in, or the problem with one more entity is none.
    """
    domain = instance.domain
    place, context = Place(f"domain {domain.name!r}"), instance.given_context
    if domain.joining is False:
        raise place.error("nobody can join a problem that was begun")
    if callable(domain.joining):
        with own_code(place.at("joining")):
            context = domain.joining(instance, name)
    return domain.instance((*instance.entities, name), context)
