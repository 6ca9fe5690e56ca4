"""Find a conflict in a failing assignment, its variables, and the variables to ask for again."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from holdtrue.budget import Deadline
from holdtrue.kinds.search.certifier import Certifier
from holdtrue.logic.evaluate import Values
from holdtrue.solving.engine import fixed_id
from holdtrue.solving.explain.mus import shrink
from holdtrue.solving.result import Core, Satisfiable, Unknown


@dataclass(frozen=True, slots=True)
class Conflict:
    """Constraints that cannot hold with the given values, and the variables to `revise`."""

    ids: tuple[str, ...]
    revise: tuple[str, ...]


def upstream_core(certifier: Certifier, values: Values) -> Conflict:
    """Return z3's core of the constraints with all values fixed, which the published methods show.

    If a value is outside its bounds or the budget ended, there is no core of constraints, and nothing to revise.
    """
    found = certifier.core_engine.check(certifier.formulas, certifier.budget, fixed=values)
    named = set(found.ids) if isinstance(found, Core) else set()
    return _conflict(certifier, tuple(id for id in certifier.formulas if id in named))


def minimised_conflict(certifier: Certifier, values: Values) -> Conflict:
    """Return a single broken constraint, which is a minimal conflict because all values are fixed.

    A constraint is preferred if its repair lets all other values stay, then if it has few variables, then by order. If
    values are outside their bounds, the conflict is these values, without a constraint.
    """
    outside = certifier.outside(values)
    if outside:
        return Conflict((), outside)
    broken = sorted(certifier.evaluate(values), key=lambda id: len(certifier.formulas[id].variables))
    if not broken:
        raise ValueError("an assignment that satisfies everything has no conflict")
    deadline = certifier.budget.start()
    chosen = next((id for id in broken if _can_mend(certifier, id, broken, values, deadline)), broken[0])
    return _conflict(certifier, (chosen,))


def ask_for(certifier: Certifier, revise: Iterable[str], values: Values) -> tuple[str, ...]:
    """Return the variables to ask for again, so that all others can keep their values. () means all variables.

    These are the variables to `revise`, and further ones until the other values are part of a solution. If the
    variables of all broken constraints suffice and are fewer, they are returned instead. If no smaller set was proved
    to suffice, the result is ().
    """
    deadline = certifier.budget.start()
    free = frozenset(revise).union(certifier.outside(values))
    grown = _grown(certifier, free, values, deadline)
    if grown is None:
        return ()
    broken = free | _variables(certifier, certifier.evaluate(values))
    if len(broken) < len(grown) and _completes(certifier, _without(values, broken), deadline):
        return _ordered(certifier, broken)
    return _ordered(certifier, grown) if len(grown) < len(certifier.variables) else ()


def _grown(certifier: Certifier, free: frozenset[str], values: Values, deadline: Deadline) -> frozenset[str] | None:
    """Add variables to `free` until the other values are part of a solution. Return None if that fails."""
    while True:
        kept = _without(values, free)
        possible = _completes(certifier, kept, deadline)
        if possible:
            return free
        blamed = _to_blame(certifier, kept, deadline) if possible is False else frozenset()
        if not blamed:
            return None
        free |= blamed


def _to_blame(certifier: Certifier, kept: Mapping[str, int], deadline: Deadline) -> frozenset[str]:
    """Return the names of kept values that clash, as few as time allows, or none if the constraints clash anyway."""
    names = {fixed_id(name): name for name in kept}

    def ask(ids: Sequence[str]) -> Satisfiable | Core | Unknown:
        some = {names[id]: kept[names[id]] for id in ids}
        return certifier.engine.check(certifier.formulas, certifier.budget.until(deadline), fixed=some)

    found = ask(tuple(names))
    if not isinstance(found, Core):
        return frozenset()
    ids, _ = shrink(ask, [id for id in names if id in found.ids])
    return frozenset(names[id] for id in ids)


def _completes(certifier: Certifier, kept: Mapping[str, int], deadline: Deadline) -> bool | None:
    return certifier.completes(kept, certifier.budget.until(deadline))


def _can_mend(certifier: Certifier, id: str, broken: Iterable[str], values: Values, deadline: Deadline) -> bool:
    """Return whether other values for this constraint's variables alone solve the problem."""
    free = _variables(certifier, (id,))
    if any(free.isdisjoint(_variables(certifier, (other,))) for other in broken):
        return False  # the other constraint stays broken
    return _completes(certifier, _without(values, free), deadline) is True


def _conflict(certifier: Certifier, ids: tuple[str, ...]) -> Conflict:
    return Conflict(ids, _ordered(certifier, _variables(certifier, ids)))


def _variables(certifier: Certifier, ids: Iterable[str]) -> frozenset[str]:
    return frozenset(variable.name for id in ids for variable in certifier.formulas[id].variables)


def _ordered(certifier: Certifier, names: frozenset[str]) -> tuple[str, ...]:
    return tuple(variable.name for variable in certifier.variables if variable.name in names)


def _without(values: Values, free: frozenset[str]) -> dict[str, int]:
    return {name: value for name, value in values.items() if name not in free}
