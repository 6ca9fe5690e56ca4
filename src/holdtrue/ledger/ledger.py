"""This module has the ledger of commitments to constraints, with the formulas of the active ones."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from holdtrue.errors import InputError
from holdtrue.ledger.entries import Entries, Event, EventKind, Source
from holdtrue.logic.formula import Formula
from holdtrue.world.world import Constraint, World


@dataclass(frozen=True, slots=True)
class Proposal:
    """A `Proposal` is a constraint that was read from a message and may become a commitment.

    `confidence` (0..1) is the confidence of the reading. A `doubtful` reading gives way to confident ones.
    """

    constraint: Constraint
    source: Source = Source.USER
    confidence: float = 1.0
    doubtful: bool = False


@dataclass(frozen=True, slots=True)
class Commitment:
    """A `Commitment` is an agreed constraint in canonical form, with a `sentence` that states it, and its origin."""

    id: str
    constraint: Constraint
    sentence: str
    turn: int
    source: Source = Source.USER
    confidence: float = 1.0
    doubtful: bool = False

    @property
    def content(self) -> tuple[str, tuple[str | int, ...]]:
        """Return the constraint's type and arguments."""
        return self.constraint.type, self.constraint.args


SAYS = frozenset({EventKind.ADDED, EventKind.RESTATED})
TAKES_BACK = frozenset({EventKind.WITHDRAWN, EventKind.AMENDED})


class Ledger(Entries[Commitment]):
    """A `Ledger` has the commitments of one conversation.

    Constraints with the same canonical form are one commitment. The ledger only records events.
    `holdtrue.ledger.revision` decides which commitments enter, and `holdtrue.ledger.restore` checks events from files.
    """

    def __init__(self, instance: World, events: Iterable[Event[Commitment]] = ()) -> None:
        self.instance = instance
        self._by_constraint: dict[Constraint, str] = {}
        self._soft: dict[str, Formula] = {}
        self._last_turns: dict[str, int] = {}
        super().__init__(events)

    @property
    def soft(self) -> Mapping[str, Formula]:
        """Return the formulas of the active commitments by id."""
        return self._soft

    def soft_without(self, id: str) -> dict[str, Formula]:
        """Return the formulas of the other active commitments. Raises `InputError` if this one is not active."""
        gone = self._find_active(id).id
        return {other: formula for other, formula in self._soft.items() if other != gone}

    @property
    def last_turns(self) -> Mapping[str, int]:
        """Return the turn in which each commitment was last stated, by id."""
        return self._last_turns

    @property
    def preference(self) -> list[str]:
        """Return the active ids by preference: confident before doubtful, and newer before older."""
        return sorted(reversed(self._active), key=lambda id: self._active[id].doubtful)

    @property
    def next_id(self) -> str:
        """Return the id that the next new commitment gets."""
        return f"C{len(self._known) + 1:03d}"

    def find(self, constraint: Constraint) -> Commitment | None:
        """Return the active commitment with the same canonical constraint, or None."""
        found = self._by_constraint.get(self.instance.canonical(constraint))
        return self._active[found] if found is not None else None

    def draft(self, proposal: Proposal, turn: int) -> Commitment:
        """Return a proposal as a commitment with the next free id, without adding it."""
        return Commitment(
            self.next_id,
            self.instance.canonical(proposal.constraint),
            self.instance.sentence(proposal.constraint),
            turn,
            proposal.source,
            proposal.confidence,
            proposal.doubtful,
        )

    def enter(self, commitment: Commitment, turn: int, *, reason: str | None = None) -> Event[Commitment]:
        """Add or reinstate a commitment, or restate an active commitment with the same constraint."""
        same = self.find(commitment.constraint)
        if same is not None:
            # A confident restatement removes the doubt.
            confidence = max(same.confidence, commitment.confidence)
            merged = replace(same, confidence=confidence, doubtful=same.doubtful and commitment.doubtful)
            return self.append(Event(EventKind.RESTATED, turn, merged, reason))
        kind = EventKind.REINSTATED if commitment.id in self._known else EventKind.ADDED
        return self.append(Event(kind, turn, commitment, reason))

    def reject(
        self, commitment: Commitment, turn: int, reason: str, because: tuple[str, ...] = ()
    ) -> Event[Commitment]:
        """Record that a commitment did not enter, with the reason."""
        return self.append(Event(EventKind.REJECTED, turn, commitment, reason, because))

    def put_aside(self, id: str, turn: int, reason: str, because: tuple[str, ...] = ()) -> Event[Commitment]:
        """Set a commitment aside because of others."""
        return self.append(Event(EventKind.SET_ASIDE, turn, self._find_active(id), reason, because))

    def withdraw(self, id: str, turn: int, reason: str | None = None) -> Event[Commitment]:
        """Withdraw a commitment for the user."""
        return self.append(Event(EventKind.WITHDRAWN, turn, self._find_active(id), reason))

    def amend(
        self, id: str, replacement: Commitment, turn: int, reason: str | None = None
    ) -> tuple[Event[Commitment], Event[Commitment]]:
        """Replace a commitment for the user by another one, which may be active already."""
        old, same = self._find_active(id), self.find(replacement.constraint)
        new = replacement.id if same is None or same is old else same.id
        amended = self.append(Event(EventKind.AMENDED, turn, old, reason or f"replaced by {new}", (new,)))
        return amended, self.enter(replacement, turn)

    def without(self, events: Iterable[Event[Commitment]]) -> Ledger:
        """Return this ledger without the commitments that the user withdrew or replaced in later events."""
        gone = [event for event in events if event.kind in TAKES_BACK and event.entry.id in self._active]
        return Ledger(self.instance, [*self.events, *gone]) if gone else self

    def append(self, event: Event[Commitment]) -> Event[Commitment]:
        """Append an event without any check, and return it."""
        if event.kind in SAYS:
            self._last_turns[event.entry.id] = event.turn
        return super().append(event)

    def _enter(self, entry: Commitment) -> None:
        self._by_constraint[entry.constraint] = entry.id
        self._soft[entry.id] = self.instance.formula(entry.constraint)

    def _leave(self, entry: Commitment) -> None:
        del self._by_constraint[entry.constraint]
        del self._soft[entry.id]

    def _find_active(self, id: str) -> Commitment:
        try:
            return self._active[id]
        except KeyError:
            known = ", ".join(self._active) or "none"
            raise InputError(f"no active commitment {id!r}; active: {known}") from None
