"""The methods that decide on calls: a policy in several ways, and controls that look at nothing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

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
