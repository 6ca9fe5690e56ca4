"""Ask a person before beliefs are given up, and carry out the decision."""

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
    """A `Retraction` is a belief that the revision policy would give up in this turn.

    `because` has the ids of the rules and beliefs that the belief clashes with, and `sentence` states the reason.
    """

    belief: Belief
    turn: int
    because: tuple[Id, ...]
    sentence: str


@dataclass(frozen=True, slots=True)
class Decision:
    """A `Decision` is a person's answer about one retraction.

    `APPROVE` gives the belief up. `KEEP` keeps it and rejects the new beliefs that it clashes with. `instead(...)`
    keeps it and gives up the `others`.
    """

    keep: bool = False
    others: tuple[Id, ...] = ()


APPROVE = Decision()
KEEP = Decision(keep=True)

Approve = Callable[[Retraction], Decision]


def instead(*others: Id) -> Decision:
    """Return the decision to keep the belief and to give up these others."""
    return Decision(keep=True, others=others)


def consult(retractions: Sequence[Retraction], approve: Approve) -> dict[Id, Decision]:
    """Ask about every retraction, and return the decisions other than `APPROVE` by the id of the belief."""
    decisions = {retraction.belief.id: approve(retraction) for retraction in retractions}
    return {id: decision for id, decision in decisions.items() if decision != APPROVE}


def override(
    base: BeliefBase,
    retractions: Sequence[Retraction],
    decisions: Mapping[Id, Decision],
    new: Collection[Id],
    budget: Budget,
) -> tuple[Choice, tuple[Id, ...]]:
    """Carry out the decisions in a base that already contains the `new` beliefs.

    Return the choice, and the new beliefs that do not enter. The choice has the beliefs to give up and a witness of the
    others. A belief that may be given up stays if it is consistent with the rest. The beliefs in `others` are tried
    last.

    Raises:
        InputError: The decisions exclude each other or name no active belief. The error is also raised if the beliefs
            that they keep are inconsistent or undecided within the budget.
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
    # Approved beliefs are spared before those that a person named, each the newest first.
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
    """Return the new beliefs that clash with a belief that a person keeps."""
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
