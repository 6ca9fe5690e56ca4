"""Drafts of a subdomain, labelled: what the tests of all subdomains look at."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import product
from random import Random

from holdtrue.budget import Budget
from holdtrue.domains.domain import Argument, AttributeName, Entity, Integer
from holdtrue.domains.instance import Arg, Constraint, Instance
from holdtrue.record import Label
from holdtrue.solving.explain.classify import classify
from holdtrue.solving.result import Entailed, Independent, Refuted, Satisfiable
from holdtrue.solving.route import make_engine
from holdtrue.suites.cross_query.subdomain import Draft, Subdomain

UNLIMITED = Budget(timeout_s=None)


@dataclass(slots=True)
class Drafted:
    """Many drafts; `asked` has the sentences of seven statements of each."""

    drafts: list[Draft] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)


def draw_instance(subdomain: Subdomain, rng: Random) -> Instance:
    entities, context = subdomain.draw_setting(rng)
    return subdomain.declaration.instance(entities, context)


def draw_many(subdomain: Subdomain, count: int) -> Drafted:
    made = Drafted()
    for seed in range(count):
        rng = Random(f"{subdomain.name}/{seed}")
        draft = subdomain.draw(rng, draw_instance(subdomain, rng))
        made.drafts.append(draft)
        made.asked += [subdomain.say(rng, query) for query in rng.sample(draft.candidates, 7)]
    return made


def label_all(drafts: Iterable[Draft]) -> Counter[Label]:
    """How many candidates of all drafts have each label; the premises of each must be possible together."""
    labels: Counter[Label] = Counter()
    for draft in drafts:
        instance = draft.instance
        engine = make_engine(list(instance.variables.values()), instance.background)
        soft = {str(place): instance.formula(premise) for place, premise in enumerate(draft.premises)}
        first = engine.decide(soft, UNLIMITED)
        assert isinstance(first, Satisfiable), draft.premises
        for query in draft.candidates:
            match classify(engine, soft, instance.formula(query), UNLIMITED, witness=first.witness):
                case Entailed():
                    labels[Label.ENTAILED] += 1
                case Refuted():
                    labels[Label.CONTRADICTED] += 1
                case Independent():
                    labels[Label.UNKNOWN] += 1
                case other:
                    raise AssertionError(other)
    return labels


def every_constraint(instance: Instance, kind: str, numbers: int) -> Iterator[Constraint]:
    """All constraints of a type, with so many different numbers at most."""
    arguments = instance.types[kind].arguments
    for args in product(*(_choices(instance, argument, numbers) for argument in arguments)):
        if len(set(args)) == len(args):
            yield instance.constraint(kind, list(args))


def _choices(instance: Instance, argument: Argument, numbers: int) -> Sequence[Arg]:
    match argument:
        case Entity():
            return list(instance.entities)
        case Integer():
            return list(range(instance.bound(argument.low), instance.bound(argument.high) + 1))[:numbers]
        case AttributeName():
            return list(instance.attribute_names(argument))
    raise AssertionError(argument)
