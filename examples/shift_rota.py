"""Who works on which day: a domain of one's own.

holdtrue check --chat examples/shift_rota_chat.jsonl --domain examples/shift_rota.py:ROTA --extractor templates
"""

from __future__ import annotations

from itertools import combinations

from holdtrue import Attribute, Axiom, ConstraintType, Domain, Entity, Instance, Integer
from holdtrue.logic import And, Not


def days(week: Instance) -> int:
    return int(week.context["days"])


def at_most_two_a_day(week: Instance) -> list[Axiom]:
    return [
        Axiom(
            f"crowd_{a}_{b}_{c}",
            f"{a}, {b} and {c} do not all work on the same day",
            Not(And((week[a].day.eq(week[b].day), week[b].day.eq(week[c].day)))),
        )
        for a, b, c in combinations(week.entities, 3)
    ]


ROTA = Domain(
    name="shift rota",
    entities=["Ana", "Ben", "Cleo", "Dora", "Emil"],
    context=lambda staff, given: {"days": 5, **given},
    attributes=lambda context: [Attribute("day", low=1, high=context["days"])],
    constraint_types=[
        ConstraintType(
            "on_day", (Entity(), Integer(1, days)), "{0} works on day {1}", lambda week, a, day: a.day.eq(day)
        ),
        ConstraintType(
            "off_day", (Entity(), Integer(1, days)), "{0} does not work on day {1}", lambda week, a, day: a.day.ne(day)
        ),
        ConstraintType("before", (Entity(), Entity()), "{0} works before {1}", lambda week, a, b: a.day < b.day),
        ConstraintType(
            "apart",
            (Entity(), Entity(), Integer(1, days)),
            "{0} and {1} work at least {2} days apart",
            lambda week, a, b, gap: abs(a.day - b.day) >= gap,
            symmetric=True,
        ),
    ],
    axioms=at_most_two_a_day,
)
