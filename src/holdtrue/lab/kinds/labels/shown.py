"""The cases that the HTML page shows with all their conversations: those on which methods differ most."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from holdtrue.lab.kinds.labels.conversation import ShownLabelTurn, ShownQuery, show_answers, show_queries
from holdtrue.lab.kinds.labels.entry import LabelEntry
from holdtrue.lab.kinds.labels.report import LabelReport
from holdtrue.lab.kit.shown import ProblemOnPage, Talk, show_most_telling


@dataclass(frozen=True)
class ShownCase(ProblemOnPage[LabelEntry]):
    """One case with all sides that played it; `messages` are its queries."""

    @property
    def premises(self) -> tuple[str, ...]:
        """() where a journal does not hold them."""
        return self.longest[0].problem_lines

    @cached_property
    def messages(self) -> tuple[ShownQuery, ...]:
        return show_queries(self.longest)

    @property
    def turns(self) -> tuple[int, ...]:
        """The numbers of its turns."""
        return tuple(dict.fromkeys(query.turn for query in self.messages))

    @cached_property
    def conversations(self) -> list[Talk[ShownLabelTurn]]:
        return [Talk(side, tuple(show_answers(entries))) for side, entries in self.entries.items()]


def show_cases(report: LabelReport, number: int) -> list[ShownCase]:
    """Return at most `number` cases, those on which methods differ most."""
    return show_most_telling(report, number, LabelEntry, ShownCase)
