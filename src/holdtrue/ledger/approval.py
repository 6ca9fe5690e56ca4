"""Asking a person before beliefs are given up, and carrying out what the person decides."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass

from holdtrue.budget import Budget
from holdtrue.errors import InputError
from holdtrue.ledger.beliefs import Belief, BeliefBase
from holdtrue.ledger.policies import Choice
from holdtrue.solving.engine import Questions
from holdtrue.solving.explain.mss import grow
from holdtrue.solving.result import Id, Satisfiable, Unknown


@dataclass(frozen=True, slots=True)
class Retraction:
    """A belief that the revision policy would give up in this turn.

    `because` are the ids of the rules and beliefs that it clashes with, and `sentence` tells the reason in words.
    """

    belief: Belief
    turn: int
    because: tuple[Id, ...]
    sentence: str


@dataclass(frozen=True, slots=True)
class Decision:
    """A person's answer about one retraction.

    `APPROVE` gives the belief up. `KEEP` keeps it and rejects the new beliefs that it clashes with. `instead(...)`
    keeps it and gives up the `others` in its place.
    """

    keep: bool = False
    others: tuple[Id, ...] = ()


APPROVE = Decision()
KEEP = Decision(keep=True)

Approve = Callable[[Retraction], Decision]


def instead(*others: Id) -> Decision:
    """Return the decision to keep the belief and to give up these others in its place."""
    return Decision(keep=True, others=others)


def consult(retractions: Sequence[Retraction], approve: Approve) -> dict[Id, Decision]:
    """Ask about every retraction; return, by id of the belief, the decisions that are not simply `APPROVE`."""
    decisions = {retraction.belief.id: approve(retraction) for retraction in retractions}
    return {id: decision for id, decision in decisions.items() if decision != APPROVE}


def override(
    base: BeliefBase,
    retractions: Sequence[Retraction],
    decisions: Mapping[Id, Decision],
    new: Collection[Id],
    budget: Budget,
) -> tuple[Choice, tuple[Id, ...]]:
    """Carry out the decisions in a base that already has the `new` beliefs in it.

    Return the choice, which has the beliefs to give up and a witness of those that stay, and the new beliefs that do
    not enter.

    No belief goes without need: one that was approved for giving up, or named among `others`, stays if it can hold
    together with the rest. Those that a person named are tried last, so that they are the first to go.

    Raises:
        InputError: The decisions exclude each other, they name what is no active belief, or what they keep cannot all
            hold or could not be decided within the budget.
    """
    rejected = _rejected(retractions, decisions, new)
    others = {other for decision in decisions.values() for other in decision.others}
    for other in sorted(others):
        if other not in base.active:
            raise InputError(f"{other!r} cannot go instead: it is no belief; active: {', '.join(base.active)}")
        if other in decisions:
            raise InputError(f"{other!r} cannot be kept and go instead of another")
    approved = {retraction.belief.id for retraction in retractions} - decisions.keys()
    questions = Questions(base.rules.engine, base.soft, budget)
    kept = [id for id in base.active if id not in others | approved | set(rejected)]
    result = questions.decide(kept)
    if not isinstance(result, Satisfiable):
        known = "is not known to be possible" if isinstance(result, Unknown) else "is impossible"
        raise InputError(f"the decision to keep {', '.join(decisions)} is refused: what it leaves {known}")
    # What was only approved is spared before what a person has named, the newest first.
    newest = [id for id in reversed(list(base.active)) if id not in rejected]
    spare = [*(id for id in newest if id in approved - others), *(id for id in newest if id in others)]
    grown = grow(questions, kept, spare, result.witness)
    if isinstance(grown, Unknown):
        raise InputError(f"the decision to keep {', '.join(decisions)} is refused: {grown.reason}")
    stays, witness = grown
    given_up = tuple(id for id in base.active if id not in stays and id not in rejected)
    return Choice(given_up, witness), rejected


def _rejected(
    retractions: Sequence[Retraction], decisions: Mapping[Id, Decision], new: Collection[Id]
) -> tuple[Id, ...]:
    """Return the new beliefs that are rejected because a person keeps what they clash with."""
    rejected: dict[Id, None] = {}
    for retraction in retractions:
        id = retraction.belief.id
        if id not in decisions or decisions[id].others:
            continue
        clashing = [other for other in retraction.because if other in new]
        if id in new or not clashing:
            raise InputError(f"{id} is not kept by rejecting what is new: name what is to go instead of it")
        rejected |= dict.fromkeys(clashing)
    return tuple(rejected)
