"""How much SMT-LIB text may ask of us."""

from __future__ import annotations

from dataclasses import dataclass

from holdtrue.errors import SettingsError

DEEPEST = 250
"""No text may nest deeper: terms are walked by recursion, and Python allows a thousand calls in all."""


@dataclass(frozen=True, slots=True)
class ReadLimits:
    """Caps on one text; what exceeds one of them is refused with the place where it does.

    `max_bytes` of UTF-8; `max_depth` of parentheses, with definitions expanded; `max_nodes` atoms and lists;
    `max_commands`; `max_digits` of one number.
    """

    max_bytes: int = 1_000_000
    max_depth: int = 200
    max_nodes: int = 200_000
    max_commands: int = 10_000
    max_digits: int = 100

    def __post_init__(self) -> None:
        if self.max_depth > DEEPEST:
            raise SettingsError(f"SMT-LIB text may be nested {DEEPEST} deep at most, not {self.max_depth}")
