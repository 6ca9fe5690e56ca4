"""The messages to read, each by itself and about an instance of a domain, and the methods that read them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from holdtrue.world.instance import Constraint, Instance


@dataclass(frozen=True, slots=True)
class MessageItem:
    """One message of a user, of one or several sentences, about an instance.

    `gold` are the constraints to which the message commits, in canonical form and each once. `before` are the
    constraints that were agreed earlier. `kind`, `style` and `family` classify the message in the words of its author,
    or are ''. Reports split figures by the first two.
    """

    id: str
    domain: str
    kind: str
    style: str
    family: str
    message: str
    instance: Instance
    gold: tuple[Constraint, ...]
    before: tuple[Constraint, ...]

    def to_json(self) -> object:
        """Return, as plain JSON values, everything that can change a reading, its score or its place in a report."""
        gold, before = ([own.to_json() for own in each] for each in (self.gold, self.before))
        setting = [list(self.instance.entities), self.instance.given_context]
        return [self.id, self.domain, self.kind, self.style, self.family, setting, self.message, gold, before]


RULES = "rules"


@dataclass(frozen=True, slots=True)
class ReadingMethod:
    """A method that reads messages.

    `reader` is `model` (with one or more calls for each message), `rules` (code alone, for the domain's own wording),
    or a control. Of the controls, `nothing` reads nothing, and `gold` knows the constraints of each message. Readings
    less probable than `accepted` are doubtful; if `accepted` is None, the reader itself decides.
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
