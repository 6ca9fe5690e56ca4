"""Measure a run of searches: turn the entries of its journal into rows. No model or solver is asked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from statistics import median
from typing import TYPE_CHECKING, Any

from holdtrue.figures.statistics import Estimate, Rate, clustered, estimates, ratio
from holdtrue.kinds.search.method import REVEALED, SEARCH_PRESETS
from holdtrue.kinds.search.record import CandidateOutcome
from holdtrue.lab.kinds.search.entry import SearchEntry, SearchScore
from holdtrue.lab.kinds.search.facts import Search, Trial
from holdtrue.lab.kinds.search.row import SPENT, Claims, Cost, Costs, KeptShare, SearchRow
from holdtrue.lab.kit.arm import Arm
from holdtrue.lab.kit.entry import Entry
from holdtrue.lab.kit.folder import Measured
from holdtrue.lab.kit.played import Part, PlayedArm, by_arm
from holdtrue.lab.kit.plays import ArmPlays, Play

if TYPE_CHECKING:
    from numpy.typing import NDArray


DIFFICULTIES = ("easy", "medium", "hard")


def measure_search(entries: Iterable[Entry], settings: Mapping[str, Any] | None = None) -> Measured[SearchRow]:
    """Measure a run with these settings; the entries are read once, in any order, and their texts are not kept.

    The result's `rows` are one for each method, in order of first appearance, over all domains and then for each; its
    `bins` are one for each difficulty.
    """
    played = by_arm(entries, SearchEntry, lambda search, entry: (search or Search(entry)).add(entry))
    # A problem that failed before it was scored is known by what others made of it.
    searches = [search for each in played for search in each.facts]
    known = {search.problem: search.score for search in searches if search.score is not None}
    arms = [_Arm(each, known) for each in played]
    rows = tuple(row for arm in arms for row in arm.rows())
    plays = tuple(arm.plays(settings or {}) for arm in arms)
    return Measured(
        rows=rows,
        bins=tuple(row for arm in arms for row in arm.bins()),
        plays=plays,
        controls=frozenset(row.arm.method for row in rows if row.finished and not row.asks_model),
        # Every original is rewritten in all ways, and the journal tells how many there are.
        forms=1 + len({play.variant for arm in plays for play in arm.plays.values() if play.variant}),
    )


class _Arm:
    """An arm with all that was played under it; `known` are the scores that any arm got, by problem."""

    def __init__(self, played: PlayedArm[Search], known: Mapping[str, SearchScore]) -> None:
        self._arm, self._searches, self._failed = played.arm, played.facts, played.failed
        self._asks_model = any(search.calls for search in self._searches)
        originals = {problem for problem, score in known.items() if not score.variant}
        begun = {**{search.problem: search.domain for search in self._searches}, **self._failed}
        self._domains = {p: domain for p, domain in begun.items() if p in originals or p not in known}
        self._difficulties = {p: known[p].difficulty for p in self._domains if p in known}

    def rows(self) -> Iterator[SearchRow]:
        """Yield the rows over all domains and then for each; none if only rewritten problems were begun."""
        if self._domains:
            yield self._row(None, None)
        for domain in sorted(set(self._domains.values())):
            yield self._row(domain, None)

    def bins(self) -> Iterator[SearchRow]:
        """Yield the rows for each difficulty."""
        there = set(self._difficulties.values())
        for difficulty in (*(d for d in DIFFICULTIES if d in there), *sorted(there.difference(DIFFICULTIES))):
            yield self._row(None, difficulty)

    def _row(self, domain: str | None, difficulty: str | None) -> SearchRow:
        begun = {
            problem
            for problem, its in self._domains.items()
            if domain in (None, its) and difficulty in (None, self._difficulties.get(problem))
        }
        finished = [search for search in self._searches if search.finished and search.problem in begun]
        searched = Part(finished, len(begun), len(begun & self._failed.keys()))
        return row_of(self._arm, self._asks_model, domain, difficulty, searched)

    def plays(self, settings: Mapping[str, Any]) -> ArmPlays[Play]:
        """Return the finished problems, rewritten ones too. The arm is a baseline if no prompt reports a failure."""
        preset = SEARCH_PRESETS.get(self._arm.method.removesuffix(REVEALED))
        most = max((search.calls for search in self._searches), default=0)
        return ArmPlays(
            self._arm,
            baseline=self._asks_model and _tells_nothing(self._arm.method, settings),
            plays={search.key: play for search in self._searches if search.finished and (play := search.play())},
            asks_model=self._asks_model,
            single=preset.single if preset else most <= 1,
        )


def _tells_nothing(method: str, settings: Mapping[str, Any]) -> bool:
    own = settings.get("own_methods", {}).get(method)
    if own is not None:
        return bool(own.get("feedback") == "none")
    preset = SEARCH_PRESETS.get(method)
    return preset is not None and preset.feedback == "none"


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
        kept_share=_kept_share(trials, share),
        repeated=rates["repeated"],
        partial=rates["partial"],
        certified_without_feedback=rates["without_feedback"],
        certified_with_feedback=rates["with_feedback"],
    )


Pair = tuple[int, int]

_RATES: dict[str, Callable[[Trial], Pair]] = {
    "verified": lambda trial: (trial.score.correct, 1),
    "sat_certified": lambda trial: (trial.score.correct and trial.solvable, trial.solvable),
    "precision": lambda trial: (0 if trial.solvable else trial.claims, trial.claims),
    "recall": lambda trial: (trial.score.correct and not trial.solvable, not trial.solvable),
    "repeated": lambda trial: (trial.repeated, trial.readable),
    "partial": lambda trial: (trial.partial, sum(trial.candidates.values())),
    "without_feedback": lambda trial: trial.without_feedback,
    "with_feedback": lambda trial: trial.with_feedback,
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

    counts = [Counter(kept / of for trial in each for of, kept in trial.kept_variables) for each in by_problem]
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


def _kept_share(trials: Sequence[Trial], share: Estimate) -> KeptShare:
    by_size: dict[int, list[float]] = {}
    for trial in trials:
        for of, kept in trial.kept_variables:
            by_size.setdefault(of, []).append(kept / of)
    return KeptShare(
        candidates=sum(map(len, by_size.values())),
        share=share,
        by_size={size: median(shares) for size, shares in sorted(by_size.items())},
    )
