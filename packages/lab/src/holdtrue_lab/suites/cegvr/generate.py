"""Generate search problems: sparse linear ones, dense ones as the published study has them, and the transfer sets.

Every problem has its own random stream, so that problem 7 of a seed is the same however many are made. Labels,
difficulties and sizes of smallest MUSes alternate along the sequence, so that a shorter set has a share of each.

An impossible problem is so because of one sum that is too large for the bounds. This form is kept for comparison: it
shows why the study could not tell variables worth revising from others, as they are always all variables.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from random import Random
from types import MappingProxyType
from typing import Any

from holdtrue.budget import UNLIMITED
from holdtrue.errors import SettingsError
from holdtrue.kinds.search.problem import Difficulty, Gold, Requirement, SearchProblem
from holdtrue.logic.formula import Variable
from holdtrue.logic.sorts import IntSort, bounded
from holdtrue.solving.engine import Engine, EngineFault
from holdtrue.solving.explain.mus import smallest_mus
from holdtrue.solving.explain.possible_values import count_witnesses
from holdtrue.solving.result import SmallestMus
from holdtrue.solving.route import make_engine
from holdtrue_lab.suites.cegvr import NAME
from holdtrue_lab.suites.cegvr.notation import notation
from holdtrue_lab.suites.cegvr.prove import proved
from holdtrue_lab.suites.cegvr.schema import LINEAR, RELATIONS, linear_formula
from holdtrue_lab.suites.cegvr.sparse import Reach, Shape, System, draw_system, reach
from holdtrue_lab.suites.cegvr.structure import DIFFICULTIES, difficulty_of, golds

SHAPES: Mapping[Difficulty, Shape] = MappingProxyType(
    {"easy": Shape((4, 6)), "medium": Shape((7, 9)), "hard": Shape((10, 12))}
)
MUS_SIZES: Mapping[Difficulty, tuple[int, ...]] = MappingProxyType(
    {"easy": (2, 3, 4), "medium": (2, 3, 4, 5), "hard": (2, 3, 4, 5, 6)}
)
"""The sizes of smallest MUSes that are wanted in turn; few variables hardly ever have large ones."""
ANY_SIZE = (2, 3, 4, 5, 6)
PATIENCE = 8
"""The number of systems that are searched for a MUS of the wanted size; after them any size is taken."""
GIVE_UP = 300
"""The number of systems that are drawn for one problem; if none of them fits, the shape is refused."""
MOST_COUNTED = 50
"""The largest number of witnesses that is counted."""


@dataclass(frozen=True, slots=True)
class TargetProperties:
    """The wanted properties of a problem."""

    gold: Gold
    difficulty: Difficulty
    mus_size: int


def generate_linear(
    seed: int, count: int, sat_ratio: float = 0.6, *, shapes: Mapping[Difficulty, Shape] = SHAPES
) -> list[SearchProblem]:
    """Return `count` problems, a share `sat_ratio` of them satisfiable, each with a label that was proved twice.

    Raises `SettingsError` for impossible numbers and for shapes that have no such problems, and `EngineFault` if two
    provers disagree.
    """
    made: list[SearchProblem] = []
    met: set[tuple[str, ...]] = set()
    for index, wanted in enumerate(plan(count, sat_ratio)):
        rng = Random(f"{seed}/{NAME}/{LINEAR}/{index}")
        while True:
            problem = _draw(rng, f"{LINEAR}-{seed}-{index:04d}", wanted, shapes[wanted.difficulty])
            texts = tuple(constraint.text for constraint in problem.constraints)
            if texts not in met:  # never yet seen otherwise, but promised
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
    """Draw a problem as wanted; its numbers of variables and constraints are drawn once, independent of the label."""
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
    """One system in two versions: a constraint is moved to just within what the others allow, and to just beyond."""

    possible: System
    impossible: System
    slack: int
    mus: tuple[str, ...]


def _squeeze(
    rng: Random, engine: Engine, system: System, place: int, shape: Shape, sizes: tuple[int, ...]
) -> _Squeezed | None:
    """Return both versions of a system, or None if the smallest MUS of the impossible one has another size.

    Problems of both labels are drawn like this, so that only one constraint's number depends on the label.
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
"""The domain of these problems in our reports."""
LARGEST_COEFFICIENT, LARGEST_SLACK, LARGEST_EXCESS = 5, 4, 3


def generate_upstream(seed: int, count: int, sat_ratio: float = 0.6) -> list[SearchProblem]:
    """Return `count` problems, a share `sat_ratio` of them satisfiable, each with a label that was proved twice.

    Raises `SettingsError` for impossible numbers, and `EngineFault` if two provers disagree.
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
"""The styles of linear problems: our sparse ones, and the dense form of the published study."""
SAT_RATIO = 0.6
"""The default share of satisfiable problems among linear ones."""


def make_problems(
    seed: int, count: int, *, kind: str = LINEAR, style: str = "sparse", sat_ratio: float | None = None
) -> list[SearchProblem]:
    """Return `count` problems: linear ones in a style of `STYLES`, or those of a transfer set.

    Raises `SettingsError` for settings that cannot be met: only linear problems have a style and a share.
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
