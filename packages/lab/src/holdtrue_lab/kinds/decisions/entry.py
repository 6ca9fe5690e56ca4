"""The record, the score and the journal entry of a decision on one call."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Literal

from holdtrue.record import AttemptRecord, TurnRecord
from holdtrue_lab.kit.entry import PlayedEntry


class DecisionKind(StrEnum):
    """The fate of a call: it goes through, is stopped, or waits for facts or for consent."""

    ALLOW = "allow"
    BLOCK = "block"
    ASK = "ask"
    CONFIRM = "confirm"


@dataclass(frozen=True, slots=True)
class DecisionDetail:
    """One decision on one call of a recorded conversation.

    Attributes:
        task: The task or dialogue; `trial` and `message` distinguish its calls.
        arguments: The arguments as the agent wrote them.
        rules: The rules of the policy that are the reason for a block, or that could not be decided.
        labelled_rules: The same rules by the ids that labels use.
        assumptions: The assumptions about things that nobody said, if the decision depends on them.
        undecided: The rules that could not be decided, even if the decision does not depend on them.
        unread: The parts that were not examined, in words.
        why: The reason for the decision, in words.
        record: The guard's own record, from which the decision can be replayed; None for a control.
        by_solver: Number of rules that a solver decided.
        call: In a dialogue, the id of the call.
        form: In a dialogue, the number of the broken form; None for the right call.
        named: In a dialogue, the arguments that are the reason for the decision.
    """

    task: int | str
    trial: int
    message: int
    tool: str
    arguments: str
    decision: DecisionKind
    rules: tuple[str, ...] = ()
    labelled_rules: tuple[str, ...] = ()
    assumptions: tuple[str, ...] = ()
    undecided: tuple[str, ...] = ()
    unread: tuple[str, ...] = ()
    why: str = ""
    record: Mapping[str, Any] | None = None
    by_solver: int = 0
    call: str = ""
    form: int | None = None
    named: tuple[str, ...] = ()

    def outcome_of(self, record: TurnRecord[Any, Any]) -> DecisionKind:
        """Return the decision."""
        return self.decision


DecisionRecord = TurnRecord[DecisionDetail, AttemptRecord]


Standing = Literal["broken", "undecided", "sound", "open"]


@dataclass(frozen=True, slots=True)
class DecisionScore:
    """The score of a decision by the label of its call. Rules have their short ids.

    Attributes:
        standing: The state of the call by its label. A `broken` call breaks a rule of facts, which the call and seen
            facts decide. For an `undecided` call, such a rule is undecided. For a `sound` call, no rule at all is
            undecided. Any other call is `open`.
        clean: Whether the call breaks no scored rule and no rule that its tool enforces.
        broken: The scored rules that the call breaks. They are rules of facts, and rules of talk, which need a reading
            of the conversation.
        found: Those of the `broken` rules that the block names.
        unfounded: The rules that the block names although they are neither broken nor undecided.
        rejected: The rules that the call breaks and its tool enforces.
        caught: Whether the call is broken, and is blocked for a rule of facts that it breaks.
        false_block: Whether the call is clean, but is blocked.
        let_through: Whether the call is sound, and is allowed, or is blocked although its tool would reject it anyway.
        asked: Whether the call is undecided, and somebody is asked about it.
        correct: Whether the decision fits the standing. A block that names a broken rule of talk also fits a sound
            call. It is None for an open call, whose right decision nobody knows.
        stopped: In a dialogue, whether the call is stopped for a broken argument; `broken` then has arguments.
        exact: In a dialogue, whether the call is stopped for exactly its broken arguments.
        sources: In a dialogue, the sources of the agreed values: stated, accepted and so on.
    """

    correct: bool | None
    standing: Standing
    clean: bool
    caught: bool
    false_block: bool
    let_through: bool
    asked: bool
    broken: tuple[str, ...]
    found: tuple[str, ...]
    unfounded: tuple[str, ...]
    rejected: tuple[str, ...]
    executed: bool | None
    stopped: bool = False
    exact: bool = False
    sources: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class DecisionCheck:
    """All findings about a decision.

    `against` is the score, or None without a label. `reward` is the benchmark's reward for the whole conversation.
    `replayed` says whether a replay from the decision's own record gave the same decision. It is None for a control,
    which has no record.
    """

    against: DecisionScore | None
    reward: float | None
    replayed: bool | None


@dataclass(frozen=True, slots=True)
class DecisionEntry(PlayedEntry[DecisionCheck]):
    """The journal entry of one call of one conversation under one method.

    In the first turn, `problem_lines` are the rules that the labels of the conversation name.
    """

    record: DecisionRecord
    score: DecisionCheck | None
    kind: str = field(default="decisions", kw_only=True)

    @property
    def against(self) -> DecisionScore | None:
        """The score, or None without a label."""
        return None if self.score is None else self.score.against

    @property
    def decision(self) -> DecisionKind:
        return self.record.detail.decision

    @property
    def waits(self) -> bool:
        """True if somebody is asked before the call goes through."""
        return self.decision in (DecisionKind.ASK, DecisionKind.CONFIRM)

    @property
    def tally(self) -> tuple[int, int] | None:
        correct = None if self.against is None else self.against.correct
        return None if correct is None else (int(correct), 1)

    @property
    def given(self) -> Mapping[str, str | int] | str | None:
        """The decision, and the rules that it names."""
        detail = self.record.detail
        return {"decision": detail.decision.value, "rules": ", ".join(detail.rules)}

    def is_retry(self, attempt: AttemptRecord) -> bool:
        """Return False, because a call is decided on once."""
        return False
