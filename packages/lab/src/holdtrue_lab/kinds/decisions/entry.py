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
        task: The task or dialogue; `trial` and `message` tell its calls apart.
        arguments: The arguments as the agent wrote them.
        rules: The rules of the policy that a block rests on, or that could not be decided.
        labelled_rules: The same rules by the ids of the labels.
        assumptions: The assumptions that the decision rests on, about things that nobody said.
        undecided: The rules that could not be decided, whatever the decision.
        unread: The parts that were not examined, in words.
        why: The reason for the decision, in words.
        record: The guard's own record, from which the decision can be replayed; None for a control.
        by_solver: Number of rules that a solver decided.
        call: In a dialogue, the id of the call.
        form: In a dialogue, the number of the broken form; None for the right call.
        named: In a dialogue, the arguments that the decision rests on.
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
        standing: The call by its facts. A `broken` call breaks a rule of facts. For an `undecided` call one of these
            rules is undecided. For a `sound` call nothing at all is undecided. Any other call is `open`.
        clean: The call breaks no scored rule and no rule that its tool enforces.
        broken: The scored rules that the call breaks, whether facts or talk decide them.
        found: Those of them that the block names.
        unfounded: Rules that the block names although they are neither broken nor undecided.
        rejected: Rules that the call breaks and its tool enforces.
        caught: The call is broken, and blocked for a rule of facts that it breaks.
        false_block: The call is clean, and blocked.
        let_through: The call is sound, and allowed, or blocked although its tool would reject it anyway.
        asked: The call is undecided, and asked about.
        correct: Whether the decision fits the standing. A block that names a broken rule of talk also fits a sound
            call. It is None for an open call, whose right decision nobody knows.
        stopped: In a dialogue, where `broken` has arguments: the call is stopped for a broken argument.
        exact: In a dialogue, the call is stopped for exactly its broken arguments.
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

    `against` is the score, or None without a label, and `reward` that of the whole conversation. `replayed` says
    whether a replay from the decision's own record gave the same decision. It is None for a control, which has no
    record.
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
