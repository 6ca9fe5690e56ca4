"""This module generates the dialogues of suite belief: a world of Horn rules, and questions about it.

The worlds and the schedules of questions follow "Conversation as Belief Revision" (GreedySAT). Every dialogue has its
own random stream, so it does not depend on the number of dialogues. The world has a separate stream, so that both
schedules ask about the same worlds.

A hidden truth makes the world consistent and is then dropped, because the labels follow from the premises alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from types import MappingProxyType

from holdtrue.budget import UNLIMITED
from holdtrue.errors import SettingsError
from holdtrue.kinds.labels.case import Case, Premise, Query
from holdtrue.record import Label
from holdtrue.solving.engine import Engine
from holdtrue.solving.explain.classification import label_of
from holdtrue.solving.route import make_engine
from holdtrue.world.instance import Constraint, Instance
from holdtrue_lab.kit.constraints import sharing
from holdtrue_lab.suites.belief import NAME
from holdtrue_lab.suites.belief.horn_world import HORN_WORLD, LONGEST_BODY, is_rule
from holdtrue_lab.suites.belief.phrasing import THEMES, ask, tell

ATOMS = (5, 8)
RULES = (3, 5)
LONG_BODY = 3
"""Each world has a rule with at least so many conditions. If all rules are short, all revision policies agree."""

_BODY_WEIGHTS = (4, 4, 2, 1)
_CONSTRAINTS = (0, 2)
_TRUE_FACTS = (1, 3)
_FALSE_FACTS = (0, 1)

Stated = tuple[str, tuple[str, ...]]
"""The type and the atoms of a constraint."""


@dataclass(frozen=True, slots=True)
class World:
    """A `World` has an instance whose entities are atoms, and premises. Each atom occurs in at least one premise."""

    instance: Instance
    premises: tuple[Constraint, ...]


def draw_world(rng: Random) -> World:
    """Draw a world with at least one equivalence, and one rule of `LONG_BODY` conditions or more."""
    atoms = rng.sample(THEMES[rng.choice(sorted(THEMES))], rng.randint(*ATOMS))
    true = set(rng.sample(atoms, rng.randint(2, len(atoms) - 1)))
    truth = {atom: atom in true for atom in atoms}
    instance = HORN_WORLD.instance(atoms)
    made: dict[Constraint, Constraint] = {}
    for type, args in _stated(rng, truth):
        stated = instance.constraint(type, args)
        made.setdefault(instance.canonical(stated), stated)
    unused = [atom for atom in atoms if not any(atom in stated.args for stated in made)]
    for atom in unused:
        stated = instance.constraint("if2", _rule(rng, truth, 2, atom))
        made[instance.canonical(stated)] = stated
    premises = list(made.values())
    rng.shuffle(premises)
    return World(instance, tuple(premises))


def _stated(rng: Random, truth: Mapping[str, bool]) -> Iterator[Stated]:
    """Yield constraints that hold in the hidden truth; a constraint may occur twice."""
    sizes = [rng.randint(LONG_BODY, min(LONGEST_BODY, len(truth) - 1))]
    sizes += rng.choices(range(1, LONGEST_BODY + 1), _BODY_WEIGHTS, k=rng.randint(*RULES) - 1)
    rules = [_rule(rng, truth, size) for size in sizes]
    for rule in rules:
        yield f"if{len(rule) - 1}", rule
    yield "equivalent", _alike(rng, truth)
    for _ in range(rng.randint(*_CONSTRAINTS)):
        size = rng.choice((2, 3))
        atoms = rng.sample(list(truth), size)
        if not all(truth[atom] for atom in atoms):
            yield "not_both" if size == 2 else "never_all3", tuple(atoms)
    # Atoms that are conditions of rules are stated first, and heads of rules last, so that something is left to infer.
    conditions = {atom for rule in rules for atom in rule[:-1]}
    heads = {rule[-1] for rule in rules}
    true = sorted(_drawn(rng, truth, True), key=lambda atom: (atom in heads, atom not in conditions))
    for atom in true[: rng.randint(*_TRUE_FACTS)]:
        yield "holds", (atom,)
    for atom in _drawn(rng, truth, False)[: rng.randint(*_FALSE_FACTS)]:
        yield "holds_not", (atom,)


def _rule(rng: Random, truth: Mapping[str, bool], size: int, about: str | None = None) -> tuple[str, ...]:
    """Return body and head of a rule that holds in the hidden truth. If `about` is given, the rule has this atom."""
    while True:
        atoms = rng.sample(list(truth), size + 1)
        fitting = about is None or about in atoms
        if fitting and (truth[atoms[-1]] or not all(truth[atom] for atom in atoms[:-1])):
            return tuple(atoms)


def _alike(rng: Random, truth: Mapping[str, bool]) -> tuple[str, ...]:
    while True:
        first, second = rng.sample(list(truth), 2)
        if truth[first] == truth[second]:
            return first, second


def _drawn(rng: Random, truth: Mapping[str, bool], value: bool) -> Sequence[str]:
    fitting = [atom for atom in truth if truth[atom] == value]
    return rng.sample(fitting, len(fitting))


def ask_at_random(rng: Random, world: World, turns: int) -> tuple[Constraint, ...]:
    """Return `turns` questions, each about a random atom that the question asserts or denies; questions may repeat."""
    atoms = world.instance.entities
    return tuple(_literal(world, rng.choice(atoms), rng.random() < 0.5) for _ in range(turns))


def ask_under_stress(rng: Random, world: World, turns: int) -> tuple[Constraint, ...]:
    """Return `turns` questions in an order that invites contradictions.

    The first questions are the head P of a rule, then not P, then each condition of the rule. Next come one of two
    equivalent atoms and the denial of the other. Other premises follow in the same way. If there are four questions or
    more, the last question repeats an earlier one.
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
    """Yield questions whose answers can easily contradict each other because of this premise."""
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

    `schedule` is "random", or "stress" for an order that invites contradictions. Raises `SettingsError` for another
    schedule, for a number below 1, and for a world that cannot be labelled.
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
    """Return the questions with their labels; each question depends on the earlier questions about the same atom."""
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
    theory = {str(place): world.instance.formula(made) for place, made in enumerate(world.premises)}
    found = label_of(engine, theory, world.instance.formula(literal), UNLIMITED)
    if not isinstance(found, Label):
        raise SettingsError(f"a world of this seed cannot be labelled: {found}")
    return found
