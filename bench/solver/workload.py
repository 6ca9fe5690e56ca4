"""What is measured on: the development problems and the unsatisfiable ledgers, or generated ones in their place."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from holdtrue.budget import Budget
from holdtrue.solving.result import Unsatisfiable
from holdtrue.solving.route import make_engine
from holdtrue.world.domain import Context, Domain
from holdtrue.world.instance import Constraint, Instance
from holdtrue.world.registry import BUILTIN
from holdtrue_lab.kinds.assignment.problem import Problem
from holdtrue_lab.suites.drift.files import load_problems
from holdtrue_lab.suites.drift.generate import draw_constraint, generate
from tests.data import DRIFT, read_jsonl

PROBLEMS, LEDGERS = 204, 240
"""How many there are in the real data."""


@dataclass(frozen=True, slots=True)
class Step:
    """One turn: what is newly said, the answer to be judged, and a query.

    `stale` is the right answer of the turn before, given again: what a model that ignores the turn would say. It
    keeps the setting's laws. `broken`: it breaks something that was said so far. `partial` is half of it.
    """

    said: tuple[Constraint, ...]
    stale: Mapping[str, int]
    broken: bool
    partial: Mapping[str, int]
    query: Constraint


@dataclass(frozen=True, slots=True)
class Conversation:
    """Turns about one instance; `make_instance` makes it anew, so that nothing is kept from one row to the next."""

    id: str
    domain: Domain
    entities: tuple[str, ...]
    context: Context
    steps: tuple[Step, ...]

    def make_instance(self) -> Instance:
        return self.domain.instance(self.entities, self.context)


@dataclass(frozen=True, slots=True)
class Workload:
    """`note` says what stands in for data that is absent."""

    conversations: tuple[Conversation, ...]
    clashes: tuple[Conversation, ...]
    note: str | None


def load(limit: int | None = None) -> Workload:
    """The real data, or generated problems where it is absent; `limit` takes so many of each, from all domains."""
    if DRIFT.is_dir():
        problems = load_problems(DRIFT / "problems" / "dev")
        ledgers = read_jsonl(DRIFT / "unsat_ledgers.jsonl")
        note = None
    else:
        problems = generate(1, limit or PROBLEMS)
        ledgers = [clash(problem) for problem in generate(2, limit or LEDGERS)]
        note = "the data is not beside the repository: the problems and ledgers are generated ones"
    return Workload(tuple(map(converse, spread(problems, limit))), tuple(map(dispute, spread(ledgers, limit))), note)


def spread(items: Sequence[Any], limit: int | None) -> Sequence[Any]:
    """So many of the items, at even distances."""
    if limit is None or limit >= len(items):
        return items
    return [items[i * len(items) // limit] for i in range(limit)]


def converse(problem: Problem) -> Conversation:
    """A development problem."""
    instance, rng = problem.make_instance(), Random(problem.id)
    gold = problem.gold_by_turn(instance)
    said: list[Constraint] = []
    answer: Mapping[str, int] = naive_answer(instance)
    steps = []
    for turn in problem.turns:
        said += gold[turn.number]
        broken = any(not holds(instance, constraint, answer) for constraint in said)
        query = draw_constraint(rng, instance)
        steps.append(Step(gold[turn.number], answer, broken, half(rng, instance, answer), query))
        answer = turn.witness or answer
    return Conversation(problem.id, instance.domain, problem.entities, problem.context, tuple(steps))


def dispute(row: Mapping[str, Any]) -> Conversation:
    """An unsatisfiable ledger: a turn each for what was said together."""
    domain = BUILTIN[row["domain"]]
    instance = domain.instance(row["entities"], row["context"])
    turns: dict[int, list[Constraint]] = {}
    for item in row["constraints"]:
        turns.setdefault(item["source_turn"], []).append(instance.constraint(item["type"], item["args"]))
    answer = naive_answer(instance)
    query = instance.constraint(row["constraints"][0]["type"], row["constraints"][0]["args"])
    steps = tuple(Step(tuple(turns[number]), answer, True, {}, query) for number in sorted(turns))
    return Conversation(row["id"], domain, tuple(row["entities"]), row["context"], steps)


def clash(problem: Problem) -> dict[str, Any]:
    """A problem's constraints, and then more until they are unsatisfiable, like a line of the real ledgers."""
    instance, rng = problem.make_instance(), Random(problem.id)
    rows = [
        {"type": made.type, "args": list(made.args), "source_turn": number}
        for number, stated in problem.gold_by_turn(instance).items()
        for made in stated
    ]
    engine = make_engine(tuple(instance.variables.values()), instance.background)
    while True:
        made = draw_constraint(rng, instance)
        rows.append({"type": made.type, "args": list(made.args), "source_turn": len(problem.turns) + 1})
        soft = {f"{i}": instance.formula(instance.constraint(r["type"], r["args"])) for i, r in enumerate(rows)}
        if isinstance(engine.decide(soft, Budget(None)), Unsatisfiable):
            break
    return {
        "id": problem.id,
        "domain": problem.domain,
        "entities": problem.entities,
        "context": problem.context,
        "constraints": rows,
    }


def naive_answer(instance: Instance) -> dict[str, int]:
    """A complete answer that keeps the setting's laws and knows nothing else: the first values, in order."""
    answer = {}
    for place, entity in enumerate(instance.entities):
        for name, attribute in instance.attributes.items():
            low = attribute.sort.values[0]
            answer[instance[entity][name].name] = low + place if attribute.distinct or name == "start" else low
    return answer


def half(rng: Random, instance: Instance, answer: Mapping[str, int]) -> dict[str, int]:
    """The answer's values for half of the entities."""
    chosen = rng.sample(instance.entities, len(instance.entities) // 2)
    return {name: value for name, value in answer.items() if instance.slot(name).entity in chosen}


def holds(instance: Instance, constraint: Constraint, values: Mapping[str, int]) -> bool:
    return instance.formula(constraint).holds(values)
