"""This module writes recorded turns as plain text for people, by the teller of their kind of answer."""

from __future__ import annotations

from typing import Any

from holdtrue_lab.kit.entry import PlayedEntry
from holdtrue_lab.kit.kind import Teller
from holdtrue_lab.kit.registry import find_kind

SHOWN = 300  # characters of an answer


class Transcript:
    """A `Transcript` writes turns of all kinds as text.

    The turns of different conversations may alternate, but those of one conversation must come in order.
    """

    def __init__(self) -> None:
        self._tellers: dict[str, Teller] = {}

    def tell(self, entry: PlayedEntry[Any]) -> list[str]:
        if entry.kind not in self._tellers:
            self._tellers[entry.kind] = find_kind(entry.kind).teller()
        return self._tellers[entry.kind].tell(entry)


def title_of(entry: PlayedEntry[Any], what: str = "turn") -> str:
    """Return the line above a turn; `what` is the word for the counted unit, such as "turn"."""
    return f"{entry.problem}, {what} {entry.turn} of {entry.turns}, {entry.method}"


def shorten(text: str) -> str:
    """Return the text on one line, cut if it is long."""
    line = " ".join(text.split())
    return line if len(line) <= SHOWN else f"{line[: SHOWN - 3]}..."
