"""The items that readers read: dialogues of users with assistants that have tools, and messages by themselves."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from datetime import date
from typing import TYPE_CHECKING, Any, Literal

from holdtrue.world.instance import Constraint, Instance

if TYPE_CHECKING:
    from holdtrue.language.slots.slot_world import SlotWorld


Kind = Literal["add", "amend", "waive", "withdraw"]
KINDS: tuple[Kind, ...] = ("add", "amend", "waive", "withdraw")
SOFT = frozenset({"carried", "unknown", "new_request"})
"""Sources of gold events that are neither rewarded nor punished: nobody could read these in the talk."""

_MARKS = re.compile(r"[^a-z0-9]+")


def comparable(value: object) -> str:
    """Return a value as it is compared with gold: small letters and digits alone, as the project's scorer has it."""
    return _MARKS.sub(" ", str(value).lower().replace("'", "")).strip()


@dataclass(frozen=True, slots=True)
class GoldEvent:
    """A `GoldEvent` is what a message settles; `forms` are all ways to write its value, '' and () where it has none."""

    kind: Kind
    slot: str
    value: str | int | float | bool | None
    forms: tuple[str, ...]
    source: str

    @property
    def soft(self) -> bool:
        """Return whether it is neither rewarded nor punished."""
        return self.source in SOFT

    def admits(self, value: object) -> bool:
        """Return whether a value is the gold one, in any of its forms."""
        return comparable(value) in self.forms


@dataclass(frozen=True, slots=True)
class DialogueTurn:
    """One message of the user, what the assistant said before it, and what it settles."""

    system: str | None
    user: str
    gold: tuple[GoldEvent, ...]


@dataclass(frozen=True, slots=True)
class Dialogue:
    """A dialogue with the slots of its tools. `seen` says whether all its services are known to trained readers."""

    id: str
    domain: str
    today: date
    seen: bool | None
    world: SlotWorld
    tools: tuple[Mapping[str, Any], ...]
    messages: tuple[DialogueTurn, ...]

    @property
    def turns(self) -> int:
        """The number of messages of the user."""
        return len(self.messages)

    def held(self) -> Iterator[Mapping[str, GoldEvent]]:
        """Yield, for each message, what holds after it by gold, by slot."""
        held: dict[str, GoldEvent] = {}
        for turn in self.messages:
            for own in turn.gold:
                held.pop(own.slot, None)
                if own.value is not None:
                    held[own.slot] = own
            yield dict(held)

    def to_json(self) -> object:
        """Return, as plain JSON values, everything that can change a reading or its score."""
        messages = [[own.system, own.user, [asdict(each) for each in own.gold]] for own in self.messages]
        return [self.id, self.domain, self.today.isoformat(), self.seen, list(self.tools), messages]


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

    @property
    def turns(self) -> int:
        """The number of messages of the user, which is 1: a dialogue has as many as were said."""
        return 1

    def to_json(self) -> object:
        """Return, as plain JSON values, everything that can change a reading, its score or where it is counted."""
        gold, before = ([own.to_json() for own in each] for each in (self.gold, self.before))
        setting = [list(self.instance.entities), self.instance.given_context]
        return [self.id, self.domain, self.kind, self.style, self.family, setting, self.message, gold, before]
