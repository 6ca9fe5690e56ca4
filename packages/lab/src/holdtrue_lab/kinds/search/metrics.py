"""The metrics of searches, over trials with a score: verified trials, candidates, and costs.

Rows count only original problems whose trials were all played. The bootstrap for intervals resamples whole problems,
because trials of one problem are not independent.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from typing import TYPE_CHECKING, Any

from holdtrue.kinds.search.method import REVEALED, SEARCH_PRESETS
from holdtrue.kinds.search.record import CandidateOutcome, SearchAttempt, candidate_outcome, search_outcome
from holdtrue_lab.figures.statistics import Estimate, Rate, clustered, estimates
from holdtrue_lab.kinds.search.entry import SearchEntry, SearchScore
from holdtrue_lab.kit.arm import Arm
from holdtrue_lab.kit.figure_rows import FigureMeasure, Traits, setting_of
from holdtrue_lab.kit.groups import FigureRow
from holdtrue_lab.kit.metrics import Metric, Metrics, Units

if TYPE_CHECKING:
    from numpy.typing import NDArray

UNSAT = "unsat"


def _score(trial: SearchEntry) -> SearchScore:
    """Return the score of a trial. Trials without a score do not count in any metric."""
    assert trial.score is not None
    return trial.score


def _is_solvable(trial: SearchEntry) -> bool:
    return _score(trial).gold != UNSAT


def _is_verified(trial: SearchEntry) -> bool:
    return _score(trial).correct


def _answers(trial: SearchEntry) -> list[frozenset[tuple[str, Any]]]:
    """Return the candidates that could be read. An empty candidate claims that there is no solution."""
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
"""Figures of trials, and of claims that there is no solution.

`VERIFIED` is the share of trials that ended with a right candidate by the suite's formulas. `SAT` is this share for
problems with a solution. `PRECISION` is the share of right claims among all claims, even if another candidate followed
or the solver left a claim undecided. `RECALL` is the share of certified claims among trials of problems without a
solution. `DISPUTED` counts trials that the method called certified although gold disagrees. They show a defect of the
verifier or a wrong label.
"""

OUTCOMES = TRIALS.tally("outcomes", lambda trial: search_outcome(trial.record), tuple(CandidateOutcome))


CANDIDATES = TRIALS.counted(
    "candidates", lambda trial: Counter(map(candidate_outcome, trial.record.attempts)), tuple(CandidateOutcome)
)

_SPENT: Mapping[str, tuple[str, str, Callable[[SearchEntry], float]]] = {
    "calls": ("calls", ".2f", lambda trial: trial.record.usage.calls),
    "generated": ("gener\u00adated", ".0f", lambda trial: trial.record.usage.completion_tokens),
    "tokens": ("tokens", ".0f", lambda trial: trial.record.usage.tokens),
    "latency_s": ("seconds of calls", ".2f", lambda trial: trial.record.usage.latency_s),
    "seconds": ("seconds", ".2f", lambda trial: trial.record.time_s),
    "solver_calls": ("solver calls", ".2f", lambda trial: trial.record.solver_calls),
}
"""The costs of searches, each with its title, its format and its value for a trial."""


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
"""The costs of a method: the mean over trials, and the total divided by the number of verified trials.

