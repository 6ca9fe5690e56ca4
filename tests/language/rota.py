"""A small domain of days with some commitments, for tests of withdrawals and amendments."""

from __future__ import annotations

from holdtrue.language.reading import ActiveCommitment
from holdtrue.world.domain import Attribute, ConstraintType, Domain, Entity, Integer
from holdtrue.world.instance import Arg, Constraint

ROTA = Domain(
    "rota",
    attributes=[Attribute("day", low=1, high=5)],
    constraint_types=[
        ConstraintType("on_day", (Entity(), Integer(1, 5)), "{0} works on day {1}", lambda w, a, k: a.day.eq(k)),
        ConstraintType(
            "off_day", (Entity(), Integer(1, 5)), "{0} does not work on day {1}", lambda w, a, k: a.day.ne(k)
        ),
        ConstraintType("before", (Entity(), Entity()), "{0} works before {1}", lambda w, a, b: a.day < b.day),
        ConstraintType(
            "apart",
            (Entity(), Entity(), Integer(1, 4)),
            "{0} and {1} work at least {2} days apart",
            lambda w, a, b, k: abs(a.day - b.day) >= k,
            symmetric=True,
        ),
    ],
)
WEEK = ROTA.instance(["Ann", "Bob", "Cy", "Dee"])


def made(type: str, *args: Arg) -> Constraint:
    """Return a constraint of the week, in canonical form."""
    return WEEK.canonical(WEEK.constraint(type, args))


def agreed(*statements: tuple[int, Constraint]) -> tuple[ActiveCommitment, ...]:
    """Return active commitments from constraints with their turns, C001 first."""
    return tuple(ActiveCommitment(f"C{number:03d}", one, turn) for number, (turn, one) in enumerate(statements, 1))


ACTIVE = agreed(
    (1, made("on_day", "Ann", 2)),
    (2, made("before", "Ann", "Bob")),
    (2, made("apart", "Ann", "Cy", 2)),
    (3, made("off_day", "Dee", 4)),
)
