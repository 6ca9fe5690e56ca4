"""The metrics of searches, over trials with a score: what is verified, what candidates come to, and what it costs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from typing import TYPE_CHECKING, Any

from holdtrue.kinds.search.record import CandidateOutcome, SearchAttempt, candidate_outcome, search_outcome
from holdtrue_lab.figures.statistics import Estimate, Rate, clustered, estimates
from holdtrue_lab.kinds.search.entry import SearchEntry, SearchScore
from holdtrue_lab.kit.metrics import Metric, Metrics, Units

if TYPE_CHECKING:
    from numpy.typing import NDArray

UNSAT = "unsat"


def _score(trial: SearchEntry) -> SearchScore:
    """Return the score; trials without one have no part in any metric."""
    assert trial.score is not None
    return trial.score


def _is_solvable(trial: SearchEntry) -> bool:
    return _score(trial).gold != UNSAT


def _is_verified(trial: SearchEntry) -> bool:
    return _score(trial).correct


def _answers(trial: SearchEntry) -> list[frozenset[tuple[str, Any]]]:
    """Return the candidates that could be read; an empty one claims that there is no solution."""
    return [frozenset(each.answer.items()) for each in trial.record.attempts if each.answer is not None]


def _right_claims(trial: SearchEntry) -> tuple[int, int]:
    claims = sum(not answer for answer in _answers(trial))
    return 0 if _is_solvable(trial) else claims, claims


TRIALS = Metrics[SearchEntry]()
COUNT = TRIALS.total("trials", lambda trial: 1)
VERIFIED = TRIALS.share("verified", _is_verified, "veri\u00adfied")
SAT = TRIALS.share(
    "sat_certified", lambda trial: _is_verified(trial) if _is_solvable(trial) else None, "sat certi\u00adfied"
)
PRECISION = TRIALS.share("claims.precision", _right_claims, "unsat pre\u00adcision")
RECALL = TRIALS.share(
    "claims.recall", lambda trial: None if _is_solvable(trial) else _is_verified(trial), "unsat recall"
)
DISPUTED = TRIALS.total(
    "disputed", lambda trial: search_outcome(trial.record).certified and not _is_verified(trial), "dis\u00adputed"
)
"""Trials that ended with a candidate that is right by the suite's own formulas, and those out of the trials of problems
that have a solution; right claims out of all that there is none, also of claims that were followed by another candidate
and of those that the solver could not decide; certified claims out of the trials of problems without a solution; and
trials that the method called certified and gold does not: a defect of the verifier, or a wrong label, if any."""

OUTCOMES = TRIALS.tally("outcomes", lambda trial: search_outcome(trial.record), tuple(CandidateOutcome))


def _count_candidates(units: Units) -> Mapping[CandidateOutcome, int]:
    found = Counter(outcome for unit in units for trial in unit for outcome in trial)
    return {outcome: found[outcome] for outcome in CandidateOutcome}


CANDIDATES = TRIALS.worked_out(
    "candidates", lambda trial: tuple(map(candidate_outcome, trial.record.attempts)), _count_candidates
)

_SPENT: Mapping[str, tuple[str, str, Callable[[SearchEntry], float]]] = {
    "calls": ("calls", ".2f", lambda trial: trial.record.usage.calls),
    "generated": ("gener\u00adated", ".0f", lambda trial: trial.record.usage.completion_tokens),
    "tokens": ("tokens", ".0f", lambda trial: trial.record.usage.tokens),
    "latency_s": ("seconds of calls", ".2f", lambda trial: trial.record.usage.latency_s),
    "seconds": ("seconds", ".2f", lambda trial: trial.record.time_s),
    "solver_calls": ("solver calls", ".2f", lambda trial: trial.record.solver_calls),
}
"""What searches spend: its title, how it is written, and how much of it a trial takes."""


def _costs() -> Iterator[tuple[str, Metric[SearchEntry, Estimate], Metric[SearchEntry, Estimate]]]:
    for name, (title, form, read) in _SPENT.items():
        yield (
            name,
            TRIALS.mean(f"costs.{name}.per_trial", read, title, form),
            TRIALS.mean(f"costs.{name}.per_solve", _by_solve(read), f"{title} a certified solve", form),
        )


def _by_solve(read: Callable[[SearchEntry], float]) -> Callable[[SearchEntry], tuple[float, int]]:
    return lambda trial: (read(trial), int(_is_verified(trial)))


_COSTS = tuple(_costs())
PER_TRIAL = {name: per_trial for name, per_trial, _ in _COSTS}
PER_SOLVE = {name: per_solve for name, _, per_solve in _COSTS}
"""What a method spends: the mean over trials, and the total by the number of verified trials. Generated are tokens that
the model wrote, tokens also those that it was given. Seconds are those of the calls and of the solver. Solver calls are
put to certify or for feedback; an assignment is certified without any."""


def _solved_in(trial: SearchEntry) -> int | None:
    """Return the round of the certified candidate, or None where the trial was not verified."""
    for attempt in trial.record.attempts if _is_verified(trial) else ():
        if attempt.attempt == _score(trial).verified_at:
            return attempt.step.round if attempt.step is not None else 1
    return None


CONVERGED: Metric[SearchEntry, Any] = TRIALS.worked_out("converged", _solved_in, lambda units: units)
"""The trials verified by the end of each round. What is combined are the rounds in which trials were solved; a
row makes rates of these (`converged`), because the budget of its arm says how many rounds there are."""


def converged(solved: Units, budget: str) -> tuple[Rate, ...]:
    """Return the trials verified by the end of each round of the budget (`4x4`), and no fewer than were needed."""
    last = budget.rpartition("x")[2]
    most = max([int(last) if last.isdecimal() else 1, *(round or 1 for unit in solved for round in unit)])
    of = [len(unit) for unit in solved]
    return tuple(
        clustered(
            [([sum(n is not None and n <= end for n in unit) for unit in solved], of) for end in range(1, most + 1)]
        )
    )


@dataclass(frozen=True, slots=True)
class KeptShare:
    """The share of a problem's variables outside the conflict that was found in a candidate, in 0..1.

    `candidates` had a conflict; `share` is the median over them, and `by_size` that of problems with so many variables.
    """

    candidates: int
    share: Estimate
    by_size: Mapping[int, float]


def _kept(attempt: SearchAttempt) -> tuple[int, int] | None:
    """Return the number of variables, and of those outside the conflict; None without a conflict."""
    if attempt.step is None or not attempt.step.revise or not attempt.answer:
        return None
    variables = len(attempt.answer)
    return variables, variables - len(attempt.step.revise)


def _kept_share(units: Units) -> KeptShare:
    by_size: dict[int, list[float]] = {}
    for of, kept in (pair for unit in units for trial in unit for pair in trial):
        by_size.setdefault(of, []).append(kept / of)
    counts = [Counter(kept / of for trial in unit for of, kept in trial) for unit in units]
    return KeptShare(
        candidates=sum(map(len, by_size.values())),
        share=_median(counts),
        by_size={size: median(shares) for size, shares in sorted(by_size.items())},
    )


def _median(counts: Sequence[Counter[float]]) -> Estimate:
    """A column for each share that there is, in order: the median follows from how often each of them was seen."""
    import numpy as np

    shares = np.array(sorted(set().union(*counts)))

    if not shares.size:
        return Estimate(0)

    def middle(sums: NDArray[Any]) -> NDArray[Any]:
        upto = np.cumsum(sums, axis=1)
        half = upto[:, -1:] / 2
        # Past the middle from below and from above: two shares where an even number of candidates is parted there.
        low, high = (upto < half).sum(axis=1), (upto <= half).sum(axis=1)
        found: NDArray[Any] = (shares[low] + shares[np.minimum(high, len(shares) - 1)]) / 2
        return np.where(half[:, 0] > 0, found, np.nan)

    table = np.array([[count[share] for share in shares.tolist()] for count in counts], dtype=np.float64)
    [share] = estimates([(table, middle)])
    return share


KEPT = TRIALS.worked_out(
    "kept_share",
    lambda trial: tuple(kept for each in trial.record.attempts if (kept := _kept(each)) is not None),
    _kept_share,
)


def _repeats(trial: SearchEntry) -> tuple[int, int]:
    found = _answers(trial)
    return len(found) - len(set(found)), len(found)


def _certified(trial: SearchEntry, *, told: bool) -> tuple[int, int]:
    """Return how many candidates whose prompt told of a failure, or did not, were certified, and how many there are."""
    own = [each for each in trial.record.attempts if (each.step is not None and each.step.mends is not None) is told]
    return sum(candidate_outcome(each).certified for each in own), len(own)


REPEATED = TRIALS.share("repeated", _repeats, "re\u00adpeated")
PARTIAL = TRIALS.share(
    "partial",
    lambda trial: (
        sum(each.step is not None and bool(each.step.asked) for each in trial.record.attempts),
        len(trial.record.attempts),
    ),
)
UNTOLD = TRIALS.share(
    "certified_without_feedback", lambda trial: _certified(trial, told=False), "untold, certi\u00adfied"
)
TOLD = TRIALS.share("certified_with_feedback", lambda trial: _certified(trial, told=True), "told, certi\u00adfied")
"""Candidates that had been given before in the same trial, out of those that could be read; those for which only some
of the variables were asked; and those that were certified, out of those whose prompt told nothing of a failure, and of
those whose prompt did. These two cannot be compared as they are: the second are candidates for what is harder."""
