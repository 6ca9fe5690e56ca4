"""The problems that the HTML page shows with all their conversations: those on which methods differ most."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from holdtrue.lab.kinds.assignment.conversation import ShownTurn, show_conversation
from holdtrue.lab.kinds.assignment.entry import AssignmentEntry
from holdtrue.lab.kinds.assignment.report import Report
from holdtrue.lab.kit.shown import ProblemOnPage, Talk, show_most_telling


@dataclass(frozen=True)
class ShownProblem(ProblemOnPage[AssignmentEntry]):
    """One problem with all sides that played it; `messages` are the user's, turn by turn."""

    @property
    def messages(self) -> tuple[str, ...]:
        return tuple(entry.record.user_message for entry in self.longest)

    @cached_property
    def conversations(self) -> list[Talk[ShownTurn]]:
        return [Talk(side, tuple(show_conversation(entries))) for side, entries in self.entries.items()]


def show_problems(report: Report, number: int) -> list[ShownProblem]:
    """Return at most `number` problems, those on which methods differ most."""
    return show_most_telling(report, number, AssignmentEntry, ShownProblem)
