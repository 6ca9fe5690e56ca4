"""The results of measuring a run about assignments."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from holdtrue.figures.statistics import Rate
from holdtrue.lab.kit.arm import Arm
from holdtrue.lab.kit.groups import method_title
from holdtrue.record import Channel, Trigger, TurnOutcome


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
    """Means per turn; `seconds` are the calls' own durations."""

    calls: float
    prompt_tokens: float
    completion_tokens: float
    seconds: float


@dataclass(frozen=True, slots=True)
class DriftRow:
    """One method, over one domain (None: all of them).

    `turns` were played, `scored` of them have gold; every rate of right and wrong is over those. `decided` are
    turns whose verdict is not undecided. `finished` problems reached their last turn, `failed` ended in an
    error. `retained` is accuracy at turn 10 over accuracy at turn 1, on problems that have both: turns right at
    turn 10, over those right at turn 1 (it may be above 1). `after_retry` is by the
    trigger of the first attempt; a turn that fired several counts for each. `cost` is the method's own,
    `measuring` what only measuring it added. `unread`: turns whose message has a sentence that was not
    read, or not with confidence; verdicts do not speak of these.
    """

    JSON_PROPERTIES: ClassVar[tuple[str, ...]] = ("oracle",)

    arm: Arm
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
    retained: Rate
    triggers: Mapping[Trigger, Fired]
    after_retry: Mapping[Trigger, Retried]
    truncation: Truncation
    cost: Cost
    measuring: Cost
    projected: Rate
    abstained: Rate
    unread: Rate

    @property
    def oracle(self) -> bool:
        """Return whether commitments came from the gold labels."""
        return self.arm.oracle

    @property
    def title(self) -> str:
        """The method, with a mark where it was given the gold constraints."""
        return method_title(self.arm)
