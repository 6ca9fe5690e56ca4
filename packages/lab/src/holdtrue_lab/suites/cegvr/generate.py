"""This module generates search problems: sparse linear ones, and dense ones in the form of the published study.

A sparse problem begins as a system with a witness. Then the number on the right side of one constraint is changed. It
becomes the farthest value that the other constraints allow, or a value just beyond that. So satisfiable and
unsatisfiable problems differ only in this number, and a conflict involves several constraints. Every problem has its
own random stream, so it does not depend on the number of problems. Labels, difficulties and sizes of smallest MUSes
(minimal unsatisfiable subsets) alternate.

An unsatisfiable dense problem has one sum that is too large for the bounds. The dense form is kept for comparison with
the study. Its conflicts always contain all variables, so they could not show which variables to revise.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random
from types import MappingProxyType
from typing import Any

from holdtrue.budget import UNLIMITED
from holdtrue.errors import SettingsError
from holdtrue.kinds.search.problem import Difficulty, Gold, Requirement, SearchProblem
from holdtrue.logic.formula import Compare, Formula, Variable
from holdtrue.logic.sorts import IntSort, bounded
from holdtrue.solving.engine import Engine, EngineFault
from holdtrue.solving.explain.mus import smallest_mus
from holdtrue.solving.explain.possible_values import count_witnesses
from holdtrue.solving.result import SmallestMus, Witness
from holdtrue.solving.route import make_engine
from holdtrue_lab.suites.cegvr import NAME
from holdtrue_lab.suites.cegvr.files import RELATIONS, Relation, linear_formula, notation
from holdtrue_lab.suites.cegvr.prove import DIFFICULTIES, LINEAR, decided, difficulty_of, golds, proved

COEFFICIENTS = (1, 1, 2, 2, 3, 4, 5, -1, -1, -2)
LARGEST_UPPER, SMALLEST_UPPER = 9, 4


@dataclass(frozen=True, slots=True)
class Shape:
    """A `Shape` gives the size and tightness of systems; ranges include both ends.

    `density` is the number of constraints for each variable, and `equations` the share of equations among them. `slack`
    is the distance between a sum at the witness and the constraint's number. `witnesses` is the largest number of
    solutions, or None for any number. Raises `SettingsError` for fewer than two variables, and for slack below zero.
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
        return sum(coefficient * values[variable.name] for coefficient, variable in self.terms)


@dataclass(frozen=True, slots=True)
class System:
    """A `System` is a system of linear constraints, with a witness that satisfies them."""

    variables: tuple[Variable, ...]
    constraints: tuple[Linear, ...]
    witness: Witness

    def formulas(self, without: int | None = None) -> dict[str, Formula]:
        """Return the constraints as formulas by id (c1, c2, ...), without the constraint at the index `without`."""
        return {f"c{at + 1}": one.formula for at, one in enumerate(self.constraints) if at != without}

    def moved(self, place: int, rhs: int) -> System:
        """Return the system with the number `rhs` in the constraint at the index `place`."""
        changed = list(self.constraints)
        changed[place] = replace(changed[place], rhs=rhs)
        return replace(self, constraints=tuple(changed))


def draw_system(rng: Random, shape: Shape, variables: int, constraints: int) -> System:
    """Draw a system of so many variables (x1, x2, ...) and constraints, each with two or three variables.

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
    """The farthest `value` of one constraint's sum while the other constraints hold.

    `sign` is the direction: 1 if the constraint demands a larger sum, -1 if it demands a smaller one. `start` and
    `limit` are the nearest and the farthest value within the bounds of the constraint's variables.
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
    """Return the least and the greatest value of a sum within the bounds of its variables."""
    products = [sorted(coefficient * end for end in bounded(variable.sort)) for coefficient, variable in terms]
    return sum(least for least, _ in products), sum(most for _, most in products)


SHAPES: Mapping[Difficulty, Shape] = MappingProxyType(
    {"easy": Shape((4, 6)), "medium": Shape((7, 9)), "hard": Shape((10, 12))}
)
MUS_SIZES: Mapping[Difficulty, tuple[int, ...]] = MappingProxyType(
    {"easy": (2, 3, 4), "medium": (2, 3, 4, 5), "hard": (2, 3, 4, 5, 6)}
)
"""The wanted sizes of smallest MUSes, used in turn; problems with few variables hardly ever have large MUSes."""
ANY_SIZE = (2, 3, 4, 5, 6)
PATIENCE = 8
"""The number of systems that are searched for a MUS of the wanted size. After that, any size is accepted."""
GIVE_UP = 300
"""The number of systems that are drawn for one problem before the generator refuses the shape."""
MOST_COUNTED = 50
"""The largest number of witnesses that is counted."""


