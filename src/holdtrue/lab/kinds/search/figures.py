"""Work out one row of a report from the searches that were finished."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from statistics import median
from typing import TYPE_CHECKING, Any

from holdtrue.figures.statistics import Estimate, Rate, clustered, estimates, ratio
from holdtrue.kinds.search.record import CandidateOutcome
from holdtrue.lab.kinds.search.facts import Search, Trial
from holdtrue.lab.kinds.search.row import SPENT, Claims, Cost, Costs, KeptShare, SearchRow
from holdtrue.lab.kit.arm import Arm
from holdtrue.lab.kit.played import Part

if TYPE_CHECKING:
    from numpy.typing import NDArray

Figure = tuple["NDArray[Any]", Callable[["NDArray[Any]"], "NDArray[Any]"]]


def row_of(arm: Arm, asks_model: bool, domain: str | None, difficulty: str | None, searched: Part[Search]) -> SearchRow:
    """Return the row of these searches."""
    by_problem = [search.trials for search in searched.finished]
    trials = [trial for each in by_problem for trial in each]
    rates, rounds = _rates(by_problem), _rounds(arm, trials)
    costs, share = _estimates(by_problem)
    candidates = sum((Counter(trial.candidates) for trial in trials), Counter[CandidateOutcome]())
    outcomes = Counter(trial.outcome for trial in trials)
    return SearchRow(
        arm=arm,
        asks_model=asks_model,
        domain=domain,
        difficulty=difficulty,
        problems=searched.problems,
        finished=len(searched.finished),
        failed=searched.failed,
        trials=len(trials),
        verified=rates["verified"],
        sat_certified=rates["sat_certified"],
        claims=Claims(rates["precision"], rates["recall"]),
        disputed=sum(trial.outcome.certified and not trial.score.correct for trial in trials),
        outcomes={outcome: outcomes[outcome] for outcome in CandidateOutcome},
        candidates={outcome: candidates[outcome] for outcome in CandidateOutcome},
        costs=costs,
        converged=_converged(by_problem, rounds),
        kept=_kept(trials, share),
        repeated=rates["repeated"],
        partial=rates["partial"],
        untold=rates["untold"],
        told=rates["told"],
    )


Pair = tuple[int, int]

_RATES: dict[str, Callable[[Trial], Pair]] = {
    "verified": lambda trial: (trial.score.correct, 1),
    "sat_certified": lambda trial: (trial.score.correct and trial.solvable, trial.solvable),
    "precision": lambda trial: (0 if trial.solvable else trial.claims, trial.claims),
    "recall": lambda trial: (trial.score.correct and not trial.solvable, not trial.solvable),
    "repeated": lambda trial: (trial.repeated, trial.readable),
    "partial": lambda trial: (trial.partial, sum(trial.candidates.values())),
    "untold": lambda trial: trial.untold,
    "told": lambda trial: trial.told,
}
"""Each trial adds to each rate these hits, out of so many."""


def _rates(by_problem: Sequence[Sequence[Trial]]) -> dict[str, Rate]:
    """All rates, by name."""
    columns = [_summed(by_problem, pair) for pair in _RATES.values()]
    return dict(zip(_RATES, clustered(columns), strict=True))


def _summed(by_problem: Sequence[Sequence[Trial]], pair: Callable[[Trial], Pair]) -> tuple[list[int], list[int]]:
    """Hits and out of how many, by problem."""
    pairs = [[pair(trial) for trial in trials] for trials in by_problem]
    return [sum(hits for hits, _ in each) for each in pairs], [sum(of for _, of in each) for each in pairs]


def _rounds(arm: Arm, trials: Sequence[Trial]) -> int:
    """Return how many rounds the budget has by the arm's protocol (`4x4`), and no fewer than were needed."""
    budget = arm.protocol.rpartition("x")[2]
    return max([int(budget) if budget.isdecimal() else 1, *(trial.solved_in or 1 for trial in trials)])


def _converged(by_problem: Sequence[Sequence[Trial]], rounds: int) -> tuple[Rate, ...]:
    def by_the_end_of(last: int) -> Callable[[Trial], Pair]:
        return lambda trial: (trial.solved_in is not None and trial.solved_in <= last, 1)

    return tuple(clustered([_summed(by_problem, by_the_end_of(last)) for last in range(1, rounds + 1)]))


def _estimates(by_problem: Sequence[Sequence[Trial]]) -> tuple[Costs, Estimate]:
    """Costs by trial and by solve, and the median share of variables kept; all from the same resamples."""
    import numpy as np

    if not by_problem:
        nothing = Estimate(0)
        return Costs(**{name: Cost(nothing, nothing) for name in SPENT}), nothing
    spent = np.array([[sum(trial.spent[i] for trial in each) for i in range(len(SPENT))] for each in by_problem])
    played = [len(each) for each in by_problem]
    solved = [sum(trial.score.correct for trial in each) for each in by_problem]
    figures: list[Figure] = [(np.column_stack([of_all, by]), ratio) for of_all in spent.T for by in (played, solved)]
    *costs, share = estimates([*figures, _median_kept(by_problem)])
    pairs = zip(costs[::2], costs[1::2], strict=True)
    return Costs(**{name: Cost(*pair) for name, pair in zip(SPENT, pairs, strict=True)}), share


def _median_kept(by_problem: Sequence[Sequence[Trial]]) -> Figure:
    """A column for each share that there is, in order: the median follows from how often each of them was seen."""
    import numpy as np

    counts = [Counter(kept / of for trial in each for of, kept in trial.kept) for each in by_problem]
    shares = np.array(sorted(set().union(*counts)))

    def middle(sums: NDArray[Any]) -> NDArray[Any]:
        if not shares.size:
            return np.full(len(sums), np.nan)
        upto = np.cumsum(sums, axis=1)
        half = upto[:, -1:] / 2
        # Past the middle from below and from above: two shares where an even number of candidates is parted there.
        low, high = (upto < half).sum(axis=1), (upto <= half).sum(axis=1)
        found: NDArray[Any] = (shares[low] + shares[np.minimum(high, len(shares) - 1)]) / 2
        return np.where(half[:, 0] > 0, found, np.nan)

    return np.array([[count[share] for share in shares.tolist()] for count in counts], dtype=np.float64), middle


def _kept(trials: Sequence[Trial], share: Estimate) -> KeptShare:
    by_size: dict[int, list[float]] = {}
    for trial in trials:
        for of, kept in trial.kept:
            by_size.setdefault(of, []).append(kept / of)
    return KeptShare(
        candidates=sum(map(len, by_size.values())),
        share=share,
        by_size={size: median(shares) for size, shares in sorted(by_size.items())},
    )
