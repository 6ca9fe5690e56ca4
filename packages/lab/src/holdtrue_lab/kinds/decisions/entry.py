"""A decision on one call, as the journal keeps it: the guard's part of the record, and the score by a label."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Literal

from holdtrue.record import AttemptRecord, TurnRecord
from holdtrue_lab.kit.entry import PlayedEntry


class DecisionKind(StrEnum):
    """A `DecisionKind` says what becomes of a call: it goes through, is stopped, or waits for facts or for consent."""

    ALLOW = "allow"
    BLOCK = "block"
    ASK = "ask"
    CONFIRM = "confirm"


@dataclass(frozen=True, slots=True)
class DecisionDetail:
    """A `DecisionDetail` is one decision on one call of a recorded conversation.

    `task`, `trial` and `message` say which call it is, `tool` and `arguments` (as the agent wrote them) what it asks.
    `rules` are those of the policy that a block rests on, or that could not be decided, and `labelled_rules` the same
    by the ids of the labels. `assumptions` are what the decision takes for granted, because nobody was heard to say
    it, `undecided` the rules that could not be decided, whatever the decision, and `unread` what was not looked at, in
    words. `why` says the decision in words.
    `record` is the guard's own record, from which the decision can be replayed; None for a control, which has no
    reasons. `by_solver` counts the rules that a solver decided. Of a dialogue, `call` is the id of the call,
    `form` which of its broken forms it is, None for the right one, and `named` the arguments that it rests on.
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
    """A decision against what a checker says of its call; rules are known by their short ids.

    `standing` says what the call is by the facts: it breaks a rule that facts decide (`broken`), or breaks none and
    one of them is `undecided`, or it is `sound`, as nothing at all is left undecided; any other call is `open`. It is
    `clean` if it breaks no rule that is scored, and none that its tool enforces. `broken` are the scored rules that it
    breaks, whether facts or talk decide them; of these `found` are named by the block, and `unfounded` are named
    although they are neither broken nor undecided. `rejected` are the rules that it breaks and its tool enforces.

    `caught`: the call is broken, and blocked for one of the rules of facts that it breaks. `false_block`: it is clean,
    and blocked. `let_through`: it is sound, and allowed, or blocked although its tool would reject it anyway. `asked`:
    it is undecided, and asked about. `correct` is the one of these that its standing calls for, where a block that
    names a broken rule of talk is right too; None for an open call, of which nobody knows what is right.

    Of a call of a dialogue, `broken` and the like are arguments. `stopped`: it is broken, and blocked or asked about
    for one of these, `exact` for just these; `sources` say where the agreed values come from: stated, accepted, ...
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
    """A `DecisionCheck` is all that is found of a decision.

    `against` is its score, None without a label, and `reward` that of the whole conversation. `replayed` says whether
    the decision, replayed from nothing but its own record, came out identical; None for a control, which has no record.
    """

    against: DecisionScore | None
    reward: float | None
    replayed: bool | None


@dataclass(frozen=True, slots=True)
class DecisionEntry(PlayedEntry[DecisionCheck]):
    """One call of one conversation under one method.

    `problem_lines` are the rules that the labels of the conversation name; they stand in its first turn alone.
    """

    record: DecisionRecord
    score: DecisionCheck | None
    kind: str = field(default="decisions", kw_only=True)

    @property
    def against(self) -> DecisionScore | None:
        """The score; None without a label."""
        return None if self.score is None else self.score.against

    @property
    def decision(self) -> DecisionKind:
        return self.record.detail.decision

    @property
    def waits(self) -> bool:
        """Return whether somebody is asked before the call goes through."""
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
        """Return False: a call is decided on once."""
        return False
