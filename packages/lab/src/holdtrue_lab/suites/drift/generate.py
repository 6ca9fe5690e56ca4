"""This module generates DRIFT-Bench problems from random constraints that keep everything satisfiable.

The method follows the DRIFT-Bench paper, section 4.1. Every problem has its own random stream, so only its split
depends on the number of problems. The wording has a separate stream, so another wording changes nothing else.

As in the published data, all constraint types of a problem are equally likely, and so are all arguments.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from random import Random
from typing import Any, Literal, get_args

from holdtrue.budget import UNLIMITED
from holdtrue.errors import DomainError, SettingsError
from holdtrue.logic.formula import Formula
from holdtrue.solving.engine import Engine
from holdtrue.solving.explain.first_witness import first_witness
from holdtrue.solving.result import Satisfiable
from holdtrue.solving.route import make_engine
from holdtrue.world.instance import Constraint, Instance
from holdtrue.world.logic_grid import DEFAULT_CATEGORIES
from holdtrue.world.registry import BUILTIN
from holdtrue_lab.kinds.assignment.problem import Problem, ProblemTurn
from holdtrue_lab.suites.drift import NAME
from holdtrue_lab.suites.drift.phrasing import vary

DOMAINS = ("logic_grid", "scheduling", "seating")

PEOPLE = (
    "Alice", "Bob", "Charlie", "Diana", "Eve", "Frank", "Grace", "Henry", "Ivy", "Jack",
    "Karen", "Liam", "Mia", "Noah", "Olivia", "Peter", "Quinn", "Ruby", "Sam", "Tina",
)  # fmt: skip
EVENTS = (
    "Deploy", "Design", "Docs", "Meeting", "Planning", "QA", "Refactor", "Review", "Sync", "Testing",
)  # fmt: skip
HOLDERS = ("Avery", "Blake", "Casey", "Drew", "Emery", "Finley", "Hayden", "Jordan")

LONGEST_EVENT = 3
LONGEST_GAP = 2
RECTANGULAR_SHARE = 0.25

Args = list[str | int]
Draw = Callable[[Random, Instance], Args]


def draw_setting(rng: Random, domain: str) -> tuple[list[str], dict[str, Any]]:
    """Draw the entities of a problem in one of `DOMAINS`, and its context.

    Seating has a number of seats and a shape of the table. Scheduling has a number of slots and the longest duration. A
    logic grid has its categories with their values. Raises `DomainError` for another domain.
    """
    match domain:
        case "seating":
            seats = rng.randint(6, 8)
            rectangular = seats % 2 == 0 and rng.random() < RECTANGULAR_SHARE
            shape = "rectangular" if rectangular else "round"
            return rng.sample(PEOPLE, seats), {"num_entities": seats, "table_shape": shape}
        case "scheduling":
            events = rng.randint(5, 7)
            slots = events + rng.randint(2, 4)
            return rng.sample(EVENTS, events), {"num_slots": slots, "max_duration": LONGEST_EVENT}
        case "logic_grid":
            categories = {name: list(values) for name, values in DEFAULT_CATEGORIES.items()}
            return rng.sample(HOLDERS, 4), {"categories": categories}
    raise DomainError(f"no problems are made for the domain {domain!r}; there are {', '.join(DOMAINS)}")


def draw_constraint(rng: Random, instance: Instance) -> Constraint:
    """Draw one constraint of a random type that the instance has, with random arguments.

    The constraint may be unsatisfiable; then the caller drops it. In particular, `same_as` can never hold, because no
    two entities of a logic grid share a value. It is drawn nevertheless, as in the published data.
    """
    kind = rng.choice(sorted(instance.types))
    return instance.constraint(kind, _ARGUMENTS.get(kind, _pair)(rng, instance))


def _pair(rng: Random, instance: Instance) -> Args:
    return [*rng.sample(instance.entities, 2)]


def _entity_and(numbers: Callable[[Instance], int]) -> Draw:
    """Return a function that draws an entity, and a number from 1 to the result of `numbers`."""
    return lambda rng, instance: [rng.choice(instance.entities), rng.randint(1, numbers(instance))]


def _window(rng: Random, instance: Instance) -> Args:
    event, first = _ARGUMENTS["at_time"](rng, instance)
    last = rng.randint(1, instance.context["num_slots"])
    return [event, *sorted((int(first), last))]


def _value(rng: Random, instance: Instance) -> Args:
    category = rng.choice(list(instance.attributes))
    return [rng.choice(instance.entities), category, rng.choice(instance.context["categories"][category])]


def _pair_and_category(rng: Random, instance: Instance) -> Args:
    return [*_pair(rng, instance), rng.choice(list(instance.attributes))]


# The types that are not listed here take two entities.
_ARGUMENTS: Mapping[str, Draw] = {
    "at_position": _entity_and(lambda instance: instance.context["num_entities"]),
    # On the shorter way around the table, no more seats fit between two people.
    "separated_by": lambda rng, made: [*_pair(rng, made), rng.randint(1, made.context["num_entities"] // 2 - 1)],
    "at_time": _entity_and(lambda instance: instance.context["num_slots"]),
    "within": _window,
    "duration": _entity_and(lambda instance: LONGEST_EVENT),
    "gap": lambda rng, instance: [*_pair(rng, instance), rng.randint(0, LONGEST_GAP)],
    "assign": _value,
    "not_assign": _value,
    "same_as": _pair_and_category,
    "different": _pair_and_category,
    "ordered": _pair_and_category,
}


Phrasing = Literal["published", "varied"]
Say = Callable[[Instance, Sequence[Constraint]], str]

PHRASINGS: tuple[Phrasing, ...] = get_args(Phrasing)
TURNS = (4, 10)
CONSTRAINTS_A_TURN = (1, 3)
DEV_SHARE = 0.2
CONNECTIVE = ". Also, "
_REDRAWS = 500
_RESTARTS = 5


def generate(
    seed: int,
    count: int,
    *,
    turns: int | None = None,
    domains: Sequence[str] = DOMAINS,
    phrasing: str = "published",
) -> list[Problem]:
    """Return `count` problems, spread evenly over `domains`; a fifth of each domain's problems are in the split `dev`.

    `turns` fixes the number of turns; otherwise it is uniform in 4..10. `phrasing` is one of `PHRASINGS`: the published
    templates, or varied words with the same meaning. It changes only the messages. The same seed gives the same
    problems. Raises `SettingsError` for impossible settings.
    """
    unknown = [name for name in domains if name not in DOMAINS]
    if unknown or not domains or len(set(domains)) < len(domains):
        raise SettingsError(f"domains must be some of {', '.join(DOMAINS)}, each once; got {', '.join(domains)}")
    if count < 1 or (turns is not None and turns < 1):
        raise SettingsError("the numbers of problems and of turns must be at least 1")
    if phrasing not in PHRASINGS:
        raise SettingsError(f"unknown phrasing {phrasing!r}; there are {', '.join(PHRASINGS)}")
    problems: list[Problem] = []
    for place, domain in enumerate(domains):
        share = len(range(place, count, len(domains)))
        dev = set(Random(f"{seed}/{domain}/split").sample(range(share), round(DEV_SHARE * share)))
        for index in range(share):
            split = "dev" if index in dev else "test"
            problems.append(_problem(f"{seed}/{domain}/{index}", domain, index, split, turns, phrasing))
    return problems


def _published(instance: Instance, stated: Sequence[Constraint]) -> str:
    return CONNECTIVE.join(map(instance.sentence, stated)) + "."


def _problem(stream: str, domain: str, index: int, split: str, turns: int | None, phrasing: str) -> Problem:
    rng = Random(stream)
    say = partial(vary, Random(f"{stream}/words")) if phrasing == "varied" else _published
    for _ in range(_RESTARTS):
        entities, context = draw_setting(rng, domain)
        instance = BUILTIN[domain].instance(entities, context)
        wanted = rng.randint(*TURNS) if turns is None else turns
        made = tuple(_turns(rng, instance, wanted, say))
        if len(made) == wanted:
            return Problem(f"{domain}_{index:03d}", NAME, domain, tuple(entities), context, made, split)
    raise SettingsError(f"{domain}: {turns} turns do not fit: everything satisfiable has been said before")


def _turns(rng: Random, instance: Instance, wanted: int, say: Say) -> Iterator[ProblemTurn]:
    """Yield the turns of one conversation; fewer than `wanted` if no new constraint was found."""
    engine = make_engine(list(instance.variables.values()), instance.background)
    said: dict[Constraint, Constraint] = {}
    for number in range(1, wanted + 1):
        new = _new_constraints(rng, instance, engine, said)
        if not new:
            return
        said |= new
        witness = first_witness(engine, _soft(instance, said), UNLIMITED, list(instance.variables))
        yield ProblemTurn(
            number,
            say(instance, tuple(new.values())),
            tuple(made.to_json() for made in new.values()),
            witness.witness if isinstance(witness, Satisfiable) else None,
        )


def _new_constraints(
    rng: Random, instance: Instance, engine: Engine, said: dict[Constraint, Constraint]
) -> dict[Constraint, Constraint]:
    """Return the constraints of one turn by canonical form. They are new, and satisfiable with all earlier constraints.

    Sets of constraints with random sizes are drawn until one is accepted. If none is, the result is empty.
    """
    for _ in range(_REDRAWS):
        drawn = [draw_constraint(rng, instance) for _ in range(rng.randint(*CONSTRAINTS_A_TURN))]
        new: dict[Constraint, Constraint] = {}
        for made in drawn:
            if instance.canonical(made) not in said:
                new.setdefault(instance.canonical(made), made)
        if new and isinstance(engine.decide(_soft(instance, said | new), UNLIMITED), Satisfiable):
            return new
    return {}


def _soft(instance: Instance, constraints: dict[Constraint, Constraint]) -> dict[str, Formula]:
    return {str(index): instance.formula(made) for index, made in enumerate(constraints.values())}
