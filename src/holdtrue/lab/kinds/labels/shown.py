"""The cases that the HTML page shows with all their conversations: those on which methods differ most."""

from __future__ import annotations

from dataclasses import dataclass

from holdtrue.lab.kinds.labels.conversation import (
    ShownAnswer,
    ShownLabelTurn,
    ShownQuery,
    show_answers,
    show_queries,
)
from holdtrue.lab.kinds.labels.entry import LabelEntry
from holdtrue.lab.kinds.labels.report import LabelReport
from holdtrue.lab.kit.shown import Side, find_conversations, find_sides


@dataclass(frozen=True, slots=True)
class CaseTalk:
    """One case's turns with one side; `answers` are to its queries, in their order."""

    side: Side
    turns: tuple[ShownLabelTurn, ...]

    @property
    def answers(self) -> tuple[ShownAnswer, ...]:
        return tuple(answer for turn in self.turns for answer in turn.answers)

    @property
    def right(self) -> int:
        return sum(turn.right for turn in self.turns)


@dataclass(frozen=True, slots=True)
class ShownCase:
    """One case with all sides that played it; `messages` are its queries.

    `premises` are () where a journal does not hold them.
    """

    id: str
    name: str
    domain: str
    premises: tuple[str, ...]
    messages: tuple[ShownQuery, ...]
    conversations: tuple[CaseTalk, ...]

    @property
    def turns(self) -> tuple[int, ...]:
        """The numbers of its turns."""
        return tuple(dict.fromkeys(query.turn for query in self.messages))


def show_cases(report: LabelReport, number: int) -> list[ShownCase]:
    """Return at most `number` cases, those on which methods differ most."""
    sides = list(find_sides(report).values())
    found = find_conversations(report, number, LabelEntry)
    return [_show(f"p{place}", conversations, sides) for place, conversations in enumerate(found, start=1)]


def _show(id: str, conversations: dict[Side, list[LabelEntry]], sides: list[Side]) -> ShownCase:
    longest = max(conversations.values(), key=len)
    return ShownCase(
        id=id,
        name=longest[0].problem,
        domain=longest[0].domain,
        premises=longest[0].told,
        messages=show_queries(longest),
        conversations=tuple(
            CaseTalk(side, tuple(show_answers(conversations[side]))) for side in sides if side in conversations
        ),
    )
