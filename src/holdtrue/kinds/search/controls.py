"""Controls that never ask the model: they show what is reached by giving up, by chance, and by the solver alone."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from holdtrue.kinds.search.attempt import delivered_text, make_attempt
from holdtrue.kinds.search.method import SearchAnswerer
from holdtrue.kinds.search.reader import Candidate, Infeasible
from holdtrue.kinds.search.record import SearchAttempt, SearchStep
from holdtrue.kinds.search.turn import SearchPlayed, SearchTurn
from holdtrue.logic.sorts import IntSort, drawn_from
from holdtrue.solving.result import Satisfiable
from holdtrue.world.answer import Assignment


def play_control(answerer: SearchAnswerer, turn: SearchTurn) -> SearchPlayed:
    """Play one trial of a control: its candidates are certified as a model's are, up to the first that holds.

    `always_unsat` claims that there is no solution. `random_in_domain` draws as many assignments as a model would get
    calls, each value within its bounds, from the trial's seed. `solver_only` says what the solver finds, and where that
    ended without a verdict claims what nobody can certify.
    """
    attempts: list[SearchAttempt] = []
    for candidate in _candidates(answerer, turn):
        step = SearchStep(round=len(attempts) // turn.limits.k + 1)
        attempts.append(make_attempt(len(attempts) + 1, candidate, turn.certifier.certify(candidate), step))
        delivered = delivered_text(attempts[-1])
        if delivered is not None:
            return SearchPlayed(tuple(attempts), delivered)
    return SearchPlayed(tuple(attempts), None)


def _candidates(answerer: SearchAnswerer, turn: SearchTurn) -> Iterator[Candidate]:
    match answerer:
        case "random_in_domain":
            rng = Random(turn.sampling.seed)
            for _ in range(turn.limits.calls):
                yield Assignment({name: rng.choice(drawn_from(IntSort(low, high))) for name, low, high in turn.bounds})
        case "solver_only":
            found = turn.certifier.solution
            yield Assignment(found.witness) if isinstance(found, Satisfiable) else Infeasible()
        case _:
            yield Infeasible()
