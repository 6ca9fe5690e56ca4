"""The problems that the HTML page shows with all their trials: those on which methods differ most."""

from __future__ import annotations

from dataclasses import dataclass

from holdtrue.lab.kinds.search.conversation import ShownTrial, show_trial
from holdtrue.lab.kinds.search.entry import SearchEntry
from holdtrue.lab.kinds.search.report import SearchReport
from holdtrue.lab.kit.shown import Side, find_conversations, find_sides


@dataclass(frozen=True, slots=True)
class SearchTalk:
    """One problem's trials with one side."""

    side: Side
    trials: tuple[ShownTrial, ...]

    @property
    def right(self) -> int:
        return sum(trial.correct is True for trial in self.trials)


@dataclass(frozen=True, slots=True)
class ShownSearch:
    """One problem with all sides that searched it; `messages` are the problem as each trial was told it.

    `gold` and `difficulty` are None where nothing was scored; `told` are the lines of the problem.
    """

    id: str
    name: str
    domain: str
    gold: str | None
    difficulty: str | None
    told: tuple[str, ...]
    messages: tuple[str, ...]
    conversations: tuple[SearchTalk, ...]


def show_searches(report: SearchReport, number: int) -> list[ShownSearch]:
    """Return at most `number` problems, those on which methods differ most."""
    sides = list(find_sides(report).values())
    found = find_conversations(report, number, SearchEntry)
    return [_show(f"p{place}", conversations, sides) for place, conversations in enumerate(found, start=1)]


def _show(id: str, conversations: dict[Side, list[SearchEntry]], sides: list[Side]) -> ShownSearch:
    longest = max(conversations.values(), key=len)
    score = next((each.score for entries in conversations.values() for each in entries if each.score), None)
    return ShownSearch(
        id=id,
        name=longest[0].problem,
        domain=longest[0].domain,
        gold=score.gold if score is not None else None,
        difficulty=score.difficulty if score is not None else None,
        told=tuple(longest[0].record.user_message.splitlines()),
        messages=tuple(entry.record.user_message for entry in longest),
        conversations=tuple(
            SearchTalk(side, tuple(map(show_trial, conversations[side]))) for side in sides if side in conversations
        ),
    )
