"""The subdomain of pure ordering: what comes before what, and what is next to what, in a row of positions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from holdtrue.logic.formula import Formula
from holdtrue.world.domain import Attribute, Domain
from holdtrue.world.instance import EntityTerms, Instance
from holdtrue_lab.kit.words import Number, capitalized, listed
from holdtrue_lab.suites.cross_query.shares import Shares, draw_draft
from holdtrue_lab.suites.cross_query.subdomain import Draft, Subdomain
from holdtrue_lab.suites.cross_query.words import Words

_WORDS = Words("ordering")
_SHARES = Shares(premises=(4, 5), true=0.4)


def _between(instance: Instance, middle: EntityTerms, a: EntityTerms, b: EntityTerms) -> Formula:
    up = (a.position < middle.position) & (middle.position < b.position)
    down = (b.position < middle.position) & (middle.position < a.position)
    return up | down


def _draw_setting(rng: Random) -> tuple[Sequence[str], Mapping[str, Any]]:
    kind = rng.choice(list(_WORDS.names))
    return rng.sample(_WORDS.names[kind], rng.randint(5, 6)), {"kind": kind}


def _draw(rng: Random, instance: Instance) -> Draft:
    row = rng.sample(instance.entities, len(instance.entities))
    world = {f"{name}.position": place for place, name in enumerate(row, start=1)}
    return draw_draft(rng, instance, world, _SHARES)


def _setting(rng: Random, instance: Instance) -> Sequence[str]:
    """Return the sentences that tell which things are in the order and what its positions mean.

    The names are listed in a random order, and a sentence says that this order means nothing.
    """
    names = list(instance.entities)
    rng.shuffle(names)
    opening, positions, meanings = _WORDS.tell(
        rng,
        *(instance.context["kind"], "positions", "meanings"),
        count=Number(len(names), spelled=True),
        names=listed(names),
        last=len(names),
    )
    return [capitalized(opening), "The order in which they are listed here says nothing.", positions, meanings]


ORDERING = Subdomain(
    "temporal",
    Domain(
        name="ordering",
        context=lambda entities, given: {"kind": given.get("kind", "things"), "count": len(entities)},
        attributes=lambda context: [Attribute("position", low=1, high=context["count"], distinct=True)],
        setup=lambda instance: (f"Positions: 1 to {len(instance.entities)}, one for each",),
        conventions=("Position 1 is the first of all, and a lower position is before a higher one.",),
        constraint_types=_WORDS.kinds(
            {
                "before": lambda w, a, b: a.position < b.position,
                "just_before": lambda w, a, b: (a.position + 1).eq(b.position),
                "adjacent": lambda w, a, b: abs(a.position - b.position).eq(1),
                "not_adjacent": lambda w, a, b: abs(a.position - b.position) >= 2,
                "between": _between,
                "first": lambda w, a: a.position.eq(1),
                "last": lambda w, a: a.position.eq(len(w.entities)),
                "at_position": lambda w, a, position: a.position.eq(position),
                "not_at_position": lambda w, a, position: a.position.ne(position),
                "among_first": lambda w, a, position: a.position <= position,
            }
        ),
    ),
    _draw_setting,
    _draw,
    _setting,
)
