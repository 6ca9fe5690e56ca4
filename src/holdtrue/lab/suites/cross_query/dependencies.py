"""Find the earlier queries that a query depends on: those that name the same entities, or share a conflict with it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from holdtrue.budget import UNLIMITED
from holdtrue.kinds.labels.case import Case
from holdtrue.lab.kit.constraints import sharing
from holdtrue.lab.suites.cross_query.conflicts import Literal, interact, literals
from holdtrue.solving.engine import Engine, Soft
from holdtrue.solving.result import Satisfiable
from holdtrue.solving.route import make_engine

Places = tuple[int, ...]


def interacting(engine: Engine, premises: Soft, asked: Sequence[tuple[Literal, Literal]]) -> list[Places]:
    """Return for each query, given by its literals, the indices (from 0) of earlier queries that interact with it."""
    return [
        tuple(earlier for earlier in range(place) if interact(engine, premises, own, asked[earlier]))
        for place, own in enumerate(asked)
    ]


def wrong_dependencies(case: Case) -> Iterator[str]:
    """Yield a line for each query whose recorded dependencies are wrong; nothing for a case without an instance.

    Labels are taken as proved; a wrong label may make `interacts_with` look wrong too.
    """
    instance = case.instance
    asked = [query.constraint for query in case.queries if query.constraint is not None]
    if instance is None or len(asked) < len(case.queries):
        return
    for query, places in zip(case.queries, sharing(instance, asked), strict=True):
        if query.depends_on != places:
            yield f"{case.id}, {query.id}: depends_on is {list(query.depends_on)}, and should be {list(places)}"
    premises = case.theory
    engine = make_engine(case.variables, case.laws)
    if not isinstance(engine.decide(premises, UNLIMITED), Satisfiable):
        return  # then there is no label to speak of either, which is told elsewhere
    both = [
        literals(engine, premises, instance.formula(made), q.label) for made, q in zip(asked, case.queries, strict=True)
    ]
    known = [own for own in both if own is not None]
    if len(known) < len(both):
        yield f"{case.id}: a query is settled in too many ways to tell what it interacts with"
        return
    for query, places in zip(case.queries, interacting(engine, premises, known), strict=True):
        if query.interacts_with != places:
            yield f"{case.id}, {query.id}: interacts_with is {list(query.interacts_with)}, and should be {list(places)}"
