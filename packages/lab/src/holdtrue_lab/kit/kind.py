"""This module declares how the laboratory handles one *kind of answer*, such as assignments, labels or claims.

Each kind has a folder in `lab/kinds`, whose `__init__` defines one `Kind`. The runner and the reports use a kind only
through this object. The modules of a kind are imported when they are first needed.
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
    """A `Teller` writes turns as text for people. Conversations may alternate, but the turns of each come in order."""

    def tell(self, entry: Any) -> list[str]:
        """Return the turn as lines of plain text."""
        ...


@dataclass(frozen=True, slots=True)
class Kind:
    """A `Kind` declares how answers of one kind are played, reported and exported.

    Each function imports the needed module when it is called.

    Attributes:
        name: The name of the kind in journals and entry points.
        entry: The class of the kind's journal entries.
        playing: Returns the object that plays the kind's problems.
        reporting: Returns the declaration of the kind's reports.
        teller: Returns a new object that writes turns as text.
        problem_rows: Returns how problems become rows of a data set; None if they cannot.
    """

    name: str
    entry: type[PlayedEntry[Any]]
    playing: Callable[[], Playing[Any, Any]]
    reporting: Callable[[], Reporting]
    teller: Callable[[], Teller]
    problem_rows: Callable[[], ProblemRows] | None = None


def part(place: str) -> Callable[[], Any]:
    """Return a function that imports `module:name` when it is called, and makes an object if that is a class."""

    def load() -> Any:
        found = resolve_name(place)
        return found() if isinstance(found, type) else found

    return load
