"""Revision policies: which beliefs give way if rules and beliefs cannot all hold. Rules never give way.

- `recency` and `entrenchment` keep preferred beliefs first: the newest, or the surest and then the newest (preferred
  subtheories: Brewka, "Preferred subtheories: an extended logical framework for default reasoning", IJCAI 1989).
- `min_change` gives up the beliefs with the least sum of weights.
- `greedy` drops the oldest beliefs until the rest can hold.
- `none` gives nothing up, and `greedy_printed` is the published algorithm with its faults; both are for comparison.

But for the last two, nothing that a policy gives up could have stayed beside the rest. A belief is as old as the turn
in which it was said last; of those said in one turn, the later is the newer.
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
"""Beliefs by id, the one that was said longest ago first."""

SCREENED: frozenset[RevisionPolicy] = frozenset(("greedy", "recency", "entrenchment", "min_change"))
"""Policies that reject what contradicts the rules alone, merge what is said twice, and bring back what can hold again.
"""

UNIT = 1000
"""Confidence counts in so many parts."""

IMPOSSIBLE = "the rules are impossible together"


@dataclass(frozen=True, slots=True)
class Choice:
    """The beliefs to give up, the oldest first, and a `witness` under which the rest holds; None if it cannot hold.

    `tied` says whether other beliefs of the same standing could have given way instead; None if that is not known.
    """

    given_up: tuple[Id, ...]
    witness: Witness | None
    tied: bool | None = False


def weight(belief: Belief) -> int:
    """Return the cost of giving a belief up: its confidence in thousandths, at least 1."""
    return max(1, round(UNIT * belief.confidence))


def preference(policy: RevisionPolicy, beliefs: Beliefs) -> list[Id]:
    """Return the ids, the most worth keeping first: by confidence and then recency, or by recency alone."""
    newest = list(beliefs)[::-1]
    if policy in ("entrenchment", "min_change"):
        newest.sort(key=lambda id: -weight(beliefs[id]))
    return newest


def choose(policy: RevisionPolicy, engine: Engine, beliefs: Beliefs, budget: Budget) -> Choice | Unknown:
    """Choose which of `beliefs` give way; they cannot all hold within the engine's background, which has the rules."""
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
    """Drop the oldest belief without which the rest can hold (algorithm 1 as printed); the last belief is the new one.

    If it is proved that no single belief suffices, nothing is dropped, and the beliefs stay inconsistent. `Unknown`
    means that the budget ended before the oldest one was known.
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
    """Drop the oldest until the rest can hold, then put back what was dropped needlessly, in the same order."""
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
    """Keep beliefs in this `order` if they can hold; it is a tie if order alone decided between equal standings."""
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
    """Drop the beliefs with the least sum of weights, by weighted MaxSAT; of several such sets, keep the newest belief.

    The belief that was said last may be the lightest, and give way itself.
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
    # Another correction as light keeps one of those given up: each in turn is made too heavy to give up.
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
