"""Belief revision: expand, revise and contract a base of beliefs.

The three words are used as by Alchourron, Gaerdenfors and Makinson ("On the logic of theory change", Journal of
Symbolic Logic 1985), for bases of beliefs rather than for theories closed under entailment.

A screened policy (`policies.SCREENED`) revises in these steps:

1. A new belief that is held already is restated, and stays one belief.
2. A new belief that contradicts the rules by itself is rejected for good.
3. If the rest cannot all hold, the policy says what gives way, and a person may decide otherwise.
4. Beliefs that had been set aside come back, the most preferred first, if they can hold now. None leaves for that, so a
   belief only ever leaves for the sake of a new one.

A new belief always stays under `greedy` and `recency`. Under `entrenchment` and `min_change` it may be the one that
gives way, and is then set aside like any other.

If the solver gives no verdict within its budget, the new beliefs stay out as undecided, and all others stay. Beliefs
come back only up to the first one that the solver cannot decide, so that no less preferred one takes its place.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from holdtrue.budget import Budget
from holdtrue.errors import InputError
from holdtrue.ledger.approval import Approve
from holdtrue.ledger.belief_step import Step
from holdtrue.ledger.beliefs import Belief, BeliefBase
from holdtrue.ledger.entries import Event, EventKind
from holdtrue.ledger.policies import SCREENED, RevisionPolicy
from holdtrue.record import Label, Satisfiability
from holdtrue.solving.result import Id, Unsatisfiable


@dataclass(frozen=True, slots=True)
class Revision:
    """A `Revision` tells what one step of revision did.

    No belief is in two of the lists `kept`, `retracted`, `rejected`, `undecided` and `reinstated`.

    Attributes:
        events: All that happened, in order. Under the published algorithm, which takes one belief at a time, a belief
            can give way and be restated in the same step.
        status: Whether rules and beliefs can all hold now.
        kept: New beliefs that hold now, or that an active belief with the same content stands for.
        retracted: Beliefs, old or new, that gave way.
        rejected: New beliefs that did not enter.
        undecided: New beliefs that did not enter because the budget ended.
        reinstated: Beliefs that came back.
        tied: Whether other beliefs of the same standing could have given way instead (`policies.Choice`); None if that
            was not found out in time.
        reason: Why the budget ended, if it did.
    """

    events: tuple[Event[Belief], ...]
    status: Satisfiability
    kept: tuple[Id, ...] = ()
    retracted: tuple[Id, ...] = ()
    rejected: tuple[Id, ...] = ()
    undecided: tuple[Id, ...] = ()
    reinstated: tuple[Id, ...] = ()
    tied: bool | None = False
    reason: str | None = None


def expand(base: BeliefBase, new: Sequence[Belief]) -> tuple[Event[Belief], ...]:
    """Add the beliefs without any check of consistency; raises `InputError` as `revise` does."""
    _check(base, new)
    return tuple([base.append(Event(EventKind.ADDED, belief.turn, belief)) for belief in new])


def revise(
    base: BeliefBase, new: Sequence[Belief], policy: RevisionPolicy, budget: Budget, approve: Approve | None = None
) -> Revision:
    """Add the beliefs of one turn, one or several at once, and let give way what the policy chooses.

    `approve` is asked about every retraction before anything changes, and `budget.timeout_s` is for the whole step.

    Raises:
        InputError: A belief is unusable (its id is in use, its label is UNKNOWN, or the rules lack a variable of it),
            the decisions of `approve` cannot be carried out (`approval.override`), or the rules themselves cannot all
            hold. The base is unchanged then.
    """
    _check(base, new)
    step = Step(base, policy, budget, approve)
    if policy in SCREENED:
        step.take_in(new)
        step.reinstate()
    else:
        for belief in new:  # the published algorithm knows one new literal at a time
            step.take_in([belief])
    return _finish(base, new, step)


def contract(
    base: BeliefBase, id: Id, turn: int, policy: RevisionPolicy, budget: Budget, reason: str | None = None
) -> Revision:
    """Withdraw a belief that holds or was set aside, because a person says so; it does not come back by itself.

    Under a screened policy, beliefs that can hold without it come back, the most preferred first. Whatever the rules
    and the other beliefs entail is still entailed. Raises `InputError` if there is no such belief.
    """
    belief = base.set_aside[id] if id in base.set_aside else base.find_by(id)
    step = Step(base, policy, budget)
    step.append(EventKind.WITHDRAWN, belief, turn, reason or "withdrawn by a person")
    if step.draft.witness is None and isinstance(step.ask(), Unsatisfiable):
        step.status = Satisfiability.UNSAT
    if policy in SCREENED:
        step.reinstate()
    return _finish(base, (), step)


def _check(base: BeliefBase, new: Sequence[Belief]) -> None:
    variables = frozenset(base.rules.engine.variables)
    taken = {*base.known, *base.rules.rules}
    for belief in new:
        if belief.id in taken:
            raise InputError(f"the id {belief.id!r} is in use: each answer makes a belief of its own")
        if belief.label is Label.UNKNOWN:
            raise InputError(f"{belief.id}: UNKNOWN commits to nothing")
        if not 0 <= belief.confidence <= 1:
            raise InputError(f"{belief.id}: a confidence of {belief.confidence} is not in 0..1")
        if belief.turn != new[0].turn:
            raise InputError(f"{belief.id} is of turn {belief.turn}, and {new[0].id} of turn {new[0].turn}")
        if not belief.formula.variables <= variables:
            raise InputError(f"{belief.id} is about a variable that the rules do not have: {belief.formula}")
        taken.add(belief.id)


def _finish(base: BeliefBase, new: Sequence[Belief], step: Step) -> Revision:
    """Write the step into the base, and return what it did."""
    events = tuple(step.draft.events[len(base.events) :])
    for event in events:
        base.append(event)
    base.witness = step.draft.witness

    def ids(kind: EventKind) -> tuple[Id, ...]:
        return tuple([event.entry.id for event in events if event.kind is kind])

    return Revision(
        events=events,
        status=step.status,
        kept=tuple([belief.id for belief in new if base.holds(belief.id)]),
        # What gave way may have been said again since, within this step.
        retracted=tuple([id for id in ids(EventKind.SET_ASIDE) if not base.holds(id)]),
        rejected=tuple([id for id in ids(EventKind.REJECTED) if id not in step.undecided]),
        undecided=tuple(step.undecided),
        reinstated=ids(EventKind.REINSTATED),
        tied=step.tied,
        reason=step.reason,
    )
