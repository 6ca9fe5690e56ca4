"""Revise the ledger of commitments: decide which new commitments enter, and which ones give way.

The rules, in order:

1. A constraint that is equal to an active commitment restates it.
2. A doubtful reading is rejected if it is impossible by itself, or clashes with the active commitments.
3. A confident statement sets aside the doubtful readings that it clashes with.
4. Confident statements that clash, or are impossible in this setting, all stay. The ledger is unsat until the user
   withdraws one.
5. A doubtful reading that was set aside comes back when it no longer clashes.

When the user withdraws or replaces a commitment, readings that were set aside because of it come back. While confident
statements clash, doubtful readings are not judged. After the clash, those that clash with the rest are set aside. A
doubtful replacement that would be rejected replaces nothing. Neither does a confident replacement that is impossible by
itself (`is_impossible`).

If the solver gives no verdict within its budget, nothing is rejected or set aside.
"""

from __future__ import annotations

from collections.abc import Sequence

from holdtrue.budget import Budget
from holdtrue.ledger.entries import Event
from holdtrue.ledger.ledger import Commitment, Ledger, Proposal
from holdtrue.solving.engine import Engine, Soft
from holdtrue.solving.explain.mss import greedy_mss
from holdtrue.solving.explain.mus import mus, others
from holdtrue.solving.result import Mcs, Satisfiable, Unknown, Unsatisfiable
from holdtrue.world.world import Constraint

NEW = "+"  # The id, or its beginning, of a constraint that is not in the ledger yet.
CLASHES = "a doubtful reading that clashes with what was agreed"


def propose(
    ledger: Ledger, engine: Engine, proposals: Sequence[Proposal], turn: int, budget: Budget
) -> tuple[Event[Commitment], ...]:
    """Enter the proposals of one turn into the ledger by the rules above, and return the events.

    In all functions of this module, the budget is for all solver questions of one call together.
    """
    budget = budget.shared()
    instance = ledger.instance
    together = {**ledger.soft, **{f"{NEW}{i}": instance.formula(p.constraint) for i, p in enumerate(proposals)}}
    harmless = isinstance(engine.decide(together, budget), Satisfiable)
    events: list[Event[Commitment]] = []
    # Confident statements enter first, so that a doubtful reading of the same turn cannot block them.
    for proposal in sorted(proposals, key=lambda p: p.doubtful):
        newcomer = ledger.draft(proposal, turn)
        if harmless or ledger.find(newcomer.constraint) is not None:
            events.append(ledger.enter(newcomer, turn))
        else:
            events += _screen(ledger, engine, newcomer, turn, budget)
    engine.hold(ledger.soft)
    return tuple(events)


def reinstate(ledger: Ledger, engine: Engine, turn: int, budget: Budget) -> tuple[Event[Commitment], ...]:
    """Bring back commitments that were set aside and no longer clash, the oldest first."""
    events: list[Event[Commitment]] = []
    budget = budget.shared()
    for commitment in ledger.set_aside.values():
        if ledger.find(commitment.constraint) is not None:
            continue
        soft = {**ledger.soft, commitment.id: ledger.instance.formula(commitment.constraint)}
        if isinstance(engine.decide(soft, budget), Satisfiable):
            events.append(ledger.enter(commitment, turn, reason="nothing stands against it any more"))
    engine.hold(ledger.soft)
    return tuple(events)


def withdraw(
    ledger: Ledger, engine: Engine, id: str, turn: int, budget: Budget, reason: str | None = None
) -> tuple[Event[Commitment], ...]:
    """Withdraw a commitment for the user. Raises `InputError` if it is not active."""
    withdrawn = ledger.withdraw(id, turn, reason)
    return (withdrawn, *_reconsider(ledger, engine, turn, budget.shared()))


def amend(
    ledger: Ledger, engine: Engine, id: str, proposal: Proposal, turn: int, budget: Budget, reason: str | None = None
) -> tuple[Event[Commitment], ...]:
    """Replace a commitment for the user. Raises `InputError` if it is not active.

    Doubtful readings that clash with a confident replacement give way to it. A doubtful replacement that clashes with
    the rest is rejected, and the old commitment stays.
    """
    newcomer, rest, budget = ledger.draft(proposal, turn), ledger.soft_without(id), budget.shared()
    rejected = _reject(ledger, engine, newcomer, rest, turn, budget) if newcomer.doubtful else None
    if rejected is not None:
        return (rejected,)
    return (*ledger.amend(id, newcomer, turn, reason), *_reconsider(ledger, engine, turn, budget))


