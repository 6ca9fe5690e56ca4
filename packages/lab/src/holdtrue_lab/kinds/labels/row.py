"""The results of measuring a run of queries."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from holdtrue.kinds.labels.record import LabelOutcome
from holdtrue_lab.figures.statistics import Estimate, Rate
from holdtrue_lab.kinds.labels.entry import FormulaSource
from holdtrue_lab.kit.arm import Arm

NO_LABEL = "none"


@dataclass(frozen=True, slots=True)
class Sets:
    """These figures say whether the answers to each case fit together (see `SetScore` and `LabelScore`).

    `of` counts the decided ones. `prefix` is AUC-PrefixCons: the mean over cases of the share of prefixes that can
    hold. `cost` is the fewest commitments to withdraw, mean over cases, `cost_inconsistent` over those that need it.
    `edits` are labels that the method changed itself, mean over cases. `density` is over queries: those whose
    commitment clashed. `formal` is how many queries have a formula.
    """

    consistent: Rate
    epistemic: Rate
    prefix: Estimate
    cost: Estimate
    cost_inconsistent: Estimate
    edits: Estimate
    density: Rate
    formal: Rate


@dataclass(frozen=True, slots=True)
class Formulas:
    """These figures say whose formulas tell whether answers fit together, and how far they can be trusted.

    `sources` counts cases by `gold` (the suite's own), `file` (those of a published file), `model` (what the model
    wrote) and `none`. Of the queries with a formula that a model wrote, `settled` have a label that it proves with
    those of the premises, and of these `right` prove the true one.
    """

    sources: Mapping[FormulaSource, int]
    settled: Rate
    right: Rate


@dataclass(frozen=True, slots=True)
class Revisions:
    """These figures say what became of beliefs.

    `retracted`, `reinstated` and `rejected` are events, summed over cases; `per_case` are retractions, mean over
    cases, and `needless` those among all that could have stayed. `opposed` are cases in which the same thing was
    called true and false, and `differ` turns in which the policies would end apart, of those where that was looked for.
    """

    retracted: int
    reinstated: int
    rejected: int
    per_case: Estimate
    needless: Rate
    opposed: Rate
    differ: Rate


@dataclass(frozen=True, slots=True)
class Spent:
    """A `Spent` says what a method spends on a case: the mean, and how many times that of the simplest method it is.

    The simplest method of a suite is `direct`, or `none` where beliefs are revised. `times_direct` is over the cases
    that both have finished, and None where there are none or the simplest method spent nothing.
    """

    per_case: Estimate
    times_direct: float | None


@dataclass(frozen=True, slots=True)
class Overhead:
    """An `Overhead` is what the method itself spent.

    `latency_s` is the time of its calls, `seconds` also that of its solver.
    """

    tokens: Spent
    calls: Spent
    latency_s: Spent
    seconds: Spent
    solver_calls: Spent


@dataclass(frozen=True, slots=True)
class LabelRow:
    """One method, over one domain (None: all of them); everything is over cases that were finished.

    `problems` were begun, `failed` of them ended in an error. `oracle`: formulas had a part in what the method did,
    and they were the suite's own. `accuracy` is of the labels in the end, `first_accuracy` of those that the method
    started from, `entailed_accuracy` of what follows from the beliefs, where there are beliefs. A label that is missing
    is wrong, and no label in an F1; `unparsed` counts these in the end. `macro_f1` is the mean of the three labels' F1,
    but those that neither gold nor the method ever gives. `confusion` counts queries by gold label, and by the label in
    the end (`NO_LABEL` where there is none). `outcomes` are by turn.
    """

    JSON_PROPERTIES: ClassVar[tuple[str, ...]] = ("inconsistent", "formulas_of")

    arm: Arm
    oracle: bool
    domain: str | None
    problems: int
    finished: int
    failed: int
    turns: int
    queries: int
    unparsed: int
    accuracy: Rate
    first_accuracy: Rate
    entailed_accuracy: Rate
    macro_f1: Estimate
    unknown_f1: Estimate
    confusion: Mapping[str, Mapping[str, int]]
    outcomes: Mapping[LabelOutcome, int]
    sets: Sets
    formulas: Formulas
    revisions: Revisions
    overhead: Overhead

    @property
    def inconsistent(self) -> int:
        """Cases whose labels in the end are impossible."""
        return self.sets.consistent.of - self.sets.consistent.hits

    @property
    def formulas_of(self) -> str:
        """Return in words whose formulas tell whether answers fit together."""
        found = [source for source, count in self.formulas.sources.items() if count and source != "none"]
        return " + ".join(found) or "none"

    @property
    def title(self) -> str:
        """The method, with a mark where it was given more than the premises' sentences."""
        return f"{self.arm.method} (oracle premises)" if self.oracle else self.arm.method
