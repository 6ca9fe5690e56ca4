"""Belief revision: expand, revise and contract a base of beliefs.

The terms are those of Alchourron, Gaerdenfors and Makinson ("On the logic of theory change", Journal of Symbolic Logic
1985). Here they apply to bases of beliefs, which are not closed under entailment.

A screened policy (`policies.SCREENED`) revises in these steps:

1. A new belief with the content of an active belief is restated, and stays one belief.
2. A new belief that contradicts the rules by itself is rejected.
3. If the rest is inconsistent, the policy chooses the beliefs to give up, and a person may decide otherwise.
4. Beliefs that had been set aside come back if they are consistent now, the most preferred first. No other belief
   leaves for that, so a belief only ever leaves because of a new one.

Under `greedy` and `recency` a new belief always stays. Under `entrenchment` and `min_change` it may itself be set
aside.

If the solver gives no verdict within its budget, the new beliefs stay out as undecided, and all others stay. Beliefs
come back only up to the first undecided one, since a less preferred one must not replace it.

A step changes a copy of the base, and is written into the base at the end, or not at all.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from holdtrue.budget import Budget, Deadline
from holdtrue.errors import InputError
from holdtrue.ledger.approval import Approve, Retraction, consult, override
from holdtrue.ledger.beliefs import Belief, BeliefBase
from holdtrue.ledger.entries import Event, EventKind
from holdtrue.ledger.policies import SCREENED, Choice, RevisionPolicy, choose, preference
from holdtrue.record import Label, Satisfiability
from holdtrue.solving.explain.mus import others
from holdtrue.solving.result import Core, Id, Mus, Satisfiable, Unknown, Unsatisfiable

BACK = "nothing stands against it any more"
ALONE = "it cannot hold by itself"
UNEXPLAINED = "the budget ended before it was known why"


class Step:
    """A `Step` is one step of revision on a copy of the base, the `draft`.

    `status` is the satisfiability of rules and beliefs in the draft. `undecided` has the new beliefs that the budget
    kept out, and `reason` says why the budget ended, if it did.
    """

    def __init__(
        self, base: BeliefBase, policy: RevisionPolicy, budget: Budget, approve: Approve | None = None
    ) -> None:
        self.draft = base.fork()
        self.status = Satisfiability.UNKNOWN if base.witness is None else Satisfiability.SAT
        self.tied: bool | None = False
        self.undecided: list[Id] = []
        self.reason: str | None = None
        self._policy: RevisionPolicy = policy
        self._screened = policy in SCREENED
        self._approve = approve
        self._budget = budget
        self._deadline: Deadline = budget.start()
        self._before = base
        self._new: Sequence[Belief] = ()
        self._refused: dict[Id, tuple[str, tuple[Id, ...]]] = {}

    @property
    def budget(self) -> Budget:
        """Return the rest of the budget for this step."""
        return self._budget.until(self._deadline)

    def append(
        self, kind: EventKind, belief: Belief, turn: int, reason: str | None = None, because: tuple[Id, ...] = ()
    ) -> None:
        self.draft.append(Event(kind, turn, belief, reason, because))

    def take_in(self, new: Sequence[Belief]) -> None:
        """Add the new beliefs to the draft, and set aside the beliefs that give way."""
        self._before, self._new, self._refused = self.draft, new, {}
        self._let_in()
        result = self.ask()
        if isinstance(result, Unsatisfiable) and self._screened:
            screened = self._screen()
            if screened is not None:
                self._keep_out(screened)
                return
            if self._refused:
                self._let_in()
                result = self.ask()
        if isinstance(result, Unsatisfiable):
            choice = choose(self._policy, self.draft.rules.engine, self.draft.active, self.budget)
            if isinstance(choice, Unknown):
                self._keep_out(choice)
            else:
                self._retract(choice)
        elif isinstance(result, Unknown):
            self._keep_out(result)

    def ask(self) -> Satisfiable | Unsatisfiable | Unknown:
        """Ask the solver whether the rules and the beliefs of the draft are consistent."""
        result = self.draft.rules.engine.decide(self.draft.soft, self.budget)
        if isinstance(result, Satisfiable):
            self.status, self.draft.witness = Satisfiability.SAT, result.witness
        return result

    def reinstate(self) -> None:
        """Bring back the beliefs that are consistent now, the most preferred first, up to an undecided one."""
        draft, waiting = self.draft, self.draft.set_aside
        for id in preference(self._policy, waiting):
            reason = [name for name in draft.reason_for(id) if name in draft.known]
            # A belief still cannot hold if all beliefs that it clashed with are active.
            if (reason and all(name in draft.active for name in reason)) or draft.find(waiting[id].formula) is not None:
                continue
            result = draft.rules.engine.decide({**draft.soft, id: waiting[id].formula}, self.budget)
            if isinstance(result, Unknown):
                self.reason = self.reason or result.reason
                return
            if isinstance(result, Satisfiable):
                self.append(EventKind.REINSTATED, waiting[id], draft.events[-1].turn, BACK)
                self.status, draft.witness = Satisfiability.SAT, result.witness

    def _let_in(self) -> None:
        """Reset the draft to the base before this step, plus all new beliefs that are not refused."""
        self.draft = self._before.fork()
        for belief in self._new:
            same = self.draft.find(belief.formula) if self._screened else None
            if belief.id in self._refused:
                self.append(EventKind.REJECTED, belief, belief.turn, *self._refused[belief.id])
            elif same is not None:
                self.append(EventKind.RESTATED, belief, belief.turn, f"says the same as {same.id}", (same.id,))
            else:
                self.append(EventKind.ADDED, belief, belief.turn)

    def _screen(self) -> Unknown | None:
        """Refuse each new belief that contradicts the rules by itself."""
        rules = self.draft.rules
        for belief in self._new:
            soft = {belief.id: belief.formula}
            result = rules.engine.decide(soft, self.budget)
            if isinstance(result, Unknown):
                return result
            if isinstance(result, Unsatisfiable):
                conflict = rules.conflict(soft, self.budget)
                if isinstance(conflict, Mus) and belief.id not in conflict.ids:
                    raise InputError(f"the rules are impossible together: {', '.join(conflict.ids)}")
                because = others(conflict, belief.id)
                reason = f"it contradicts the rules ({', '.join(because)})" if because else "it contradicts the rules"
                self._refused[belief.id] = reason, because
        return None

    def _keep_out(self, unknown: Unknown) -> None:
        """Keep all new beliefs out as undecided, and leave the rest unchanged."""
        self.reason = unknown.reason
        if self._policy == "none":
            self.status, self.draft.witness = Satisfiability.UNKNOWN, None
            return
        for belief in self._new:
            said = self._screened and self._before.find(belief.formula) is not None
            if belief.id not in self._refused and not said:
                self._refused[belief.id] = f"undecided: {unknown.reason}", ()
                self.undecided.append(belief.id)
        self._let_in()

    def _retract(self, choice: Choice) -> None:
        """Give up the beliefs of the policy's choice, or those that a person chooses instead."""
        retractions = [self._explain(id, choice) for id in choice.given_up]
        decisions = consult(retractions, self._approve) if self._approve is not None else {}
        if decisions:
            new = {belief.id for belief in self._new}
            choice, rejected = override(self.draft, retractions, decisions, new, self.budget)
            reason = f"a person kept {', '.join(decisions)} instead", tuple(decisions)
            for id in new - self._refused.keys():
                if self.draft.find_by(id).id in rejected:  # This includes beliefs that restate a rejected one.
                    self._refused[id] = reason
            self._let_in()
            retractions = [self._explain(id, choice) for id in choice.given_up]
        for retraction in retractions:
            self.append(
                EventKind.SET_ASIDE, retraction.belief, retraction.turn, retraction.sentence, retraction.because
            )
        self.draft.witness = choice.witness
        self.status = Satisfiability.UNSAT if choice.witness is None else Satisfiability.SAT
        self.tied = choice.tied

    def _explain(self, id: Id, choice: Choice) -> Retraction:
        """Return the retraction of a belief, with the kept beliefs and rules that it clashes with."""
        active = self.draft.active
        kept = {other: belief.formula for other, belief in active.items() if other not in choice.given_up}
        conflict = self.draft.rules.conflict({**kept, id: active[id].formula}, self.budget)
        because = others(conflict, id)
        words = ", ".join(f'{name} ("{active[name].sentence}")' if name in active else name for name in because)
        why = ALONE if isinstance(conflict, Mus | Core) else UNEXPLAINED
        if because:
            why = f"it cannot hold together with {words}"
        return Retraction(
            active[id], self.draft.events[-1].turn, because, f'"{active[id].sentence}" is given up: {why}'
        )


