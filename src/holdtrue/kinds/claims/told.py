"""What was said in a conversation about claims, and by whom: events, of which none is ever edited."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from holdtrue.ledger.commitment import EventKind
from holdtrue.record import EventRecord


class Told:
    """Sentences of the context, of the user, and accepted claims, by their ids."""

    def __init__(self, events: Iterable[EventRecord] = ()) -> None:
        self.events = list(events)

    def fork(self) -> Told:
        return Told(self.events)

    def add(self, id: str, sentence: str, turn: int, source: str) -> None:
        """Something is said; `source` is `context`, `user` or `assistant`."""
        self.events.append(EventRecord(EventKind.ADDED, id, turn, sentence=sentence, source=source))

    def end(self, kind: EventKind, id: str, turn: int, because: tuple[str, ...] = ()) -> EventRecord:
        """It holds no more: the user took it back, or it gave way to something."""
        said = self.active[id]
        event = EventRecord(kind, id, turn, sentence=said.sentence, source=said.source, because=because)
        self.events.append(event)
        return event

    @property
    def active(self) -> Mapping[str, EventRecord]:
        """What holds now, with the event that said it."""
        held: dict[str, EventRecord] = {}
        for event in self.events:
            if event.kind == EventKind.ADDED:
                held[event.id] = event
            else:
                held.pop(event.id, None)
        return held

    @property
    def taken_back(self) -> tuple[str, ...]:
        """What the user took back, in sentences, and did not say again."""
        held = {event.sentence for event in self.active.values()}
        gone = (event.sentence for event in self.events if event.kind == EventKind.WITHDRAWN)
        return tuple(dict.fromkeys(sentence for sentence in gone if sentence not in held))

    def sentences(self, *sources: str) -> dict[str, str]:
        """What holds now of these sources, in sentences by id."""
        return {id: event.sentence for id, event in self.active.items() if event.source in sources}
