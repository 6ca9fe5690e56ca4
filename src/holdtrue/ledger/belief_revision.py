"""Belief revision: what an answer does to what was believed before.

To expand, revise and contract is meant as by Alchourron, Gaerdenfors and Makinson ("On the logic of theory change",
Journal of Symbolic Logic 1985), for bases of beliefs rather than for theories closed under entailment.

Under the screened policies (`policies.SCREENED`), in this order: what is believed already is restated, and stays one
belief; what contradicts the rules by itself is rejected, for good; if the rest cannot all hold, the policy says what
gives way, and a person may say otherwise; then what had been set aside comes back, most preferred first, where it can
hold now. That it can means that something of its reason is gone. Coming back pushes nothing out, so that nothing goes
to and fro: a belief leaves only for the sake of a new one. A new belief stays with `greedy` and `recency`; with
`entrenchment` and `min_change` it may be what gives way, and is then set aside like any other.

Where the solver gives no verdict within its budget, the new beliefs are kept out as undecided, and all else stays. What
had been set aside comes back only up to the first belief of which the solver does not say whether it can hold: what is
less preferred must not take its place.
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
from holdtrue.ledger.policies import SCREENED, Policy
from holdtrue.record import Label, Satisfiability
from holdtrue.solving.result import Id, Unsatisfiable


@dataclass(frozen=True, slots=True)
class Revision:
    """What one step did.

    Of the new beliefs, `kept` hold now, by their own answer or by one that says the same; `rejected` were never let in,
    nor were the `undecided`, because the budget ended. `retracted` gave way, old ones or new, and hold no more;
    `reinstated` came back. No belief is in two of these. `events` tell what happened on the way: under the published
    algorithm, which takes one belief at a time, a belief can give way and be said again in the same step. `status` is
    that of rules and beliefs now, `reason` why the budget ended, if it did. `tied`: something else of the same standing
    could have given way instead (`policies.Choice`); None where that was not found out in time.
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
    """Add the beliefs, whatever follows; raises `InputError` as `revise` does."""
    _check(base, new)
    return tuple([base.append(Event(EventKind.ADDED, belief.turn, belief)) for belief in new])


def revise(
    base: BeliefBase, new: Sequence[Belief], policy: Policy, budget: Budget, approve: Approve | None = None
) -> Revision:
    """Take in what the answers of one turn commit to: one belief, or several at once.

    `approve` is asked about every retraction before anything happens. Raises `InputError`, and changes nothing, for
    a belief that cannot be one (an id in use, a label UNKNOWN, a variable that the rules do not have), for decisions
    that cannot be carried out (`approval.override`), and where the rules are found to be impossible together.
    `budget.timeout_s` is for the whole step.
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
    base: BeliefBase, id: Id, turn: int, policy: Policy, budget: Budget, reason: str | None = None
) -> Revision:
    """A person withdraws a belief that holds, or one that was set aside; it does not come back by itself.

    What it had pushed aside comes back where it can hold now (in a screened policy, most preferred first). What other
    beliefs and the rules entail without it is still entailed. Raises `InputError` where there is no such belief.
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
    """Write the step into the base, and say what it was."""
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
