"""The problems that the HTML page shows with all their trials: those on which methods differ most."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from holdtrue.lab.kinds.search.conversation import ShownTrial, show_trial
from holdtrue.lab.kinds.search.entry import SearchEntry, SearchScore
from holdtrue.lab.kinds.search.report import SearchReport
from holdtrue.lab.kit.shown import ProblemOnPage, Talk, show_most_telling


@dataclass(frozen=True)
class ShownSearch(ProblemOnPage[SearchEntry]):
    """One problem with all sides that searched it; `messages` are the problem as each trial was told it."""

    @property
    def score(self) -> SearchScore | None:
        """Return the first score of the problem, or None where nothing was scored."""
        return next((each.score for entries in self.entries.values() for each in entries if each.score), None)

    @property
    def messages(self) -> tuple[str, ...]:
        return tuple(entry.record.user_message for entry in self.longest)

    @property
    def lines(self) -> tuple[str, ...]:
        """The lines of the problem."""
        return tuple(self.messages[0].splitlines())

    @cached_property
    def conversations(self) -> list[Talk[ShownTrial]]:
        return [Talk(side, tuple(map(show_trial, entries))) for side, entries in self.entries.items()]


def show_searches(report: SearchReport, number: int) -> list[ShownSearch]:
    """Return at most `number` problems, those on which methods differ most."""
    return show_most_telling(report, number, SearchEntry, ShownSearch)
