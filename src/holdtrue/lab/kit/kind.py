"""What the laboratory asks of a kind of answer: what it writes down, how it is told, played and reported.

Each kind has a folder in `lab/kinds`, whose `__init__` names one `Kind`; how it is played and how it is reported are
loaded when they are asked for. Whatever plays, reports or writes rows knows kinds by this object alone.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

from holdtrue.lab.kit.entry import PlayedEntry
from holdtrue.lab.kit.playing import Playing
from holdtrue.lab.kit.reporting import Reporting


class Teller(Protocol):
    """Tells turns one by one, in whichever order conversations take turns; each conversation's own in order."""

    def tell(self, entry: Any) -> list[str]:
        """The turn in lines of plain text."""
        ...


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of answer, as it is measured.

    `entry` is what a journal holds of one turn. The others are called for what they give: `playing` for how problems
    are played, `reporting` for how runs are reported, and `teller` for someone who tells turns in words.
    """

    name: str
    entry: type[PlayedEntry[Any]]
    playing: Callable[[], Playing[Any, Any]]
    reporting: Callable[[], Reporting]
    teller: Callable[[], Teller]