@dataclass(frozen=True, slots=True)
class TargetProperties:
    gold: Gold
    difficulty: Difficulty
    mus_size: int


def generate_linear(
    seed: int, count: int, sat_ratio: float = 0.6, *, shapes: Mapping[Difficulty, Shape] = SHAPES
) -> list[SearchProblem]:
    """Return `count` problems, each with a label that two provers confirm; a share `sat_ratio` is satisfiable.

    Raises `SettingsError` for impossible numbers and for shapes without such problems, and `EngineFault` if the provers
    disagree.
    """
    made: list[SearchProblem] = []
    met: set[tuple[str, ...]] = set()
    for index, wanted in enumerate(plan(count, sat_ratio)):
        rng = Random(f"{seed}/{NAME}/{LINEAR}/{index}")
        while True:
            problem = _draw(rng, f"{LINEAR}-{seed}-{index:04d}", wanted, shapes[wanted.difficulty])
            texts = tuple(constraint.text for constraint in problem.constraints)
            if texts not in met:  # equal problems are very unlikely, but possible
                met.add(texts)
                made.append(problem)
                break
    return made


def plan(count: int, sat_ratio: float) -> Iterator[TargetProperties]:
    """Yield the wanted properties of the problems, in order."""
    so_far: dict[Gold, int] = {"sat": 0, "unsat": 0}
    for gold in golds(count, sat_ratio):
        turn, place = divmod(so_far[gold], len(DIFFICULTIES))
        so_far[gold] += 1
        difficulty = DIFFICULTIES[place]
        sizes = MUS_SIZES[difficulty]
        yield TargetProperties(gold, difficulty, sizes[(turn + place) % len(sizes)])


def _draw(rng: Random, id: str, target: TargetProperties, shape: Shape) -> SearchProblem:
    """Draw a problem with the target's properties; its size is drawn independently of the label."""
    variables, constraints = shape.draw(rng)
    tried = 0
    for _ in range(GIVE_UP):
        system = draw_system(rng, shape, variables, constraints)
        if difficulty_of(system.variables, system.formulas().values()) != target.difficulty:
            variables, constraints = shape.draw(rng)
            continue
        tried += 1
        engine = make_engine(system.variables)
        for place in rng.sample(range(constraints), constraints):
            found = _squeeze(rng, engine, system, place, shape, ANY_SIZE if tried > PATIENCE else (target.mus_size,))
            if found is None:
                continue
            problem = _finish(id, engine, target, shape, found)
            if problem is not None:
                return problem
    raise SettingsError(f"no {target.difficulty} problem that is {target.gold} was found in {GIVE_UP} draws: {shape}")


@dataclass(frozen=True, slots=True)
class _Squeezed:
    """A system in two versions: the number of one constraint is at the limit that the others allow, or beyond it."""

    possible: System
    impossible: System
    slack: int
    mus: tuple[str, ...]


def _squeeze(
    rng: Random, engine: Engine, system: System, place: int, shape: Shape, sizes: tuple[int, ...]
) -> _Squeezed | None:
    """Return both versions of a system, or None if the smallest MUS of the impossible version has another size.

    Problems of both labels are drawn in this way, so that only one constraint's number depends on the label.
    """
    relation = system.constraints[place].relation
    sign = {">=": 1, "<=": -1}.get(relation) or rng.choice((1, -1))
    slack = 0 if relation == "=" else rng.randint(*shape.slack)
    excess = 1 + slack
    found: Reach = reach(engine, system, place, sign)
    if not found.has_room(slack, excess):
        return None
    impossible = system.moved(place, found.beyond(excess))
    mus = smallest_mus(engine, impossible.formulas(), UNLIMITED)
    if not isinstance(mus, SmallestMus):
        raise EngineFault(f"{engine.name} finds no smallest MUS beyond what can be reached: {mus}")
    if len(mus.ids) not in sizes:
        return None
    moved = system.moved(place, found.within(slack))
    return _Squeezed(System(moved.variables, moved.constraints, found.witness), impossible, slack, mus.ids)


