"""Formulas and laws of subdomains in which several entities may get the same value: teams, colours, shifts."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from holdtrue.logic.formula import And, Formula, at_least, at_most, exactly
from holdtrue.world.domain import Axiom
from holdtrue.world.instance import EntityTerms, Instance


def holders(instance: Instance, attribute: str, value: int) -> tuple[Formula, ...]:
    """Return for each entity the formula that it has this value."""
    return tuple(instance[who][attribute].eq(value) for who in instance.entities)


def count_is(instance: Instance, attribute: str, value: int, count: int) -> Formula:
    """Return the formula that exactly `count` entities have this value."""
    return exactly(count, holders(instance, attribute, value))


def alone(instance: Instance, attribute: str, one: EntityTerms) -> Formula:
    """Return the formula that no other entity has the value of this one."""
    others = (instance[who] for who in instance.entities if instance[who] is not one)
    return And(tuple(other[attribute].ne(one[attribute]) for other in others))


def size_laws(attribute: str, sentence: str) -> Callable[[Instance], Sequence[Axiom]]:
    """Return the laws that each value goes to at least one entity, and to no more than the context's `most`.

    `sentence` says so of one value.
    """

    def laws(instance: Instance) -> Sequence[Axiom]:
        most = largest(instance)
        sort = instance.attributes[attribute].sort
        return [
            Axiom(
                f"size_{attribute}_{value}",
                sentence.format(sort.show(value), most),
                And((at_least(1, having), at_most(most, having))),
            )
            for value in sort.values
            if (having := holders(instance, attribute, value))
        ]

    return laws


def largest(instance: Instance) -> int:
    """Return how many entities may have the same value."""
    most: int = instance.context["most"]
    return most


def fair_share(entities: int, values: int) -> int:
    """Return the least `most` with which there is a value for everybody."""
    return -(-entities // values)
