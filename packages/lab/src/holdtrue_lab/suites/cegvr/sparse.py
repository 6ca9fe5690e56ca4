"""Draw sparse linear systems, and find how far the other constraints let the sum of one constraint go.

A problem is a system with a witness, in which the number of one constraint is moved: to the farthest value that the
others allow, or just beyond. So problems with and without a solution differ in that number alone, a problem has to be
solved to be told apart, and an impossible one is impossible only by several constraints together.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random

from holdtrue.errors import SettingsError
from holdtrue.logic.formula import Compare, Formula, Variable
from holdtrue.logic.sorts import IntSort, bounded
from holdtrue.solving.engine import Engine
from holdtrue.solving.result import Witness
from holdtrue_lab.suites.cegvr.prove import decided
from holdtrue_lab.suites.cegvr.schema import Relation, linear_formula

COEFFICIENTS = (1, 1, 2, 2, 3, 4, 5, -1, -1, -2)
LARGEST_UPPER, SMALLEST_UPPER = 9, 4


@dataclass(frozen=True, slots=True)
class Shape:
    """A `Shape` says how large and how tight systems are; ranges include both ends.

    `density` is the number of constraints for each variable, and `equations` the share of constraints that are
    equations. `slack` is the distance between a sum at the witness and the constraint's number. `witnesses` is the
    largest number of solutions of a problem, None for any number. Raises `SettingsError` for fewer than two variables,
    and for slack below zero.
    """

    variables: tuple[int, int]
    density: tuple[float, float] = (1.0, 1.4)
    slack: tuple[int, int] = (0, 3)
    equations: float = 0.12
    witnesses: int | None = None

    def __post_init__(self) -> None:
        if min(self.variables) < 2 or min(self.slack) < 0:
            raise SettingsError("a shape has two variables or more, and no slack below zero")

    def draw(self, rng: Random) -> tuple[int, int]:
        """Draw a number of variables and a number of constraints."""
        variables = rng.randint(*self.variables)
        return variables, round(variables * rng.uniform(*self.density))


@dataclass(frozen=True, slots=True)
class Linear:
    """A linear constraint: a sum of `coefficient * variable`, compared with the number `rhs`."""

    terms: tuple[tuple[int, Variable], ...]
    relation: Relation
    rhs: int

    @property
    def formula(self) -> Compare:
        return linear_formula(self.terms, self.relation, self.rhs)

    def value(self, values: Witness) -> int:
        """Return the value of the sum."""
        return sum(coefficient * values[variable.name] for coefficient, variable in self.terms)


@dataclass(frozen=True, slots=True)
class System:
    """A system of linear constraints, with a witness that satisfies them."""

    variables: tuple[Variable, ...]
    constraints: tuple[Linear, ...]
    witness: Witness

    def formulas(self, without: int | None = None) -> dict[str, Formula]:
        """Return the constraints as formulas by id, c1, c2, ..., leaving out the one with the index `without`."""
        return {f"c{at + 1}": one.formula for at, one in enumerate(self.constraints) if at != without}

    def moved(self, place: int, rhs: int) -> System:
        """Return the system with the number `rhs` in one constraint."""
        changed = list(self.constraints)
        changed[place] = replace(changed[place], rhs=rhs)
        return replace(self, constraints=tuple(changed))


def draw_system(rng: Random, shape: Shape, variables: int, constraints: int) -> System:
    """Draw a system of `variables` x1, x2, ... and `constraints` of two or three variables each.

    If there are enough constraints, they connect all variables.
    """
    unknowns = tuple(
        Variable(f"x{number}", IntSort(0, rng.randint(SMALLEST_UPPER, LARGEST_UPPER)))
        for number in range(1, variables + 1)
    )
    witness = {one.name: rng.choice(one.sort.values) for one in unknowns}
    places = rng.sample(range(variables), variables)
    met, fresh = places[:1], places[1:]
    drawn: list[Linear] = []
    while len(drawn) < constraints:
        width = min(rng.choice((2, 3)), variables)
        new = [fresh.pop() for _ in range(min(len(fresh), rng.randint(1, width - 1)))]
        old = rng.sample(met, min(len(met), width - len(new)))
        met += new
        drawn.append(_constraint(rng, shape, [unknowns[place] for place in sorted(old + new)], witness))
    rng.shuffle(drawn)
    return System(unknowns, tuple(drawn), witness)


def _constraint(rng: Random, shape: Shape, scope: Sequence[Variable], witness: Mapping[str, int]) -> Linear:
    """Draw a constraint over these variables that the witness satisfies and some other values do not."""
    while True:
        terms = tuple((rng.choice(COEFFICIENTS), variable) for variable in scope)
        low, high = _ends(terms)
        value = sum(coefficient * witness[variable.name] for coefficient, variable in terms)
        if rng.random() < shape.equations:
            return Linear(terms, "=", value)
        slack = rng.randint(*shape.slack)
        if rng.random() < 0.5:
            if value + slack < high:
                return Linear(terms, "<=", value + slack)
        elif value - slack > low:
            return Linear(terms, ">=", value - slack)


@dataclass(frozen=True, slots=True)
class Reach:
    """The farthest `value` of one constraint's sum while the others hold, in the direction that the constraint demands.

    `sign` is 1 if the constraint demands more, and -1 if it demands less. `start` and `limit` are the nearest and the
    farthest value that the bounds of its variables alone allow.
    """

    sign: int
    value: int
    start: int
    limit: int
    witness: Witness

    def has_room(self, slack: int, excess: int) -> bool:
        """Return whether the bounds leave room for `slack` before the farthest value, and for `excess` beyond it."""
        return self.sign * (self.value - self.start) > slack and self.sign * (self.limit - self.value) >= excess

    def within(self, slack: int) -> int:
        """Return the number that is `slack` before the farthest value."""
        return self.value - self.sign * slack

    def beyond(self, excess: int) -> int:
        """Return the number that is `excess` beyond the farthest value."""
        return self.value + self.sign * excess


def reach(engine: Engine, system: System, place: int, sign: int) -> Reach:
    """Find by bisection the farthest value of the sum of the constraint with this index."""
    constraint, rest = system.constraints[place], system.formulas(without=place)
    value, witness = constraint.value(system.witness), system.witness
    start, limit = _ends(constraint.terms)[::sign]
    farthest = limit
    while value != farthest:
        middle = value + sign * ((sign * (farthest - value) + 1) // 2)
        wanted = linear_formula(constraint.terms, ">=" if sign > 0 else "<=", middle)
        found = decided(engine, {**rest, "farther": wanted})
        if found is None:
            farthest = middle - sign
        else:
            value, witness = constraint.value(found), found
    return Reach(sign, value, start, limit, witness)


def _ends(terms: Sequence[tuple[int, Variable]]) -> tuple[int, int]:
    """The least and the greatest value that the bounds of its variables leave a sum."""
    products = [sorted(coefficient * end for end in bounded(variable.sort)) for coefficient, variable in terms]
    return sum(least for least, _ in products), sum(most for _, most in products)
