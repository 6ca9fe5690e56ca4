"""The methods that read messages: readers, and controls."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

RULES = "rules"


@dataclass(frozen=True, slots=True)
class ReadingMethod:
    """A method that reads messages.

    `reader` is `model` (which may be asked several times a message), `rules` (code alone, which knows the domain's own
    wording), or a control: `nothing` reads nothing, and `gold` knows what each message commits to, which no deployed
    reader does. What is less probable than `accepted` is in doubt; None is what the reader itself accepts.
    """

    name: str
    reader: Literal["model", "rules", "nothing", "gold"] = "model"
    accepted: float | None = None

    @property
    def is_control(self) -> bool:
        """Return whether the method reads nothing by itself."""
        return self.reader in ("nothing", "gold")

    @property
    def asks_model(self) -> bool:
        return self.reader == "model"


READING_PRESETS = {
    method.name: method
    for method in (
        ReadingMethod(RULES, "rules"),
        ReadingMethod("llm"),
        ReadingMethod("nothing", "nothing"),
        ReadingMethod("gold", "gold"),
    )
}
"""The methods by name."""
