"""The messages that readers read, each by itself and about an instance of a domain."""

from __future__ import annotations

from dataclasses import dataclass

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