The model wrote the generated tokens; `tokens` also includes those of prompts. Seconds are those of calls and of the
solver. Solver calls certify a candidate or give feedback; certifying an assignment needs no solver call.
"""


def _solved_in(trial: SearchEntry) -> tuple[int | None, int]:
    """Return the round of the certified candidate, or None without one, and the number of rounds in the budget."""
    last = trial.record.variant.rpartition("x")[2]
    rounds = int(last) if last.isdecimal() else 1
    for attempt in trial.record.attempts if _is_verified(trial) else ():
        if attempt.attempt == _score(trial).verified_at:
            return (attempt.step.round if attempt.step is not None else 1), rounds
    return None, rounds


def _converged(units: Units) -> tuple[Rate, ...]:
    most = max((max(rounds, solved or 1) for unit in units for solved, rounds in unit), default=1)
    of = [len(unit) for unit in units]
    return tuple(
        clustered(
            [([sum(n is not None and n <= end for n, _ in unit) for unit in units], of) for end in range(1, most + 1)]
        )
    )


CONVERGED = TRIALS.worked_out("converged", _solved_in, _converged)
"""The share of trials that are verified by the end of each round. The budget `4x4` has four rounds; if trials were
verified in later rounds, these rounds follow.
"""


@dataclass(frozen=True, slots=True)
class KeptShare:
    """The share, in 0..1, of a problem's variables outside of the conflict that was found in a candidate.

    `candidates` is the number of candidates with a conflict. `share` is the median share over these candidates, and
    `by_size` the median share by the number of the problem's variables.
    """

    candidates: int
    share: Estimate
    by_size: Mapping[int, float]


def _kept(attempt: SearchAttempt) -> tuple[int, int] | None:
    """Return the number of variables, and that of variables outside of the conflict; None without a conflict."""
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
    """Return the median of the counted shares, from a table of counts with one column for each share."""
    import numpy as np

    shares = np.array(sorted(set().union(*counts)))

    if not shares.size:
        return Estimate(0)

    def middle(sums: NDArray[Any]) -> NDArray[Any]:
        upto = np.cumsum(sums, axis=1)
        half = upto[:, -1:] / 2
        # With an even number of candidates, the middle may lie between two different shares.
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
    """Return the number of certified candidates and of all candidates.

    Only candidates count whose prompt reported a failure, or reported none if `told` is false.
    """
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
"""`REPEATED` is the share of readable candidates that the trial had before. `PARTIAL` is the share of candidates whose
prompt asked only for some variables. `UNTOLD` is the certified share of the candidates whose prompt reported no
failure, and `TOLD` that of the other candidates. These two are not comparable, because later candidates are for harder
problems."""


def is_revealed(arm: Arm) -> bool:
    """Return whether the arm's method showed the model solutions of the solver."""
    return arm.method.endswith(REVEALED)


def asks_model(row: FigureRow) -> bool:
    """Return whether the method of a row is no control."""
    return bool(row.told["asks_model"])


_ASKED, _SEVERAL, _KEEPS = "asked", "several calls", "keeps values"
_DIFFICULTY = ("difficulty", ("easy", "medium", "hard"))


def _marks(trial: SearchEntry) -> Iterator[str]:
    calls = trial.record.usage.calls
    if calls:
        yield _ASKED
    if calls > 1:
        yield _SEVERAL
    if trial.score is not None and not trial.score.variant and PARTIAL.of(trial)[0]:
        yield _KEEPS


def _traits(arm: Arm, marks: frozenset[str], settings: Mapping[str, Any]) -> Traits:
    """Return the traits of a method. A baseline never reports a failure to the model.

    The title says if a solver took part.
    """
    asks, preset = _ASKED in marks, SEARCH_PRESETS.get(arm.method.removesuffix(REVEALED))
    title = f"{arm.method} (solver keeps values)" if _KEEPS in marks else arm.method
    if is_revealed(arm):
        title = f"{arm.method.removesuffix(REVEALED)} (witness revealed)"
    return Traits(
        title=title,
        asks_model=asks,
        is_control=not asks,
        baseline=asks and setting_of(arm.method, settings, SEARCH_PRESETS, "feedback") == "none",
        single=preset.single if preset else _SEVERAL not in marks,
        told={"asks_model": asks, "revealed": is_revealed(arm)},
    )


MEASURE = FigureMeasure(
    entry=SearchEntry,
    metrics=TRIALS,
    accuracy=VERIFIED,
    said=lambda trial: trial.record.user_message,
    traits=_traits,
    marks=_marks,
    tested={name: PER_TRIAL[name] for name in ("calls", "generated")},
    counts=lambda trial: trial.score is not None,
    form=lambda trial: (_score(trial).variant, _score(trial).base, _score(trial).difficulty),
    bins=_DIFFICULTY,
    by_domain=True,
)
