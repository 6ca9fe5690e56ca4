"""Revision: what may enter the ledger, and what gives way to it.

The rules, in order: what says the same is merged; a doubtful reading that is impossible on its own, or clashes
with what was agreed, is rejected; a confident statement sets aside the doubtful readings that it clashes with;
confident statements that clash, or are impossible in this setting, all stay, and the ledger is unsat until the
user takes one back. A doubtful reading that was set aside comes back when nothing stands against it any more.

What the user takes back or replaces leaves; what had been set aside for its sake comes back. Where that ends a clash
of confident statements, the doubtful readings that came in meanwhile, when nothing could be held against them, are
set aside where they clash with what is left. A doubtful replacement that would be rejected replaces nothing.

Where the solver gives no verdict within its budget, nothing is rejected or set aside: unknown is no reason.
"""

from __future__ import annotations

from collections.abc import Sequence

from holdtrue.budget import Budget
from holdtrue.ledger.commitment import Commitment, Proposal
from holdtrue.ledger.entries import Event
from holdtrue.ledger.ledger import Ledger
from holdtrue.solving.engine import Engine, Soft
from holdtrue.solving.explain.mss import greedy_mss
from holdtrue.solving.explain.mus import mus, others
from holdtrue.solving.result import Mcs, Satisfiable, Unknown, Unsatisfiable
from holdtrue.world.world import Constraint

NEW = "+"  # what is not in the ledger yet, beside the ids of what is
CLASHES = "a doubtful reading that clashes with what was agreed"


def propose(
    ledger: Ledger, engine: Engine, proposals: Sequence[Proposal], turn: int, budget: Budget
) -> tuple[Event[Commitment], ...]:
    """Let the proposals of one turn in, against the ledger before this turn, and say what happened.

    Here and below the budget is for all questions of the call together.
    """
    budget = budget.shared()
    instance = ledger.instance
    together = {**ledger.soft, **{f"{NEW}{i}": instance.formula(p.constraint) for i, p in enumerate(proposals)}}
    harmless = isinstance(engine.decide(together, budget), Satisfiable)
    events: list[Event[Commitment]] = []
    # Confident statements go first, so that no doubtful reading of the same turn stands in their way.
    for proposal in sorted(proposals, key=lambda p: p.doubtful):
        newcomer = ledger.draft(proposal, turn)
        if harmless or ledger.find(newcomer.constraint) is not None:
            events.append(ledger.enter(newcomer, turn))
        else:
            events += _screen(ledger, engine, newcomer, turn, budget)
    engine.hold(ledger.soft)
    return tuple(events)


def reinstate(ledger: Ledger, engine: Engine, turn: int, budget: Budget) -> tuple[Event[Commitment], ...]:
    """Bring back what was set aside and clashes with nothing any more, oldest first."""
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
    """The user takes a commitment back; raises `InputError` where there is no such active one."""
    withdrawn = ledger.withdraw(id, turn, reason)
    return (withdrawn, *_reconsider(ledger, engine, turn, budget.shared()))


def amend(
    ledger: Ledger, engine: Engine, id: str, proposal: Proposal, turn: int, budget: Budget, reason: str | None = None
) -> tuple[Event[Commitment], ...]:
    """The user replaces a commitment; raises `InputError` where there is no such active one.

    The replacement is a statement like any other: doubtful readings that it clashes with give way, and as a doubtful
    reading itself it is rejected where it clashes with the rest. Then what it was to replace stays.
    """
    newcomer, rest, budget = ledger.draft(proposal, turn), ledger.soft_without(id), budget.shared()
    rejected = _reject(ledger, engine, newcomer, rest, turn, budget) if newcomer.doubtful else None
    if rejected is not None:
        return (rejected,)
    return (*ledger.amend(id, newcomer, turn, reason), *_reconsider(ledger, engine, turn, budget))


def find_rivals(ledger: Ledger, engine: Engine, constraint: Constraint, budget: Budget) -> tuple[str, ...]:
    """The active commitments about one of its entities that the constraint cannot be kept beside, one by one.

    None where it is impossible anyway, or where the solver does not say of each in time.
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


def _screen(ledger: Ledger, engine: Engine, newcomer: Commitment, turn: int, budget: Budget) -> list[Event[Commitment]]:
    if newcomer.doubtful:
        rejected = _reject(ledger, engine, newcomer, ledger.soft, turn, budget)
        return [rejected if rejected is not None else ledger.enter(newcomer, turn)]
    return [ledger.enter(newcomer, turn), *_set_doubtful_aside(ledger, engine, turn, budget)]


def _reject(
    ledger: Ledger, engine: Engine, newcomer: Commitment, rest: Soft, turn: int, budget: Budget
) -> Event[Commitment] | None:
    """Reject a doubtful reading that is impossible, or cannot be kept beside the rest; None where it may enter."""
    alone = {newcomer.id: ledger.instance.formula(newcomer.constraint)}
    if isinstance(engine.decide(alone, budget), Unsatisfiable):
        return ledger.reject(newcomer, turn, "a doubtful reading that is impossible in this setting")
    together = {**rest, **alone}
    if not isinstance(engine.decide(together, budget), Unsatisfiable):
        return None
    if not isinstance(engine.decide(rest, budget), Satisfiable):
        return None  # the rest clashes without it: it is not to blame
    return ledger.reject(newcomer, turn, CLASHES, others(mus(engine, together, budget), newcomer.id))


def _reconsider(ledger: Ledger, engine: Engine, turn: int, budget: Budget) -> tuple[Event[Commitment], ...]:
    """Judge the doubtful readings again, those that hold and those that were set aside, once something has left."""
    aside = _set_doubtful_aside(ledger, engine, turn, budget)
    return (*aside, *reinstate(ledger, engine, turn, budget))


def _set_doubtful_aside(ledger: Ledger, engine: Engine, turn: int, budget: Budget) -> list[Event[Commitment]]:
    """Set aside the doubtful readings that cannot be kept beside what is preferred to them."""
    doubtful = {id for id, commitment in ledger.active.items() if commitment.doubtful}
    if not doubtful:
        return []
    kept = greedy_mss(engine, ledger.soft, budget, order=ledger.preference)
    if not isinstance(kept, Mcs) or not doubtful.issuperset(kept.set_aside):
        # Confident statements clash among themselves: nothing is set aside behind the user's back.
        return []
    best = {id: ledger.soft[id] for id in kept.kept}
    return [
        ledger.put_aside(id, turn, CLASHES, others(mus(engine, {**best, id: ledger.soft[id]}, budget), id))
        for id in kept.set_aside
    ]
