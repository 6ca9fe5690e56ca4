"""The conversations that the HTML page shows with all decisions on their calls: those on which methods differ most."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from holdtrue_lab.kinds.decisions.entry import DecisionEntry, DecisionKind
from holdtrue_lab.kinds.decisions.report import DecisionReport
from holdtrue_lab.kinds.decisions.teller import say_decision, say_label, say_score
from holdtrue_lab.kit.shown import SHOWN, ProblemOnPage, Talk, show_most_telling


@dataclass(frozen=True, slots=True)
class ShownCall:
    """One call as the agent made it; `said` is the user's last message before, and `label` what its label says."""

    turn: int
    said: str
    text: str
    label: str


@dataclass(frozen=True, slots=True)
class ShownDecision:
    """One decision in words. `correct` is None where nobody knows what is right; `worth` says what it is worth."""

    turn: int
    decision: DecisionKind
    told: str
    why: str
    assumptions: tuple[str, ...]
    unread: tuple[str, ...]
    correct: bool | None
    worth: str
    replayed: bool | None


@dataclass(frozen=True)
class ShownConversation(ProblemOnPage[DecisionEntry]):
    """One conversation with all methods that decided on its calls; `messages` are the calls."""

    @property
    def rules(self) -> tuple[str, ...]:
        """The rules that the labels name, a line each."""
        return self.longest[0].problem_lines

    @cached_property
    def messages(self) -> tuple[ShownCall, ...]:
        return tuple(map(_call, self.longest))

    @cached_property
    def conversations(self) -> list[Talk[ShownDecision]]:
        return [Talk(side, tuple(map(_decision, entries))) for side, entries in self.entries.items()]


def show_conversations(report: DecisionReport, number: int) -> list[ShownConversation]:
    """Return at most `number` conversations, those on which methods differ most."""
    return show_most_telling(report, number, DecisionEntry, ShownConversation)


def _call(entry: DecisionEntry) -> ShownCall:
    label = "" if entry.against is None else say_label(entry.against)
    return ShownCall(entry.turn, entry.record.user_message[:SHOWN], entry.record.final.text[:SHOWN], label)


def _decision(entry: DecisionEntry) -> ShownDecision:
    detail = entry.record.detail
    return ShownDecision(
        turn=entry.turn,
        decision=detail.decision,
        told=say_decision(detail),
        why=detail.why[:SHOWN],
        assumptions=detail.assumptions,
        unread=detail.unread,
        correct=None if entry.against is None else entry.against.correct,
        worth=say_score(entry),
        replayed=None if entry.score is None else entry.score.replayed,
    )
