"""A `Kind` is a constraint type with all that its statements need; a relational `Subdomain` is made of kinds."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from holdtrue.lab.suites.cross_query.relational.narrowing import draw_draft
from holdtrue.lab.suites.cross_query.subdomain import Subdomain
from holdtrue.world.domain import ConstraintType, Domain
from holdtrue.world.instance import Instance


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of statement, which is the constraint type `declared` with what cases need of it.

    `query` is the type of its queries in reports, and `phrasings` are as in `Subdomain.phrasings`. `weight` is how
    often it is drawn as a premise, relative to the other kinds; with 0 it is only asked about.
    """

    declared: ConstraintType
    query: str
    phrasings: tuple[str, ...]
    weight: int = 1


def declared_in(kinds: Sequence[Kind]) -> tuple[ConstraintType, ...]:
    """Return the constraint types of these kinds, for a `Domain`."""
    return tuple(kind.declared for kind in kinds)


def relational(
    name: str,
    declaration: Domain,
    kinds: Sequence[Kind],
    draw_setting: Callable[[Random], tuple[Sequence[str], Mapping[str, Any]]],
    setting: Callable[[Random, Instance], Sequence[str]],
) -> Subdomain:
    """Return the subdomain whose premises and statements are of these kinds."""
    weights = {kind.declared.name: kind.weight for kind in kinds}
    return Subdomain(
        name=name,
        domain="relational",
        logic_type="propositional",
        declaration=declaration,
        draw_setting=draw_setting,
        draw=lambda rng, instance: draw_draft(rng, instance, weights),
        setting=setting,
        phrasings={kind.declared.name: kind.phrasings for kind in kinds},
        query_types={kind.declared.name: kind.query for kind in kinds},
    )
