"""Find the premises that a query's statement or its negation clashes with, and the queries that share a conflict."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product

from holdtrue.budget import UNLIMITED
from holdtrue.logic.formula import Formula
from holdtrue.record import Label
from holdtrue.solving.engine import Engine, Soft
from holdtrue.solving.explain.all_mus import all_mus
from holdtrue.solving.result import AllMuses, Satisfiable

_LITERAL = "literal"


@dataclass(frozen=True, slots=True)
class Literal:
    """A statement or its negation, with what excludes it.

    `rooms` are the maximal sets of premises, by name, beside which it can hold: one set of all premises if it is
    possible, and no set if the laws alone exclude it. `conflict` names the fewest premises that exclude it, () if none
    do.
    """

    formula: Formula
    rooms: tuple[frozenset[str], ...]
    conflict: tuple[str, ...] = ()


def literals(engine: Engine, premises: Soft, statement: Formula, label: Label) -> tuple[Literal, Literal] | None:
    """Return a statement and its negation as literals; the true one comes first, or the statement if it is UNKNOWN.

    `label` has to be proved. None is returned if too many sets of premises settle the statement (`all_mus.MOST`).
    """
    negation = statement.negation
    everything = (frozenset(premises),)
    if label is Label.UNKNOWN:
        return Literal(statement, everything), Literal(negation, everything)
    true, false = (statement, negation) if label is Label.ENTAILED else (negation, statement)
    found = all_mus(engine, {**premises, _LITERAL: false}, UNLIMITED)
    if not isinstance(found, AllMuses) or not found.complete:
        return None
    # The premises can hold together, so that each conflict has the literal in it.
    conflict = tuple(id for id in found.muses[0] if id != _LITERAL)
    rooms = tuple(frozenset(premises).difference(mcs) for mcs in found.mcses if _LITERAL not in mcs)
    return Literal(true, everything), Literal(false, rooms, conflict)


def interact(engine: Engine, premises: Soft, one: Sequence[Literal], other: Sequence[Literal]) -> bool:
    """Return whether two queries interact: some MUS contains a literal of each, beside premises.

    That is so exactly if a set of premises leaves each of two literals possible, and excludes that both hold. Larger
    sets exclude more, so only intersections of the literals' `rooms` have to be tried.
    """
    return any(_clash(engine, premises, a, b) for a, b in product(one, other))


def _clash(engine: Engine, premises: Soft, a: Literal, b: Literal) -> bool:
    shared = {x & y for x, y in product(a.rooms, b.rooms)}
    largest = sorted((x for x in shared if not any(x < y for y in shared)), key=sorted)
    return any(not _possible(engine, premises, kept, a, b) for kept in largest)


def _possible(engine: Engine, premises: Mapping[str, Formula], kept: frozenset[str], a: Literal, b: Literal) -> bool:
    theory = {id: formula for id, formula in premises.items() if id in kept}
    return isinstance(engine.decide({**theory, "a": a.formula, "b": b.formula}, UNLIMITED), Satisfiable)
