"""Players: how the conversations of a suite are opened, played and scored."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any, Protocol

from holdtrue.lab.kit.entry import PlayedEntry
from holdtrue.lab.kit.plan import Job
from holdtrue.models.chat import ChatModel


@dataclass(frozen=True, slots=True)
class PlayedTurn:
    """A turn as it goes into the journal, and which solver decided there, in words."""

    entry: PlayedEntry[Any]
    engine: str


class Player(Protocol):
    """Plays conversations of one suite."""

    def play(self, job: Job, model: ChatModel) -> AsyncIterator[PlayedTurn]:
        """The conversation's turns, from the first."""
        ...
