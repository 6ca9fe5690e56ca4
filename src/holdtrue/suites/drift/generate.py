"""Making DRIFT-Bench problems: random constraints, kept where everything said so far stays satisfiable.

Source: DRIFT-Bench (paper, section 4.1). Every problem has its own random stream, so that problem 7 of a seed
is the same however many are made.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

from holdtrue.budget import Budget
from holdtrue.domains.instance import Constraint, Instance
from holdtrue.domains.registry import BUILTIN
from holdtrue.errors import SettingsError
from holdtrue.logic.formula import Formula
from holdtrue.solving.engine import Engine
from holdtrue.solving.explain.lexicographic import first_witness
from holdtrue.solving.result import Satisfiable
from holdtrue.solving.route import make_engine
from holdtrue.suites.drift.draw import DOMAINS, draw_constraint, draw_setting
from holdtrue.suites.drift.load import SUITE
from holdtrue.suites.problem import Problem, ProblemTurn

TURNS = (4, 10)
CONSTRAINTS_A_TURN = (1, 3)
DEV_SHARE = 0.2
CONNECTIVE = ". Also, "
_REDRAWS = 500
_RESTARTS = 5
# A budget in seconds would make what is generated depend on the machine.
_UNLIMITED = Budget(timeout_s=None)


def generate(seed: int, count: int, *, turns: int | None = None, domains: Sequence[str] = DOMAINS) -> list[Problem]:
    """`count` problems, dealt out evenly to `domains`, a fifth of each domain's in the split `dev`.

    `turns` fixes the number of turns of every problem; otherwise it is uniform in 4..10. The same seed gives
    the same problems. Raises `SettingsError` for settings that cannot be met.
    """
    unknown = [name for name in domains if name not in DOMAINS]
    if unknown or not domains or len(set(domains)) < len(domains):
        raise SettingsError(f"domains must be some of {', '.join(DOMAINS)}, each once; got {', '.join(domains)}")
    if count < 1 or (turns is not None and turns < 1):
        raise SettingsError("the numbers of problems and of turns must be at least 1")
    problems: list[Problem] = []
    for place, domain in enumerate(domains):
        share = len(range(place, count, len(domains)))
        dev = set(Random(f"{seed}/{domain}/split").sample(range(share), round(DEV_SHARE * share)))
        problems += [_problem(seed, domain, index, "dev" if index in dev else "test", turns) for index in range(share)]
    return problems


def _problem(seed: int, domain: str, index: int, split: str, turns: int | None) -> Problem:
    rng = Random(f"{seed}/{domain}/{index}")
    for _ in range(_RESTARTS):
        entities, context = draw_setting(rng, domain)
        instance = BUILTIN[domain].instance(entities, context)
        wanted = rng.randint(*TURNS) if turns is None else turns
        made = tuple(_turns(rng, instance, wanted))
        if len(made) == wanted:
            return Problem(f"{domain}_{index:03d}", SUITE, domain, tuple(entities), context, made, split)
    raise SettingsError(f"{domain}: {turns} turns do not fit: everything satisfiable has been said before")


def _turns(rng: Random, instance: Instance, wanted: int) -> Iterator[ProblemTurn]:
    """The turns of one conversation; fewer than wanted where nothing new was found to say."""
    engine = make_engine(list(instance.variables.values()), instance.background)
    said: dict[Constraint, Constraint] = {}
    for number in range(1, wanted + 1):
        new = _new_constraints(rng, instance, engine, said)
        if not new:
            return
        said |= new
        witness = first_witness(engine, _soft(instance, said), _UNLIMITED, list(instance.variables))
        yield ProblemTurn(
            number,
            CONNECTIVE.join(map(instance.sentence, new.values())) + ".",
            tuple(made.to_json() for made in new.values()),
            witness.witness if isinstance(witness, Satisfiable) else None,
        )


def _new_constraints(
    rng: Random, instance: Instance, engine: Engine, said: dict[Constraint, Constraint]
) -> dict[Constraint, Constraint]:
    """One turn's constraints by their canonical form: not said before, and satisfiable with all that was.

    The whole set is drawn anew, its size too, until one is accepted; empty where none was.
    """
    for _ in range(_REDRAWS):
        drawn = [draw_constraint(rng, instance) for _ in range(rng.randint(*CONSTRAINTS_A_TURN))]
        new: dict[Constraint, Constraint] = {}
        for made in drawn:
            if instance.canonical(made) not in said:
                new.setdefault(instance.canonical(made), made)
        if new and isinstance(engine.check(_soft(instance, said | new), _UNLIMITED), Satisfiable):
            return new
    return {}


def _soft(instance: Instance, constraints: dict[Constraint, Constraint]) -> dict[str, Formula]:
    return {str(index): instance.formula(made) for index, made in enumerate(constraints.values())}
