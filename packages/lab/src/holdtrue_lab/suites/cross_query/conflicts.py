"""This module finds conflicts of a query's statement and its negation, and earlier queries that interact with it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

from holdtrue.budget import UNLIMITED
from holdtrue.kinds.labels.case import Case
from holdtrue.logic.formula import Formula
from holdtrue.record import Label
from holdtrue.solving.engine import Engine, Soft
from holdtrue.solving.explain.mus import all_mus
from holdtrue.solving.result import AllMuses, Satisfiable
from holdtrue.solving.route import make_engine
from holdtrue_lab.kit.constraints import sharing

_LITERAL = "literal"


@dataclass(frozen=True, slots=True)
class Literal:
    """A `Literal` is a statement or its negation, with the premises that exclude it.

    `rooms` are the maximal sets of premises, by name, that are consistent with the formula. If the formula is possible,
    the only such set has all premises. If the laws alone exclude the formula, there is no such set. `conflict` names
    the fewest premises that exclude the formula; it is () if there are none.
    """

    formula: Formula
    rooms: tuple[frozenset[str], ...]
    conflict: tuple[str, ...] = ()


def literals(engine: Engine, premises: Soft, statement: Formula, label: Label) -> tuple[Literal, Literal] | None:
    """Return a statement and its negation as literals. The true one comes first, or the statement if it is UNKNOWN.

    `label` must be proved. Returns None if too many sets of premises decide the statement (`all_mus.MOST`).
    """
    negation = statement.negation
    everything = (frozenset(premises),)
    if label is Label.UNKNOWN:
        return Literal(statement, everything), Literal(negation, everything)
    true, false = (statement, negation) if label is Label.ENTAILED else (negation, statement)
    found = all_mus(engine, {**premises, _LITERAL: false}, UNLIMITED)
    if not isinstance(found, AllMuses) or not found.complete:
        return None
    # The premises are consistent, so each conflict contains the false literal.
    conflict = tuple(id for id in found.muses[0] if id != _LITERAL)
    rooms = tuple(frozenset(premises).difference(mcs) for mcs in found.mcses if _LITERAL not in mcs)
    return Literal(true, everything), Literal(false, rooms, conflict)


def interact(engine: Engine, premises: Soft, one: Sequence[Literal], other: Sequence[Literal]) -> bool:
    """Return whether two queries interact: a MUS (minimal unsatisfiable subset) has a literal of each, and premises.

    Two queries interact exactly if a set of premises allows a literal of each, but excludes both literals together.
    Larger sets exclude more, so only intersections of the literals' `rooms` are tested.
    """
    return any(_clash(engine, premises, a, b) for a, b in product(one, other))


def _clash(engine: Engine, premises: Soft, a: Literal, b: Literal) -> bool:
    shared = {x & y for x, y in product(a.rooms, b.rooms)}
    largest = sorted((x for x in shared if not any(x < y for y in shared)), key=sorted)
    return any(not _possible(engine, premises, kept, a, b) for kept in largest)


def _possible(engine: Engine, premises: Mapping[str, Formula], kept: frozenset[str], a: Literal, b: Literal) -> bool:
    theory = {id: formula for id, formula in premises.items() if id in kept}
    return isinstance(engine.decide({**theory, "a": a.formula, "b": b.formula}, UNLIMITED), Satisfiable)


Places = tuple[int, ...]


def interacting(engine: Engine, premises: Soft, asked: Sequence[tuple[Literal, Literal]]) -> list[Places]:
    """Return, for each query in `asked`, the indices (from 0) of earlier queries that interact with it."""
    return [
        tuple(earlier for earlier in range(place) if interact(engine, premises, own, asked[earlier]))
        for place, own in enumerate(asked)
    ]


def wrong_dependencies(case: Case) -> Iterator[str]:
    """Yield a line for each query whose recorded dependencies are wrong; yield nothing for a case without an instance.

    The function assumes that labels are right. A wrong label may make `interacts_with` look wrong too.
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
        return  # with inconsistent premises there are no labels; `_labels` in validate.py reports such premises
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
