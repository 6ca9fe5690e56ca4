"""The part of a turn's record that has a guard's decision on one call."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from holdtrue.record import AttemptRecord, TurnRecord


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
