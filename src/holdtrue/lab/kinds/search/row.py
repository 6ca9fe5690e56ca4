"""The results of measuring a run of searches."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from holdtrue.figures.statistics import Estimate, Rate
from holdtrue.kinds.search.method import REVEALED
from holdtrue.kinds.search.record import CandidateOutcome
from holdtrue.lab.kit.arm import Arm

SPENT = ("calls", "generated", "tokens", "latency_s", "elapsed_s", "solver_calls")


@dataclass(frozen=True, slots=True)
class Claims:
    """Claims that there is no solution.

    `precision` is the share of all claims that are about problems without a solution; claims that were followed by
    another candidate count, and so do those that the solver could not decide. `recall` is the share of trials of
    problems without a solution that ended with a certified claim.
    """

    precision: Rate
    recall: Rate


@dataclass(frozen=True, slots=True)
class Cost:
    """A `Cost` is what a method spends: the mean over trials, and the total divided by the number of verified trials.

    `per_solve` has no value if no trial was verified, and its interval leaves out resamples without a verified trial.
    """

    per_trial: Estimate
    per_solve: Estimate


@dataclass(frozen=True, slots=True)
class Costs:
    """`Costs` are what searches spent.

    `generated` are tokens that the model wrote, `tokens` also those that it was given. `latency_s` is the calls' own
    time, `elapsed_s` the trials', both in seconds. `solver_calls` are questions put to a solver, to certify or for
    feedback; an assignment is certified without any.
    """

    calls: Cost
    generated: Cost
    tokens: Cost
    latency_s: Cost
    elapsed_s: Cost
    solver_calls: Cost


@dataclass(frozen=True, slots=True)
class KeptShare:
    """The share of a problem's variables outside the conflict that was found in a candidate, in 0..1.

    `candidates` had a conflict; `share` is the median over them, and `by_size` that of problems with so many variables.
    """

    candidates: int
    share: Estimate
    by_size: Mapping[int, float]


@dataclass(frozen=True, slots=True)
class SearchRow:
    """One method, over one domain (None: all), or over one bin of difficulty (None: all) of all domains.

    Only original problems are counted, none that was rewritten, and of these the finished ones, all trials of which
    were played; `problems` were begun, `failed` of them ended in an error. Everything else is over their trials, and
    intervals are drawn by problem, because trials of one problem are not independent. `asks_model`: it is no control.

    `verified`: trials that ended with a candidate that is right by the suite's own formulas. `sat_certified`: those out
    of the trials of problems that have a solution. `disputed`: trials that the method called certified and gold does
    not: a defect of the verifier, or a wrong label, if there is any. `outcomes` are by trial, `candidates` by
    candidate. `converged`: trials verified by the end of each round, in order. `repeated`: candidates that had been
    given before in the same trial, out of those that could be read. `partial`: candidates for which only some of the
    variables were asked. `untold` and `told`: candidates that were certified, out of those whose prompt told nothing
    of a failure, and those whose prompt did. These two cannot be compared as they are: the second are candidates for
    what is harder.
    """

    JSON_PROPERTIES: ClassVar[tuple[str, ...]] = ("revealed",)

    arm: Arm
    asks_model: bool
    domain: str | None
    difficulty: str | None
    problems: int
    finished: int
    failed: int
    trials: int
    verified: Rate
    sat_certified: Rate
    claims: Claims
    disputed: int
    outcomes: Mapping[CandidateOutcome, int]
    candidates: Mapping[CandidateOutcome, int]
    costs: Costs
    converged: tuple[Rate, ...]
    kept: KeptShare
    repeated: Rate
    partial: Rate
    untold: Rate
    told: Rate

    @property
    def revealed(self) -> bool:
        """Return whether the method showed the model solutions that the solver had found."""
        return is_revealed(self.arm)

    @property
    def title(self) -> str:
        """The name of the method, marked if it showed the solver's solutions, or if a solver said which values stay."""
        if self.revealed:
            return f"{self.arm.method.removesuffix(REVEALED)} (witness revealed)"
        return f"{self.arm.method} (solver keeps values)" if self.partial.hits else self.arm.method


def is_revealed(arm: Arm) -> bool:
    """Return whether the arm's method showed the model solutions that the solver had found."""
    return arm.method.endswith(REVEALED)
