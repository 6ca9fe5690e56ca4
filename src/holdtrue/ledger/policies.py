"""Choose the beliefs that give way if rules and beliefs are inconsistent, by one of the revision policies.

- `recency` keeps the newest beliefs first, and `entrenchment` those of the greatest confidence and then the newest.
  Source: Brewka, "Preferred subtheories: an extended logical framework for default reasoning", IJCAI 1989.
- `min_change` gives up the beliefs with the least sum of weights.
- `greedy` drops the oldest beliefs until the rest is consistent.
- `none` gives nothing up, and `greedy_printed` is the published algorithm with its faults; both are for comparison.

Except under the last two, no belief that was given up is consistent with the kept ones. Rules never give way. A belief
is as old as the turn of its last statement; within one turn, the later belief is newer.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from holdtrue.budget import Budget
from holdtrue.ledger.beliefs import Belief
from holdtrue.solving.engine import Engine, Questions
from holdtrue.solving.explain.mss import greedy_mss, grow
from holdtrue.solving.explain.relaxation import minimum_mcs
from holdtrue.solving.result import Id, Mcs, MinimumMcs, Satisfiable, Unknown, Unsatisfiable, Witness

RevisionPolicy = Literal["none", "greedy_printed", "greedy", "recency", "entrenchment", "min_change"]
POLICIES: tuple[RevisionPolicy, ...] = get_args(RevisionPolicy)

Beliefs = Mapping[Id, Belief]
"""Beliefs by id, the oldest first."""

SCREENED: frozenset[RevisionPolicy] = frozenset(("greedy", "recency", "entrenchment", "min_change"))
"""The policies that reject beliefs which contradict the rules, merge repeated beliefs, and bring beliefs back."""

UNIT = 1000
"""The weight of a belief with confidence 1."""

IMPOSSIBLE = "the rules are impossible together"


@dataclass(frozen=True, slots=True)
class Choice:
    """A `Choice` has the beliefs to give up, the oldest first, and a `witness` of the rest, or None without one.

    `tied` says whether other beliefs of the same standing could have given way; None means that this is not known.
    """

    given_up: tuple[Id, ...]
    witness: Witness | None
    tied: bool | None = False


def weight(belief: Belief) -> int:
    """Return the cost of giving a belief up: its confidence in thousandths, at least 1."""
    return max(1, round(UNIT * belief.confidence))


def preference(policy: RevisionPolicy, beliefs: Beliefs) -> list[Id]:
    """Return the ids in the policy's order of preference: by confidence and then recency, or only by recency."""
    newest = list(beliefs)[::-1]
    if policy in ("entrenchment", "min_change"):
        newest.sort(key=lambda id: -weight(beliefs[id]))
    return newest


def choose(policy: RevisionPolicy, engine: Engine, beliefs: Beliefs, budget: Budget) -> Choice | Unknown:
    """Choose which of the `beliefs` give way, given that they are inconsistent with the engine's background."""
    questions = Questions(engine, {id: belief.formula for id, belief in beliefs.items()}, budget)
    match policy:
        case "none":
            return Choice((), None)
        case "greedy_printed":
            return _drop_one(questions)
        case "greedy":
            return _drop_oldest(questions, beliefs)
        case "recency":
            return _keep_preferred(questions, beliefs, preference(policy, beliefs), lambda belief: belief.turn)
        case "entrenchment":
            return _keep_preferred(questions, beliefs, preference(policy, beliefs), weight)
        case "min_change":
            return _drop_lightest(questions, beliefs)


def _drop_one(questions: Questions) -> Choice | Unknown:
    """Drop the oldest belief without which the rest is consistent (algorithm 1 as printed), but never the last one.

    If no single belief suffices, nothing is dropped, and the beliefs stay inconsistent. `Unknown` means that the budget
    ended first.
    """
    *priors, _ = questions.soft
    for id in priors:
        result = questions.decide(other for other in questions.soft if other != id)
        if isinstance(result, Unknown):
            return result
        if isinstance(result, Satisfiable):
            return Choice((id,), result.witness)
    return Choice((), None)


def _drop_oldest(questions: Questions, beliefs: Beliefs) -> Choice | Unknown:
    """Drop the oldest beliefs until the rest is consistent, then put back those that are consistent with it."""
    ids = tuple(beliefs)
    for dropped in range(1, len(ids) + 1):
        result = questions.decide(ids[dropped:])
        if isinstance(result, Unknown):
            return result
        if isinstance(result, Satisfiable):
            break
    else:
        return Unknown(IMPOSSIBLE)
    grown = grow(questions, ids[dropped:], ids[:dropped], result.witness)
    if isinstance(grown, Unknown):
        return grown
    kept, witness = grown
    given_up = tuple(id for id in ids if id not in kept)

    def could_stay(id: Id) -> Satisfiable | Unsatisfiable | Unknown | None:
        peers = {other for other in kept if beliefs[other].turn == beliefs[id].turn}
        return questions.decide((*(other for other in ids if other in kept - peers), id)) if peers else None

    return Choice(given_up, witness, _any(could_stay, given_up))


def _keep_preferred(
    questions: Questions, beliefs: Beliefs, order: Sequence[Id], standing: Callable[[Belief], int]
) -> Choice | Unknown:
    """Keep each belief, in this `order`, that is consistent with those kept before.

    The choice is tied if only the order decided between beliefs of equal standing.
    """
    found = greedy_mss(questions.engine, questions.soft, questions.budget, order)
    if isinstance(found, Unknown):
        return found
    if not isinstance(found, Mcs):
        return Unknown(IMPOSSIBLE)
    stands = {id: standing(belief) for id, belief in beliefs.items()}

    def could_stay(id: Id) -> Satisfiable | Unsatisfiable | Unknown | None:
        if all(stands[other] != stands[id] for other in found.kept):
            return None
        return questions.decide((*(other for other in found.kept if stands[other] > stands[id]), id))

    return Choice(found.set_aside, found.witness, _any(could_stay, found.set_aside))


def _drop_lightest(questions: Questions, beliefs: Beliefs) -> Choice | Unknown:
    """Drop the beliefs with the least sum of weights, by weighted MaxSAT; of several such sets, keep newer beliefs.

    The newest belief may be the lightest, and give way itself.
    """
    engine = questions.engine
    weights = {id: weight(belief) for id, belief in beliefs.items()}
    order = list(beliefs)[::-1]
    found = minimum_mcs(engine, questions.soft, questions.budget, order, weights=weights)
    if isinstance(found, Unknown):
        return found
    if not isinstance(found, Mcs):
        return Unknown(IMPOSSIBLE)
    if not isinstance(found, MinimumMcs):
        return Unknown("the budget ended before it was proved that nothing lighter suffices")
    # Another correction of this weight keeps a belief that is given up here, so each in turn gets a prohibitive weight.
    tied: bool | None = False
    heavy = sum(weights.values()) + 1
    for id in found.set_aside:
        other = minimum_mcs(engine, questions.soft, questions.budget, order, weights={**weights, id: heavy})
        if isinstance(other, MinimumMcs) and other.cost == found.cost:
            tied = True
            break
        if not isinstance(other, MinimumMcs):
            tied = None
    return Choice(found.set_aside, found.witness, tied)


def _any(could_stay: Callable[[Id], Satisfiable | Unsatisfiable | Unknown | None], ids: Sequence[Id]) -> bool | None:
    """Return True if one of the ids could have stayed, None if one might have, and False if none could."""
    results = [could_stay(id) for id in ids]
    if any(isinstance(result, Satisfiable) for result in results):
        return True
    return None if any(isinstance(result, Unknown) for result in results) else False
