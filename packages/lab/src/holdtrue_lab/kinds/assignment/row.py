"""The results of measuring a run about assignments."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from holdtrue.record import Channel, Trigger, TurnOutcome
from holdtrue_lab.figures.statistics import Estimate, Rate
from holdtrue_lab.kit.arm import Arm


@dataclass(frozen=True, slots=True)
class Share:
    """A part of the wrong turns: how many `turns`, and their `share` in 0..1, None if no turn was wrong."""

    turns: int
    share: float | None


@dataclass(frozen=True, slots=True)
class Alarm:
    """An `Alarm` measures how well a trigger on the first attempt predicts that this attempt is wrong."""

    precision: Rate
    recall: Rate


@dataclass(frozen=True, slots=True)
class Repair:
    """Turns by whether the first attempt and the delivered answer were right.

    `retried` turns had another attempt after the first; samples and votes are no such attempts. `fixed` turns became
    right, and `harmed` turns became wrong.
    """

    retried: int
    fixed: int
    harmed: int
    still_right: int
    still_wrong: int


@dataclass(frozen=True, slots=True)
class Ledger:
    """The ledger against gold: `phantoms` and `gaps` are commitments summed over turns, the rest turns.

    `churn` is over values: changed from the last delivered answer, out of those that both answers give.
    """

    phantoms: int
    gaps: int
    turns_with_phantoms: int
    turns_with_gaps: int
    churn: Rate


@dataclass(frozen=True, slots=True)
class Depth:
    """Accuracy at one turn number, over the problems that are so long."""

    turn: int
    accuracy: Rate


@dataclass(frozen=True, slots=True)
class Retention:
    """These figures say how much of the accuracy at turn 1 is left at turn 10; either may be above 1.

    `published` is accuracy at turn 10 over accuracy at turn 1, each over all problems that have this turn (DRIFT-Bench,
    table 3). `same_problems` is over the problems that have both: turns right at turn 10, out of turns right at turn 1,
    so that no problem that ended before turn 10 has a part in it; `problems` is how many there are.
    """

    published: Estimate
    same_problems: Rate
    problems: int


@dataclass(frozen=True, slots=True)
class Fired:
    """These counts say how often a trigger fired.

    `first` and `final` are turns: on the first attempt, and still on the final one. `events` counts every attempt
    on which it fired, a vote apart, which says again what a sample said (DRIFT-Bench, table 6).
    """

    first: int
    final: int
    events: int


@dataclass(frozen=True, slots=True)
class Retried:
    """Retried turns (see `Repair`) whose first attempt fired one trigger (DRIFT-Bench, table 10).

    `accuracy` is that of what was delivered in the end, over those of the turns that have gold; `sat` counts
    those whose ledger was satisfiable in the end.
    """

    turns: int
    accuracy: Rate
    sat: Rate


@dataclass(frozen=True, slots=True)
class Truncation:
    """Answers clipped by the token limit (DRIFT-Bench, table 8).

    `clipped`: turns in which an answer was clipped, also where asking again mended it. `accuracy` is over all
    other turns that have gold.
    """

    clipped: Rate
    accuracy: Rate


@dataclass(frozen=True, slots=True)
class Cost:
    """Means per turn; `seconds` are the recorded ones of the calls, and the solver's."""

    calls: float
    prompt_tokens: float
    completion_tokens: float
    seconds: float


@dataclass(frozen=True, slots=True)
class DriftRow:
    """One method, over one domain (None: all of them).

    `turns` were played, `scored` of them have gold; every rate of right and wrong is over those. `decided` are
    turns whose verdict is not undecided. `finished` problems reached their last turn, `failed` ended in an
    error. `oracle`: what is read from messages changes what the method does, and it was gold. `after_retry` is by the
    trigger of the first attempt; a turn that fired several counts for each. `cost` is the method's own, `measuring`
    what only measuring it added. `unread`: turns whose message has a sentence that was not read, or not with
    confidence; verdicts do not speak of these.
    """

    arm: Arm
    oracle: bool
    domain: str | None
    problems: int
    finished: int
    failed: int
    turns: int
    scored: int
    decided: int
    accuracy: Rate
    upstream_accuracy: Rate
    outcomes: Mapping[TurnOutcome, int]
    wrong: int
    channels: Mapping[Channel, Share]
    upstream_drift: Share
    upstream_unsat: Share
    upstream_other: Share
    alarm: Alarm
    repair: Repair
    ledger: Ledger
    depth: tuple[Depth, ...]
    retention: Retention
    triggers: Mapping[Trigger, Fired]
    after_retry: Mapping[Trigger, Retried]
    truncation: Truncation
    cost: Cost
    measuring: Cost
    projected: Rate
    abstained: Rate
    unread: Rate

    @property
    def title(self) -> str:
        """The method, with a mark where it was given the gold constraints and used them."""
        return f"oracle: {self.arm.method}" if self.oracle else self.arm.method
