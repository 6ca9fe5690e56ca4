"""This module defines an *arm* of a comparison: one method with one model and one suite under fixed settings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from holdtrue_lab.kit.entry import PlayedEntry

ORACLE_EXTRACTOR = "gold"


@dataclass(frozen=True, slots=True)
class Arm:
    """An `Arm` identifies the method, model and settings under which turns were played.

    `protocol` says how the conversation was played, and `extractor` names the reader of the user's messages.
    """

    suite: str
    model: str
    protocol: str
    extractor: str
    method: str

    @property
    def gold(self) -> bool:
        """True if gold readings replaced the reader of messages. A kind of answer decides whether this makes it an
        oracle.
        """
        return self.extractor == ORACLE_EXTRACTOR


def arm_of(entry: PlayedEntry[Any]) -> Arm:
    """Return the arm under which a turn was played."""
    record = entry.record
    return Arm(entry.suite, record.model, record.variant, record.reader, entry.method)
