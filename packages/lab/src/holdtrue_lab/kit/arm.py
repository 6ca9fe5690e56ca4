"""An arm of a comparison: one method with one model in one suite, under one way of playing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from holdtrue_lab.kit.entry import PlayedEntry

ORACLE_EXTRACTOR = "gold"


@dataclass(frozen=True, slots=True)
class Arm:
    """One method with one model.

    If `gold`, gold stood in the place of what was read from messages. This need not have changed what the method did:
    whether it is an oracle's is for the kind of answers to say.
    """

    suite: str
    model: str
    protocol: str
    extractor: str
    method: str

    @property
    def gold(self) -> bool:
        return self.extractor == ORACLE_EXTRACTOR


def arm_of(entry: PlayedEntry[Any]) -> Arm:
    """Return the arm under which a turn was played."""
    record = entry.record
    return Arm(entry.suite, record.model, record.variant, record.reader, entry.method)
