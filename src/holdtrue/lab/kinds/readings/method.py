"""The methods that read messages: readers, and controls."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

RULES = "rules"


@dataclass(frozen=True, slots=True)
class ReadingMethod:
    """A method that reads messages.

    `reader` is `model` (one call a message, weighed with what code finds), `rules` (code alone), or a control:
    `nothing` reads nothing, and `gold` knows what each message settles, which no deployed reader does. An event below
    the probability `accepted` is not read; None is what the weights of the reader say. Of a message that is an item by
    itself, `model` is the reader of sentences by a model, which may ask it more than once, `rules` knows the domain's
    own wording, and what is less probable than `accepted` is in doubt.
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