def find_rivals(ledger: Ledger, engine: Engine, constraint: Constraint, budget: Budget) -> tuple[str, ...]:
    """Return the active commitments that share an entity with the constraint and contradict it, each by itself.

    The result is empty if the constraint is impossible by itself, or if a question was not decided in time.
    """
    instance, budget = ledger.instance, budget.shared()
    formula, entities = instance.formula(constraint), set(instance.entities_in(constraint))
    if not isinstance(engine.decide({**ledger.soft, NEW: formula}, budget), Unsatisfiable):
        return ()
    if not isinstance(engine.decide({NEW: formula}, budget), Satisfiable):
        return ()
    results = {
        id: engine.decide({NEW: formula, id: ledger.soft[id]}, budget)
        for id, commitment in ledger.active.items()
        if not entities.isdisjoint(instance.entities_in(commitment.constraint))
    }
    if any(isinstance(result, Unknown) for result in results.values()):
        return ()
    return tuple(id for id, result in results.items() if isinstance(result, Unsatisfiable))


def is_impossible(ledger: Ledger, engine: Engine, constraint: Constraint, budget: Budget) -> bool:
    """Return whether it is proved that the constraint is impossible by itself."""
    return isinstance(engine.decide({NEW: ledger.instance.formula(constraint)}, budget), Unsatisfiable)


def _screen(ledger: Ledger, engine: Engine, newcomer: Commitment, turn: int, budget: Budget) -> list[Event[Commitment]]:
    if newcomer.doubtful:
        rejected = _reject(ledger, engine, newcomer, ledger.soft, turn, budget)
        return [rejected if rejected is not None else ledger.enter(newcomer, turn)]
    return [ledger.enter(newcomer, turn), *_set_doubtful_aside(ledger, engine, turn, budget)]


def _reject(
    ledger: Ledger, engine: Engine, newcomer: Commitment, rest: Soft, turn: int, budget: Budget
) -> Event[Commitment] | None:
    """Reject a doubtful reading that is impossible or clashes with the rest; return None if it may enter."""
    if is_impossible(ledger, engine, newcomer.constraint, budget):
        return ledger.reject(newcomer, turn, "a doubtful reading that is impossible in this setting")
    together = {**rest, newcomer.id: ledger.instance.formula(newcomer.constraint)}
    if not isinstance(engine.decide(together, budget), Unsatisfiable):
        return None
    if not isinstance(engine.decide(rest, budget), Satisfiable):
        return None  # The rest clashes even without the newcomer.
    return ledger.reject(newcomer, turn, CLASHES, others(mus(engine, together, budget), newcomer.id))


def _reconsider(ledger: Ledger, engine: Engine, turn: int, budget: Budget) -> tuple[Event[Commitment], ...]:
    """Judge all doubtful readings again after a commitment has left, both active ones and those set aside."""
    aside = _set_doubtful_aside(ledger, engine, turn, budget)
    return (*aside, *reinstate(ledger, engine, turn, budget))


def _set_doubtful_aside(ledger: Ledger, engine: Engine, turn: int, budget: Budget) -> list[Event[Commitment]]:
    """Set aside the doubtful readings that clash with preferred commitments."""
    doubtful = {id for id, commitment in ledger.active.items() if commitment.doubtful}
    if not doubtful:
        return []
    kept = greedy_mss(engine, ledger.soft, budget, order=ledger.preference)
    if not isinstance(kept, Mcs) or not doubtful.issuperset(kept.set_aside):
        # Confident statements clash among themselves, so only the user can decide.
        return []
    best = {id: ledger.soft[id] for id in kept.kept}
    return [
        ledger.put_aside(id, turn, CLASHES, others(mus(engine, {**best, id: ledger.soft[id]}, budget), id))
        for id in kept.set_aside
    ]