@dataclass(frozen=True, slots=True)
class Revision:
    """A `Revision` is the result of one step of revision.

    No belief is in two of the lists `kept`, `retracted`, `rejected`, `undecided` and `reinstated`.

    Attributes:
        events: The events of the step, in order. The published algorithm can set a belief aside and restate it in the
            same step.
        status: Whether rules and beliefs are consistent now.
        kept: The new beliefs that hold now, by themselves or by an active belief with the same content.
        retracted: The old and new beliefs that gave way.
        rejected: The new beliefs that did not enter.
        undecided: The new beliefs that did not enter because the budget ended.
        reinstated: The beliefs that came back.
        tied: Whether other beliefs of the same standing could have given way (`policies.Choice`); None if this was not
            decided in time.
        reason: The reason why the budget ended, if it did.
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
    """Add the beliefs without a check of consistency. Raises `InputError` for an unusable belief, like `revise`."""
    _check(base, new)
    return tuple([base.append(Event(EventKind.ADDED, belief.turn, belief)) for belief in new])


def revise(
    base: BeliefBase, new: Sequence[Belief], policy: RevisionPolicy, budget: Budget, approve: Approve | None = None
) -> Revision:
    """Add the beliefs of one turn, and set aside the beliefs that the policy chooses.

    `approve` is called with every retraction before anything changes, and `budget.timeout_s` is for the whole step.

    Raises:
        InputError: A belief is unusable: its id is in use, its label is UNKNOWN, or the rules lack a variable of it.
            The error is also raised if the decisions of `approve` cannot be carried out (`approval.override`), or the
            rules are inconsistent. The base is unchanged then.
    """
    _check(base, new)
    step = Step(base, policy, budget, approve)
    if policy in SCREENED:
        step.take_in(new)
        step.reinstate()
    else:
        for belief in new:  # The published algorithm takes one new literal at a time.
            step.take_in([belief])
    return _finish(base, new, step)


def contract(
    base: BeliefBase, id: Id, turn: int, policy: RevisionPolicy, budget: Budget, reason: str | None = None
) -> Revision:
    """Withdraw an active belief, or one that was set aside; revision never brings it back.

    Under a screened policy, beliefs that are consistent without it come back, the most preferred first. Consequences of
    the rules and the other beliefs stay entailed. Raises `InputError` if there is no such belief.
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
    """Write the step into the base, and return its result."""
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
        # A belief that gave way may have been restated later in this step.
        retracted=tuple([id for id in ids(EventKind.SET_ASIDE) if not base.holds(id)]),
        rejected=tuple([id for id in ids(EventKind.REJECTED) if id not in step.undecided]),
        undecided=tuple(step.undecided),
        reinstated=ids(EventKind.REINSTATED),
        tied=step.tied,
        reason=step.reason,
    )
