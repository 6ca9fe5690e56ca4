"""The methods that decide on calls, including controls, and the settings of a run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from holdtrue.budget import Budget
from holdtrue.errors import SettingsError
from holdtrue.options import Option, one_of

GUARD = "guard"


@dataclass(frozen=True, slots=True)
class DecisionMethod:
    """A method that decides on calls.

    Attributes:
        decider: The policy, or a control that gives the same decision on every call: `allow`, `block` or `ask`.
        unsaid: The policy's treatment of things that nobody said. If they count as `false`, the decision names this
            assumption; otherwise they are `unknown`.
        reader: The reader of messages in dialogues: code alone (`rules`), or code with a `model`. The control `gold`
            knows the effects of each message. Conversations without marked words have no reader.
    """

    name: str
    decider: Literal["policy", "allow", "block", "ask"] = "policy"
    unsaid: Literal["false", "unknown"] = "false"
    reader: Literal["none", "rules", "model", "gold"] = "none"

    @property
    def is_control(self) -> bool:
        """True if the method ignores the call and the facts."""
        return self.decider != "policy"

    @property
    def asks_model(self) -> bool:
        return self.reader == "model"


DECISION_PRESETS = {
    method.name: method
    for method in (
        DecisionMethod(GUARD),
        DecisionMethod("guard_unsaid_unknown", unsaid="unknown"),
        DecisionMethod("guard_rules", reader="rules"),
        DecisionMethod("guard_model", reader="model"),
        DecisionMethod("guard_gold", reader="gold"),
        DecisionMethod("allow_all", decider="allow"),
        DecisionMethod("block_writes", decider="block"),
        DecisionMethod("ask_always", decider="ask"),
    )
}
"""The methods by name.

Methods without a reader ignore the words of messages. But ids in messages count, because they need no reader.
"""


MODES = ("enforce", "observe")


@dataclass(frozen=True, slots=True)
class DecisionSettings:
    """The settings of a run of decisions. An unknown mode or a time limit of 0 or less raises `SettingsError`.

    Decisions do not change the rest of a recorded conversation. So `mode` changes the delivered calls, but no score.
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
        if not self.timeout_s > 0:  # this form of the test also refuses nan
            raise SettingsError(f"timeout_s must be more than 0, got {self.timeout_s}")

    @property
    def budget(self) -> Budget:
        """The time limit of one decision."""
        return Budget(timeout_s=self.timeout_s)
