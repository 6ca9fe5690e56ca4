"""Statements: sentences of a context, of the user, and accepted claims, as entries of a ledger."""

from __future__ import annotations

from dataclasses import dataclass

from holdtrue.ledger.entries import Entries, Event, EventKind, Source


@dataclass(frozen=True, slots=True)
class Statement:
    """A sentence that somebody said; `id` is P1 of a context, U2.1 of the user, T1.C3 of an answer."""

    id: str
    sentence: str
    turn: int
    source: Source
    confidence: float = 1.0

    @property
    def content(self) -> tuple[None, tuple[()]]:
        """The content is the sentence alone; its formula is found when claims are tested."""
        return None, ()


class Statements(Entries[Statement]):
    """`Statements` are what was said in a conversation about claims, and by whom."""

    def add(self, id: str, sentence: str, turn: int, source: Source) -> Event[Statement]:
        """Add a sentence that was said."""
        return self.append(Event(EventKind.ADDED, turn, Statement(id, sentence, turn, source)))

    def end(self, kind: EventKind, id: str, turn: int, because: tuple[str, ...] = ()) -> Event[Statement]:
        """End a statement, because the user withdrew or replaced it, or because it gave way to others."""
        return self.append(Event(kind, turn, self.active[id], None, because))

    @property
    def taken_back(self) -> tuple[str, ...]:
        """Return the sentences that the user took back and did not say again."""
        held = {entry.sentence for entry in self.active.values()}
        ended = (EventKind.WITHDRAWN, EventKind.AMENDED)
        gone = (event.entry.sentence for event in self.events if event.kind in ended)
        return tuple(dict.fromkeys(sentence for sentence in gone if sentence not in held))

    def sentences(self, *sources: Source) -> dict[str, str]:
        """Return the active sentences of these sources, by id."""
        return {id: entry.sentence for id, entry in self.active.items() if entry.source in sources}
