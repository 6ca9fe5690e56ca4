"""The results of measuring a run of readings."""

from __future__ import annotations

from dataclasses import dataclass

from holdtrue.figures.statistics import Estimate, Rate
from holdtrue.lab.kit.arm import Arm


@dataclass(frozen=True, slots=True)
class Bin:
    """The constraints whose probability lies between `low` and `high`: how many, their mean, and how many are right."""

    low: float
    high: float
    constraints: int
    mean: float | None
    right: Rate


@dataclass(frozen=True, slots=True)
class Threshold:
    """The constraints at least so probable: the share of all that they are (`covered`), and how much of it is wrong."""

    at: float
    covered: Rate
    risk: Rate


@dataclass(frozen=True, slots=True)
class Calibration:
    """A `Calibration` holds probabilities against what came true.

    `error` is the expected calibration error over ten bins of equal width: the mean distance between the probability
    and the share that is right, weighed by constraints; None without any. `bins` and `thresholds` show it in full.
    """

    error: float | None
    bins: tuple[Bin, ...]
    thresholds: tuple[Threshold, ...]


@dataclass(frozen=True, slots=True)
class MessageFigures:
    """Messages against gold.

    Attributes:
        exact: The share of messages of which just the constraints in gold were accepted.
        with_doubtful: The same share, if what was read in doubt is taken, too.
        wrong: Of the constraints that were accepted, those that are not in gold.
        in_doubt: The share of messages of which something was read in doubt.
        doubtful: Of the constraints that were read, those that are in doubt.
        doubtful_right: Of the constraints in doubt, those that are in gold.
        missed: Of the constraints in gold, those that are in no reading.
        messages: The number of messages.
        rejected: The number of readings that were rejected.
        taken_back: The number of commitments that messages were read to take back, which gold does not judge.
    """

    exact: Rate
    with_doubtful: Rate
    wrong: Rate
    in_doubt: Rate
    doubtful: Rate
    doubtful_right: Rate
    missed: Rate
    messages: int
    rejected: int
    taken_back: int


@dataclass(frozen=True, slots=True)
class Part:
    """The messages that are alike: `by` says in what (kind, domain or style), and `name` is the word for it."""

    by: str
    name: str
    figures: MessageFigures


@dataclass(frozen=True, slots=True)
class ReadingRow:
    """One reader over all messages that it has read. Intervals are drawn by message.

    `domain` is None: `parts` has the figures by domain, beside those by kind and by style. `calls`, the two kinds of
    tokens and `seconds` are means over messages, of the calls to a model.
    """

    arm: Arm
    domain: str | None
    problems: int
    finished: int
    failed: int
    figures: MessageFigures
    parts: tuple[Part, ...]
    calibration: Calibration
    calls: Estimate
    prompt_tokens: Estimate
    completion_tokens: Estimate
    seconds: Estimate

    @property
    def accuracy(self) -> Rate:
        """The share of messages that are read exactly."""
        return self.figures.exact

    @property
    def title(self) -> str:
        return f"oracle: {self.arm.method}" if self.arm.method == "gold" else self.arm.method