def _finish(
    id: str, engine: Engine, target: TargetProperties, shape: Shape, squeezed: _Squeezed
) -> SearchProblem | None:
    """Return the problem with its proved label, or None if it has too many witnesses."""
    system = squeezed.possible if target.gold == "sat" else squeezed.impossible
    formulas = system.formulas()
    known: dict[str, Any]
    if target.gold == "sat":
        counted = count_witnesses(engine, formulas, UNLIMITED, most=max(MOST_COUNTED, (shape.witnesses or 0) + 1))
        if shape.witnesses is not None and counted.count > shape.witnesses:
            return None
        known = {
            "planted": dict(system.witness),
            "slack": squeezed.slack,
            "witnesses": counted.count,
            "witnesses_exact": counted.exact,
        }
    else:
        known = {"smallest_mus": len(squeezed.mus), "mus": list(squeezed.mus)}
    problem = SearchProblem(
        id=id,
        suite=NAME,
        domain=LINEAR,
        variables=system.variables,
        constraints=tuple(Requirement(name, notation(formula), formula) for name, formula in formulas.items()),
        gold=target.gold,
        difficulty=target.difficulty,
        metadata=known,
    )
    return proved(problem)


DENSE = "dense"
"""The domain of dense problems in reports."""
LARGEST_COEFFICIENT, LARGEST_SLACK, LARGEST_EXCESS = 5, 4, 3


def generate_upstream(seed: int, count: int, sat_ratio: float = 0.6) -> list[SearchProblem]:
    """Return `count` dense problems, each with a label that two provers confirm; a share `sat_ratio` is satisfiable.

    Raises `SettingsError` for impossible numbers, and `EngineFault` if the provers disagree.
    """
    return [
        _draw_dense(Random(f"{seed}/{NAME}/{DENSE}/{index}"), f"{DENSE}-{seed}-{index:04d}", gold)
        for index, gold in enumerate(golds(count, sat_ratio))
    ]


def _draw_dense(rng: Random, id: str, gold: Gold) -> SearchProblem:
    variables = [Variable(f"x{number}", IntSort(0, rng.randint(6, 12))) for number in range(1, rng.randint(3, 6) + 1)]
    witness = {one.name: rng.choice(one.sort.values) for one in variables}
    constraints = rng.randint(len(variables) + 1, 2 * len(variables) + 2)
    too_large = rng.randrange(constraints) if gold == "unsat" else None
    formulas = {}
    for place in range(constraints):
        terms = [(rng.randint(1, LARGEST_COEFFICIENT), one) for one in variables]
        relation = rng.choice(RELATIONS)
        value = sum(coefficient * witness[one.name] for coefficient, one in terms)
        rhs = value + {"<=": 1, ">=": -1, "=": 0}[relation] * rng.randint(0, LARGEST_SLACK)
        if place == too_large:
            most = sum(coefficient * bounded(one.sort)[1] for coefficient, one in terms)
            relation, rhs = ">=", most + rng.randint(1, LARGEST_EXCESS)
        formulas[f"c{place + 1}"] = linear_formula(terms, relation, rhs)
    problem = SearchProblem(
        id=id,
        suite=NAME,
        domain=DENSE,
        variables=tuple(variables),
        constraints=tuple(Requirement(name, notation(formula), formula) for name, formula in formulas.items()),
        gold=gold,
        difficulty=difficulty_of(variables, formulas.values()),
        metadata={"planted": witness} if gold == "sat" else {"smallest_mus": 1},
    )
    return proved(problem)


STYLES = {"sparse": generate_linear, "upstream": generate_upstream}
"""The styles of linear problems: sparse ones, and the dense form of the published study."""
SAT_RATIO = 0.6
"""The default share of satisfiable problems among linear ones."""


def make_problems(
    seed: int, count: int, *, kind: str = LINEAR, style: str = "sparse", sat_ratio: float | None = None
) -> list[SearchProblem]:
    """Return `count` problems: linear problems in a style of `STYLES`, or those of a transfer set.

    Raises `SettingsError` for unknown settings. Raises it also for a style or a share if the kind is not linear.
    """
    if style not in STYLES:
        raise SettingsError(f"unknown style {style!r}; there are {', '.join(STYLES)}")
    if kind == LINEAR:
        return STYLES[style](seed, count, SAT_RATIO if sat_ratio is None else sat_ratio)
    if style != "sparse" or sat_ratio is not None:
        raise SettingsError(f"--style and --sat-ratio are for kind {LINEAR}; {kind} has neither")
    if count < 1:
        raise SettingsError("there has to be one problem at least")
    from holdtrue_lab.suites.cegvr.transfer import make_transfer

    return make_transfer(kind, seed, count)
