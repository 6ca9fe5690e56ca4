"""The results of measuring a run of decisions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from holdtrue.figures.statistics import Estimate, Rate
from holdtrue.lab.kinds.decisions.entry import DecisionKind
from holdtrue.lab.kit.arm import Arm


@dataclass(frozen=True, slots=True)
class RuleRow:
    """A `RuleRow` counts, for one rule that is scored, the calls that break it, and what blocks said of it.

    `found` are blocks that name it and are right; `unfounded` name it although it is neither broken nor undecided.
    """

    rule: str
    broken: int
    found: int
    unfounded: int


@dataclass(frozen=True, slots=True)
class ToolRow:
    """A `ToolRow` counts what became of the calls of one tool; see `DecisionRow`."""

    tool: str
    calls: int
    broken: int
    caught: int
    missed: int
    false_blocks: int


@dataclass(frozen=True, slots=True)
class SourceRow:
    """A `SourceRow` counts calls of dialogues that break a value agreed from one source: stated, accepted and so on.

    `blocked` are blocked and `stopped` blocked or asked about, for one of the arguments that are broken; `exact` are
    stopped for just these. The row of `right` has the right calls, all of which it would be wrong to stop.
    """

    source: str
    calls: int
    blocked: Rate
    stopped: Rate
    exact: Rate


@dataclass(frozen=True, slots=True)
class Help:
    """A `Help` tells what a guard is worth.

    Of the calls that break a rule by the facts, `caught` are blocked for one of the rules that they break, `held` are
    stopped or asked about for another reason, and `missed` are allowed. `asked` are the calls that somebody is asked
    about, out of those that facts leave undecided.
    """

    caught: Rate
    held: Rate
    missed: Rate
    asked: Rate


@dataclass(frozen=True, slots=True)
class Harm:
    """A `Harm` tells what a guard costs those who did nothing wrong.

    `false_blocks` are blocked, out of the calls that break no rule at all. Of the calls that are sound by the facts,
    `let_through` go through, or are blocked where their tool would reject them anyway, and `needless` are asked about.
    Of the executed calls with a label, those of conversations that were rewarded are blocked as often as
    `blocked_rewarded`, and those of the others as often as `blocked_failed`.
    """

    false_blocks: Rate
    let_through: Rate
    needless: Rate
    blocked_rewarded: Rate
    blocked_failed: Rate


@dataclass(frozen=True, slots=True)
class DecisionRow:
    """One method over all finished conversations, all calls of which were decided on.

    Of the conversations, `problems` were begun, and `failed` of them ended in an error. Everything else is over the
    `calls` of the finished ones, of which `labelled` have a label. Intervals are drawn by task, because trials of one
    task are not independent. `domain` is None: there are no rows for parts.

    `accuracy` is the share of decisions that are right, out of those where labels say what is right. `standings` counts
    what the calls are by the facts, and `decisions` what was decided. `assumed` are the calls of which some rule was
    decided on an assumption, and `decided` those of which no rule was left undecided, out of those that a policy looked
    at. `replayed` are the decisions that came out identical from their records alone, out of those that
    have one. `by_solver` counts the rules that a solver decided, over all calls, and `seconds` is the mean CPU time of
    a decision. `sources` are there for dialogues.
    """

    arm: Arm
    domain: str | None
    problems: int
    finished: int
    failed: int
    tasks: int
    calls: int
    labelled: int
    accuracy: Rate
    help: Help
    harm: Harm
    standings: Mapping[str, int]
    decisions: Mapping[DecisionKind, int]
    assumed: Rate
    decided: Rate
    replayed: Rate
    by_solver: int
    seconds: Estimate
    rules: tuple[RuleRow, ...]
    tools: tuple[ToolRow, ...]
    sources: tuple[SourceRow, ...] = ()

    @property
    def title(self) -> str:
        return f"oracle: {self.arm.method}" if self.arm.method == "guard_gold" else self.arm.method
