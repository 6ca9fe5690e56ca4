"""The protocol of a kind of answer: what its journal holds, and how it is played, reported and told in words.

Each kind has a folder in `lab/kinds`, whose `__init__` names one `Kind`; how it is played and how it is reported are
loaded when they are asked for. Whatever plays, reports or writes rows knows kinds by this object alone.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pkgutil import resolve_name
from typing import TYPE_CHECKING, Any, Protocol

from holdtrue_lab.kit.entry import PlayedEntry
from holdtrue_lab.kit.playing import Playing
from holdtrue_lab.kit.reporting import Reporting

if TYPE_CHECKING:
    from holdtrue_lab.kit.export.problem_rows import ProblemRows


class Teller(Protocol):
    """Tells turns in words, one by one. Conversations may alternate, but the turns of each come in order."""

    def tell(self, entry: Any) -> list[str]:
        """Return the turn as lines of plain text."""
        ...


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of answer, as it is measured.

    `entry` is the class of its journal entries. The others are functions without arguments, which load their part:
    `playing` returns how problems are played, `reporting` how runs are reported, and `teller` a teller of turns.
    `problem_rows` returns how problems become rows of a data set; None where they do not.
    """

    name: str
    entry: type[PlayedEntry[Any]]
    playing: Callable[[], Playing[Any, Any]]
    reporting: Callable[[], Reporting]
    teller: Callable[[], Teller]
    problem_rows: Callable[[], ProblemRows] | None = None


def part(place: str) -> Callable[[], Any]:
    """Return a function that loads `module:name` when it is asked for; of a class it returns a new object."""

    def load() -> Any:
        found = resolve_name(place)
        return found() if isinstance(found, type) else found

    return load
