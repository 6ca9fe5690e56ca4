"""A small kind of case for tests: people in a row of seats, with few enough worlds to enumerate."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, permutations, product
from random import Random
from typing import Any

from holdtrue.kinds.labels.case import Case
from holdtrue.logic.formula import Formula
from holdtrue.world.domain import Attribute, Domain, Entity, Integer
from holdtrue.world.instance import Constraint, Instance
from holdtrue_lab.suites.cross_query.subdomain import Draft, Kind, Subdomain
from tests.lab.suites.worlds import every_world

NAMES = ("Ann", "Ben", "Cleo", "Dan", "Eva", "Finn", "Gus", "Hal", "Ina", "Jon", "Kim", "Leo")

ROW = Domain(
    name="row",
    attributes=lambda context: [Attribute("seat", low=1, high=context["seats"], distinct=True)],
    constraint_types=(
        Kind(
            "at",
            (Entity(), Integer(1, lambda i: i.context["seats"])),
            lambda i, a, k: a.seat.eq(k),
            query="pos",
            phrasings=("{0} is in seat {1}", "seat {1} is {0}'s", "{0} has seat {1}", "it is {0} who sits in seat {1}"),
        ),
        Kind(
            "left",
            (Entity(), Entity()),
            lambda i, a, b: a.seat < b.seat,
            sentence="{0} is left of {1}",
            query="order",
            phrasings=(
                "{0} sits somewhere left of {1}",
                "{1} sits somewhere right of {0}",
                "{0}'s seat has a lower number than {1}'s",
                "{1}'s seat has a higher number than {0}'s",
            ),
        ),
        Kind(
            "beside",
            (Entity(), Entity()),
            lambda i, a, b: abs(a.seat - b.seat).eq(1),
            sentence="{0} is beside {1}",
            symmetric=True,
            query="adj",
            phrasings=(
                "{0} and {1} sit side by side",
                "{0} is a direct neighbour of {1}",
                "no seat lies between {0} and {1}",
                "{0} sits right beside {1}",
            ),
        ),
    ),
)


def _draw_setting(rng: Random) -> tuple[Sequence[str], Mapping[str, Any]]:
    seats = rng.randint(4, 5)
    return rng.sample(NAMES, seats), {"seats": seats}


def _everything(instance: Instance) -> Iterator[Constraint]:
    for entity, seat in product(instance.entities, range(1, instance.context["seats"] + 1)):
        yield instance.constraint("at", [entity, seat])
    for pair in permutations(instance.entities, 2):
        yield instance.constraint("left", pair)
    for pair in combinations(instance.entities, 2):
        yield instance.constraint("beside", pair)


def _draw(rng: Random, instance: Instance) -> Draft:
    drawn = list(_everything(instance))
    rng.shuffle(drawn)
    number = rng.randint(2, 3)
    return Draft(instance, tuple(drawn[:number]), tuple(drawn[number:]))


def _setting(rng: Random, instance: Instance) -> Sequence[str]:
    seats = instance.context["seats"]
    row = rng.choice(("in a row of seats", "side by side in one row"))
    return (f"{', '.join(instance.entities)} sit {row}, numbered 1 to {seats} from left to right, one person a seat.",)


TOY = Subdomain("relational", ROW, _draw_setting, _draw, _setting)


def worlds(case: Case) -> list[dict[str, int]]:
    """Return everything that the laws of a case allow, without its premises."""
    return list(every_world(case.variables, case.laws))


def allowed(case: Case) -> list[dict[str, int]]:
    """Return the worlds that the premises allow."""
    return [world for world in worlds(case) if all(premise.holds(world) for premise in case.theory.values())]


def possible(every: Sequence[Mapping[str, int]], formulas: Sequence[Formula]) -> bool:
    return any(all(formula.holds(world) for formula in formulas) for world in every)
