"""The events that a model sees in a message, and what its reader is given besides the message."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from holdtrue.errors import SettingsError
from holdtrue.language.reading import MessageContext, Said, SlotContent
from holdtrue.record import CallRecord

SlotAct = Literal["set", "free", "drop"]
"""`set` gives a slot a value, `free` says that any value will do, `drop` takes back what was said."""

Grounding = Literal["literal", "code", "spelling", "chosen", "offer", "none"]
"""The support that a value has.

`literal`: it stands in the message. `code`: a date, time, amount or number that code read in the quote. `spelling`: it
is written a little differently in the message. `chosen`: a model chose it for the quote. `offer`: the assistant offered
it. `none`: an event without a value.
"""


@dataclass(frozen=True, slots=True)
class SlotEvent:
    """A `SlotEvent` is one thing that a message settles.

    Attributes:
        slot: The id of the slot.
        value: The value as JSON has it; None where the act is not `set`.
        quote: The words of the message, or of the assistant's offer, that say so.
        confidence: How sure the reading is, in 0..1.
    """

    act: SlotAct
    slot: str
    value: SlotContent | None = None
    quote: str = ""
    said: Said = "user"
    grounding: Grounding = "none"
    confidence: float = 1.0


@dataclass(frozen=True, slots=True)
class Unread:
    """Something that seemed to be said and is no event: the words, the slot that they were taken for, and why not."""

    quote: str
    slot: str
    why: str


@dataclass(frozen=True, slots=True)
class SlotReading:
    """A `SlotReading` holds what one message settles, what of it could not be read, and what reading it cost."""

    events: tuple[SlotEvent, ...]
    unread: tuple[Unread, ...] = ()
    calls: tuple[CallRecord, ...] = ()


@dataclass(frozen=True, slots=True)
class SlotContext:
    """A `SlotContext` is what holds when a message is read.

    Attributes:
        now: When it was said, local to who said it.
        assistant: The assistant's message before it, or None.
        earlier: The assistant's messages before that one, the latest first.
        held: The values that slots have, by their ids, as JSON has them.
        groups: The groups of slots that this conversation was about so far, the latest first.
        doubted: The slots whose values are in doubt, so that it is news if they are said again.
        shown: The values that tools showed or were called with, as plain texts, and the names they had, as stems.
    """

    now: datetime
    assistant: str | None = None
    earlier: tuple[str, ...] = ()
    held: Mapping[str, SlotContent] = field(default_factory=dict)
    groups: tuple[str, ...] = ()
    doubted: frozenset[str] = frozenset()
    shown: Mapping[str, frozenset[frozenset[str]]] = field(default_factory=dict)
    locale: str = "en-US"

    @classmethod
    def of(cls, known: MessageContext) -> SlotContext:
        """Return what a reader of slots needs of a context. Raises `SettingsError` for one that tells no time."""
        if known.now is None:
            raise SettingsError("slots are read relative to a time: give MessageContext(now=...)")
        held = dict.fromkeys(slot.rpartition(".")[0] for slot in reversed(list(known.held)))
        groups = tuple(held) if known.groups is None else known.groups
        return cls(
            known.now,
            known.assistant,
            known.earlier,
            dict(known.held),
            groups,
            known.doubted,
            known.shown,
            known.locale,
        )
