"""Generate the dialogues of suite belief: a world of Horn rules, and questions in the order of a schedule.

Source: "Conversation as Belief Revision" (GreedySAT), synthetic propositional worlds and query schedules. Every
dialogue has its own random streams, so that dialogue 7 of a seed is the same however many are made. The world has a
stream of its own, so that both schedules ask about the same worlds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from random import Random
from types import MappingProxyType

from holdtrue.budget import UNLIMITED
from holdtrue.errors import SettingsError
from holdtrue.kinds.labels.case import Case, Premise, Query
from holdtrue.lab.kit.constraints import sharing
from holdtrue.lab.suites.belief import NAME
from holdtrue.lab.suites.belief.horn_world import is_rule
from holdtrue.lab.suites.belief.phrasing import ask, tell
from holdtrue.lab.suites.belief.world import World, draw_world
from holdtrue.record import Label
from holdtrue.solving.engine import Engine
from holdtrue.solving.explain.classification import label_of
from holdtrue.solving.route import make_engine
from holdtrue.world.instance import Constraint


def ask_at_random(rng: Random, world: World, turns: int) -> tuple[Constraint, ...]:
    """Return `turns` questions, each about a random atom, asserted or denied, whatever was asked before."""
    atoms = world.instance.entities
    return tuple(_literal(world, rng.choice(atoms), rng.random() < 0.5) for _ in range(turns))


def ask_under_stress(rng: Random, world: World, turns: int) -> tuple[Constraint, ...]:
    """Return `turns` questions in an order in which contradicting oneself is easy.

    First the head P of a rule, then not P, then each condition of the rule; then one of two equivalent atoms, and the
    denial of the other; then other rules, equivalences and constraints in the same way. Of four questions or more the
    last is one that was asked before.
    """
    rules = [made for made in world.premises if is_rule(made.type)]
    equivalences = [made for made in world.premises if made.type == "equivalent"]
    first = [rng.choice(rules), rng.choice(equivalences)]
    rest = [made for made in world.premises if len(made.args) > 1 and made not in first]
    rng.shuffle(rest)
    asked: list[Constraint] = []
    for premise in (*first, *rest):
        asked += _press(rng, world, premise)
    again = 1 if turns > 3 else 0
    del asked[turns - again :]
    while len(asked) < turns:
        asked.append(rng.choice(asked))
    return tuple(asked)


def _press(rng: Random, world: World, premise: Constraint) -> Iterator[Constraint]:
    """Yield questions whose answers easily clash with each other by this premise."""
    atoms = [str(atom) for atom in premise.args]
    if is_rule(premise.type):
        head = atoms.pop()
        yield _literal(world, head, True)
        yield _literal(world, head, False)
    rng.shuffle(atoms)
    for place, atom in enumerate(atoms):
        yield _literal(world, atom, premise.type != "equivalent" or place == 0)


def _literal(world: World, atom: str, positive: bool) -> Constraint:
    return world.instance.constraint("holds" if positive else "holds_not", [atom])


SCHEDULES: Mapping[str, Callable[[Random, World, int], tuple[Constraint, ...]]] = MappingProxyType(
    {"random": ask_at_random, "stress": ask_under_stress}
)


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
