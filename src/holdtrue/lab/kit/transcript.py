"""Turns as a person would follow them, told by whoever knows their kind of answer."""

from __future__ import annotations

from typing import Any

from holdtrue.lab.kit.entry import PlayedEntry
from holdtrue.lab.kit.kind import Teller
from holdtrue.lab.kit.registry import find_kind

SHOWN = 300  # characters of an answer


class Transcript:
    """Tells turns one by one, in whichever order conversations take turns; each conversation's own in order."""

    def __init__(self) -> None:
        self._tellers: dict[str, Teller] = {}

    def tell(self, entry: PlayedEntry[Any]) -> list[str]:
        """The turn in lines of plain text."""
        if entry.kind not in self._tellers:
            self._tellers[entry.kind] = find_kind(entry.kind).teller()
        return self._tellers[entry.kind].tell(entry)


def title_of(entry: PlayedEntry[Any], what: str = "turn") -> str:
    """The line above a turn; `what` is what its number counts."""
    return f"{entry.problem}, {what} {entry.turn} of {entry.turns}, {entry.method}"


def shorten(text: str) -> str:
    """The text on one line, cut where it is long."""
    line = " ".join(text.split())
    return line if len(line) <= SHOWN else f"{line[: SHOWN - 3]}..."
