"""The problems that the HTML page shows with all their conversations: those on which methods differ most."""

from __future__ import annotations

from dataclasses import dataclass

from holdtrue.lab.kinds.assignment.conversation import ShownTurn, show_conversation
from holdtrue.lab.kinds.assignment.entry import AssignmentEntry
from holdtrue.lab.kinds.assignment.report import Report
from holdtrue.lab.kit.shown import Side, find_conversations, find_sides


@dataclass(frozen=True, slots=True)
class Conversation:
    """One problem's turns with one side, which is a model with a method."""

    side: Side
    turns: tuple[ShownTurn, ...]

    @property
    def right(self) -> int:
        return sum(turn.correct is True for turn in self.turns)


@dataclass(frozen=True, slots=True)
class ShownProblem:
    """One problem with all sides that played it; `messages` are the user's, turn by turn."""

    id: str
    name: str
    domain: str
    messages: tuple[str, ...]
    conversations: tuple[Conversation, ...]


def show_problems(report: Report, number: int) -> list[ShownProblem]:
    """Return at most `number` problems, those on which methods differ most."""
    sides = list(find_sides(report).values())
    found = find_conversations(report, number, AssignmentEntry)
    return [_show(f"p{place}", conversations, sides) for place, conversations in enumerate(found, start=1)]


def _show(id: str, conversations: dict[Side, list[AssignmentEntry]], sides: list[Side]) -> ShownProblem:
    longest = max(conversations.values(), key=len)
    return ShownProblem(
        id=id,
        name=longest[0].problem,
        domain=longest[0].domain,
        messages=tuple(entry.record.user_message for entry in longest),
        conversations=tuple(
            Conversation(side, tuple(show_conversation(conversations[side]))) for side in sides if side in conversations
        ),
    )
