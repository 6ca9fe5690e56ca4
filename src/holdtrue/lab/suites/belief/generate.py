"""Generate the dialogues of suite belief: a world of Horn rules, and questions whose answers must fit together.

Source: "Conversation as Belief Revision" (GreedySAT), synthetic propositional worlds and query schedules. Every
dialogue has its own random streams, so that dialogue 7 of a seed is the same however many are made. The world has a
stream of its own, so that both schedules ask about the same worlds.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from holdtrue.budget import UNLIMITED
from holdtrue.errors import SettingsError
from holdtrue.kinds.labels.case import Case, Premise, Query
from holdtrue.lab.kit.constraints import sharing
from holdtrue.lab.suites.belief import NAME
from holdtrue.lab.suites.belief.phrasing import ask, tell
from holdtrue.lab.suites.belief.schedule import SCHEDULES
from holdtrue.lab.suites.belief.world import World, draw_world
from holdtrue.record import Label
from holdtrue.solving.engine import Engine
from holdtrue.solving.explain.classification import label_of
from holdtrue.solving.route import make_engine
from holdtrue.world.instance import Constraint

SUBDOMAIN = "horn_world"
LOGIC_TYPE = "propositional"


def generate_dialogues(seed: int, count: int = 120, *, turns: int = 10, schedule: str = "stress") -> list[Case]:
    """Return `count` dialogues, each a `Case` with `turns` questions and their gold labels.

    `schedule` is "random", or "stress" for an order of questions in which contradicting oneself is easy. Raises
    `SettingsError` for another schedule, for a number below 1, and where a world cannot be labelled.
    """
    if schedule not in SCHEDULES:
        raise SettingsError(f"unknown schedule {schedule!r}; there are {', '.join(SCHEDULES)}")
    if count < 1 or turns < 1:
        raise SettingsError("the numbers of dialogues and of turns must be at least 1")
    return [_dialogue(f"{seed}/{NAME}/{index}", index, turns, schedule) for index in range(count)]


def _dialogue(stream: str, index: int, turns: int, schedule: str) -> Case:
    world_rng = Random(f"{stream}/world")
    world = draw_world(world_rng)
    premises = tuple(Premise(tell(world_rng, made), world.instance.formula(made), made) for made in world.premises)
    asking = Random(f"{stream}/{schedule}")
    asked = SCHEDULES[schedule](asking, world, turns)
    return Case(
        id=f"{NAME}_{schedule}_{index:04d}",
        suite=NAME,
        domain=schedule,
        subdomain=SUBDOMAIN,
        logic_type=LOGIC_TYPE,
        entities=world.instance.entities,
        variables=tuple(world.instance.variables.values()),
        laws=world.instance.background,
        premises=premises,
        queries=_queries(asking, world, asked),
        instance=world.instance,
    )


def _queries(rng: Random, world: World, questions: Sequence[Constraint]) -> tuple[Query, ...]:
    """The questions with their labels; each depends on the earlier ones about the same atom."""
    instance = world.instance
    engine = make_engine(list(instance.variables.values()), instance.background)
    labels = {literal: _label(engine, world, literal) for literal in dict.fromkeys(questions)}
    depends_on = sharing(instance, questions)
    queries: list[Query] = []
    for place, literal in enumerate(questions):
        queries.append(
            Query(
                id=f"q{place}",
                text=ask(rng, literal, [query.text for query in queries]),
                label=labels[literal],
                type=literal.type,
                formula=instance.formula(literal),
                constraint=literal,
                depends_on=depends_on[place],
            )
        )
    return tuple(queries)


def _label(engine: Engine, world: World, literal: Constraint) -> Label:
    """Return the gold label of a literal by the premises of its world."""
    theory = {str(place): world.instance.formula(made) for place, made in enumerate(world.premises)}
    found = label_of(engine, theory, world.instance.formula(literal), UNLIMITED)
    if not isinstance(found, Label):
        raise SettingsError(f"a world of this seed cannot be labelled: {found}")
    return found
