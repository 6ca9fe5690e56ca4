"""The messages that readers read, each by itself and about an instance of a domain, and the methods that read them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from holdtrue.world.instance import Constraint, Instance


@dataclass(frozen=True, slots=True)
class MessageItem:
    """A `MessageItem` is one message of a user, of one sentence or several, about an instance.

    `gold` are the constraints that it commits to, in canonical form and each once, and `before` those that were agreed
    before it. `kind`, `style` and `family` say what sort of message it is, each in a word or a few of whoever wrote it,
    or '' where nobody says; figures are told apart by the first two.
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
        """Return, as plain JSON values, everything that can change a reading, its score or where it is counted."""
        gold, before = ([own.to_json() for own in each] for each in (self.gold, self.before))
        setting = [list(self.instance.entities), self.instance.given_context]
        return [self.id, self.domain, self.kind, self.style, self.family, setting, self.message, gold, before]


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
