"""The methods that decide on calls, with controls that look at nothing, and the settings of a run of them."""

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

    `decider` is the policy, or a control that decides alike on every call that writes: `allow`, `block` or `ask`.
    `unsaid` says what the policy makes of that which nobody was heard to say: it is taken for `false`, an assumption
    that the decision names, or it is `unknown`. `reader` hears the words of dialogues: code alone (`rules`), a `model`
    besides, or a control that knows what each message settles (`gold`); of conversations whose words nobody marked,
    none hears anything.
    """

    name: str
    decider: Literal["policy", "allow", "block", "ask"] = "policy"
    unsaid: Literal["false", "unknown"] = "false"
    reader: Literal["none", "rules", "model", "gold"] = "none"

    @property
    def is_control(self) -> bool:
        """Return whether the method decides without looking at anything."""
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

Those without a reader hear nobody. Ids that users wrote count, because nobody has to understand the words around them.
"""


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
