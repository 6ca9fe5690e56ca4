"""What the laboratory asks of a kind of answer: everything in which kinds differ, and nothing else.

Each kind has a folder in `lab/kinds`, whose `__init__` names one object that keeps this protocol and loads the rest of
the folder when it is asked. Whatever plays, reports or writes rows knows kinds by this protocol alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from holdtrue.figures.table import Table
from holdtrue.lab.kit.entry import PlayedEntry
from holdtrue.lab.kit.plan import Plan
from holdtrue.lab.kit.players import Player
from holdtrue.lab.kit.runs import Runs
from holdtrue.models.chat import ChatModel


@dataclass(frozen=True, slots=True)
class Page:
    """A report's page: a template, the package in whose `assets` it lies, and the values that it is filled with."""

    package: str
    template: str
    values: dict[str, Any]


class Teller(Protocol):
    """Tells turns one by one, in whichever order conversations take turns; each conversation's own in order."""

    def tell(self, entry: Any) -> list[str]:
        """The turn in lines of plain text."""
        ...


class Kind(Protocol):
    """A kind of answer, as it is measured."""

    @property
    def name(self) -> str: ...

    @property
    def entry(self) -> type[PlayedEntry[Any]]:
        """What a journal holds of one turn."""
        ...

    def player(self, plan: Plan, others: Sequence[ChatModel]) -> Player:
        """Who plays the plan; `others` are the models that it names beside the one that answers."""
        ...

    def tally(self, entry: Any) -> tuple[int, int]:
        """How many answers of a turn with a score are right, out of how many."""
        ...

    def teller(self) -> Teller:
        """Who tells its turns in words, from the first."""
        ...

    def open_report(self, suite: str, folders: Sequence[Path]) -> Runs[Any]:
        """Read, measure and compare the runs of this suite in these folders."""
        ...

    def sections(self, report: Any) -> list[tuple[str, list[Table]]]:
        """Every table of a report that has a line, by section."""
        ...

    def short_tables(self, report: Any) -> list[Table]:
        """Those that a terminal shows, the most important one first."""
        ...

    def page(self, report: Any, transcripts: int) -> Page:
        """The report's page, with the turns of at most `transcripts` problems."""
        ...

    def write_rows(self, folders: Sequence[Path], path: Path) -> None:
        """Write what the runs in these folders played as one Parquet file."""
        ...
