"""What is measured together: one method with one model in one suite, under one way of playing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from holdtrue.lab.kit.entry import PlayedEntry

ORACLE_EXTRACTOR = "gold"


@dataclass(frozen=True, slots=True)
class Arm:
    """What was run. `oracle`: commitments came from the gold labels, not from reading the messages."""

    suite: str
    model: str
    protocol: str
    extractor: str
    method: str

    @property
    def oracle(self) -> bool:
        return self.extractor == ORACLE_EXTRACTOR


def arm_of(entry: PlayedEntry[Any]) -> Arm:
    """What was run to get this turn."""
    record = entry.record
    return Arm(entry.suite, record.model, record.variant, record.reader, entry.method)
