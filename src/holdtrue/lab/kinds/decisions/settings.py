"""The settings of a run of decisions: whether calls are stopped, which moment it is, and how long a decision takes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from holdtrue.budget import Budget
from holdtrue.errors import SettingsError
from holdtrue.options import Option, one_of

MODES = ("enforce", "observe")


@dataclass(frozen=True, slots=True)
class DecisionSettings:
    """The settings of a run of decisions; raises `SettingsError` for an unknown mode and a time of 0 or less.

    What a recorded conversation shows does not depend on the decisions, so `mode` changes what is delivered and
    nothing that is scored.
    """

    mode: Annotated[
        Literal["enforce", "observe"], Option("enforce stops calls; observe decides the same and stops none.")
    ] = "enforce"
    now: Annotated[
        str | None, Option("The moment of all decisions, such as 2024-05-15T15:00:00 (default: the policy's).")
    ] = None
    timeout_s: Annotated[float, Option("Seconds of each decision, and of each mend.")] = 2.0

    def __post_init__(self) -> None:
        one_of("mode", self.mode, MODES)
        if not self.timeout_s > 0:  # written so that nan is refused too
            raise SettingsError(f"timeout_s must be more than 0, got {self.timeout_s}")

    @property
    def budget(self) -> Budget:
        """The time limit of one decision."""
        return Budget(timeout_s=self.timeout_s)
