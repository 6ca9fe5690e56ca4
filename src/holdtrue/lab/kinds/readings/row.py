"""The results of measuring a run of readings."""

from __future__ import annotations

from dataclasses import dataclass

from holdtrue.figures.statistics import Estimate, Rate
from holdtrue.lab.kit.arm import Arm


@dataclass(frozen=True, slots=True)
class EventFigures:
    """Events against gold: of those read, `precision` are right, and of those in gold, `recall` are found.

    `f1` is the harmonic mean of the two, from sums over all dialogues.
    """

    precision: Rate
    recall: Rate
    f1: Estimate


@dataclass(frozen=True, slots=True)
class KindRow:
    """The events of one kind, or the gold events of one source, whose `precision` nobody knows."""

    name: str
    figures: EventFigures


@dataclass(frozen=True, slots=True)
class Bin:
    """The events whose probability lies between `low` and `high`: how many, their mean, and how many are right."""

    low: float
    high: float
    events: int
    mean: float | None
    right: Rate


@dataclass(frozen=True, slots=True)
class Threshold:
    """The events that are left if only those at least so probable are taken: their share, and how much is wrong."""

    at: float
    covered: Rate
    risk: Rate


@dataclass(frozen=True, slots=True)
class Calibration:
    """A `Calibration` holds probabilities against what came true.

    `error` is the expected calibration error over ten bins of equal width: the mean distance between the probability
    and the share that is right, weighed by events; None without events. `bins` and `thresholds` show it in full.
    """

    error: float | None
    bins: tuple[Bin, ...]
    thresholds: tuple[Threshold, ...]


@dataclass(frozen=True, slots=True)
class ItemFigures:
    """Messages that are items by themselves, against gold.

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
class ItemPart:
    """The messages that are alike: `by` says in what (kind, domain or style), and `name` is the word for it."""

    by: str
    name: str
    figures: ItemFigures


@dataclass(frozen=True, slots=True)
class ReadingRow:
    """One reader over all finished items, which are dialogues, or messages by themselves. Intervals are drawn by item.
    `domain` is None: `item_parts` has the domains of messages.

    `accuracy` is the share of messages after which the ledger is exactly what gold holds, and `sound` that of messages
    after which nothing in it is wrong. `seen` and `unseen` are the events of dialogues by whether trained readers know
    all their services. `calls`, the two kinds of tokens and `seconds` are means over messages, of the calls to a
    model. `items` is None where dialogues were read.
    """

    arm: Arm
    domain: str | None
    problems: int
    finished: int
    failed: int
    messages: int
    events: EventFigures
    amend: EventFigures
    accuracy: Rate
    sound: Rate
    kinds: tuple[KindRow, ...]
    sources: tuple[KindRow, ...]
    services: tuple[KindRow, ...]
    calibration: Calibration
    unread: int
    calls: Estimate
    prompt_tokens: Estimate
    completion_tokens: Estimate
    seconds: Estimate
    items: ItemFigures | None
    item_parts: tuple[ItemPart, ...]

    @property
    def title(self) -> str:
        return f"oracle: {self.arm.method}" if self.arm.method == "gold" else self.arm.method
