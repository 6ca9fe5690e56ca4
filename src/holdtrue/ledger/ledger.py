"""The ledger: an append-only list of events, and the commitments that are active after them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from holdtrue.errors import InputError
from holdtrue.ledger.commitment import Commitment, Event, EventKind, Proposal
from holdtrue.logic.formula import Formula
from holdtrue.world.world import Constraint, World

ENTERS = frozenset({EventKind.ADDED, EventKind.REINSTATED})
LEAVES = frozenset({EventKind.WITHDRAWN, EventKind.AMENDED, EventKind.SET_ASIDE})
SAYS = frozenset({EventKind.ADDED, EventKind.RESTATED})
TAKES_BACK = frozenset({EventKind.WITHDRAWN, EventKind.AMENDED})


class Ledger:
    """The commitments of one conversation.

    Duplicates are merged by canonical form. What may enter is decided in `holdtrue.ledger.revision`; the
    ledger itself only keeps the books.
    """

    def __init__(self, instance: World, events: Iterable[Event] = ()) -> None:
        self.instance = instance
        self.events: list[Event] = []
        self._known: dict[str, Commitment] = {}
        self._active: dict[str, Commitment] = {}
        self._by_constraint: dict[Constraint, str] = {}
        self._soft: dict[str, Formula] = {}
        self._said: dict[str, int] = {}
        self._set_aside: set[str] = set()
        for event in events:
            self.append(event)

    def fork(self) -> Ledger:
        """An independent copy: what happens to it does not touch this ledger."""
        copy = Ledger(self.instance)
        copy.events = self.events.copy()
        for name in ("_known", "_active", "_by_constraint", "_soft", "_said", "_set_aside"):
            setattr(copy, name, getattr(self, name).copy())
        return copy

    @property
    def active(self) -> Mapping[str, Commitment]:
        """What holds now, in order of entry."""
        return self._active

    @property
    def known(self) -> Mapping[str, Commitment]:
        """Every commitment that was ever proposed, by id, also those that hold no more."""
        return self._known

    @property
    def soft(self) -> Mapping[str, Formula]:
        """The formulas of what holds now, by commitment id."""
        return self._soft

    def soft_without(self, id: str) -> dict[str, Formula]:
        """The formulas of what would hold without this commitment; raises `InputError` where it does not hold now."""
        gone = self._find_active(id).id
        return {other: formula for other, formula in self._soft.items() if other != gone}

    @property
    def said(self) -> Mapping[str, int]:
        """The turn in which each commitment was last said, by id."""
        return self._said

    @property
    def preference(self) -> list[str]:
        """The ids of what holds now, the most worth keeping first: confident before doubtful, the newest first."""
        return sorted(reversed(self._active), key=lambda id: self._active[id].doubtful)

    @property
    def set_aside(self) -> tuple[Commitment, ...]:
        """Commitments that revision put aside and nothing has brought back, oldest first."""
        return tuple(self._known[id] for id in self._known if id in self._set_aside) if self._set_aside else ()

    @property
    def next_id(self) -> str:
        """The id of the next commitment that is new."""
        return f"C{len(self._known) + 1:03d}"

    def find(self, constraint: Constraint) -> Commitment | None:
        """The active commitment that says the same, or None."""
        found = self._by_constraint.get(self.instance.canonical(constraint))
        return self._active[found] if found is not None else None

    def draft(self, proposal: Proposal, turn: int) -> Commitment:
        """The proposal as a commitment with the next free id; it is in no event yet."""
        return Commitment(
            self.next_id,
            self.instance.canonical(proposal.constraint),
            self.instance.sentence(proposal.constraint),
            turn,
            proposal.source,
            proposal.confidence,
            proposal.doubtful,
        )

    def enter(self, commitment: Commitment, turn: int, *, reason: str | None = None) -> Event:
        """Make it active: newly added, reinstated, or, where an active one says the same, restated."""
        same = self.find(commitment.constraint)
        if same is not None:
            # A confident restatement lifts the doubt: the commitment carries the better of both readings.
            confidence = max(same.confidence, commitment.confidence)
            merged = replace(same, confidence=confidence, doubtful=same.doubtful and commitment.doubtful)
            return self.append(Event(EventKind.RESTATED, turn, merged, reason))
        kind = EventKind.REINSTATED if commitment.id in self._known else EventKind.ADDED
        return self.append(Event(kind, turn, commitment, reason))

    def reject(self, commitment: Commitment, turn: int, reason: str, because: tuple[str, ...] = ()) -> Event:
        """Write down that it was not let in, and why."""
        return self.append(Event(EventKind.REJECTED, turn, commitment, reason, because))

    def put_aside(self, id: str, turn: int, reason: str, because: tuple[str, ...] = ()) -> Event:
        """Revision ends a commitment because of others."""
        return self.append(Event(EventKind.SET_ASIDE, turn, self._find_active(id), reason, because))

    def withdraw(self, id: str, turn: int, reason: str | None = None) -> Event:
        """The user takes a commitment back."""
        return self.append(Event(EventKind.WITHDRAWN, turn, self._find_active(id), reason))

    def amend(self, id: str, replacement: Commitment, turn: int, reason: str | None = None) -> tuple[Event, Event]:
        """The user replaces a commitment by another one, or by one that holds already."""
        old, same = self._find_active(id), self.find(replacement.constraint)
        new = replacement.id if same is None or same is old else same.id
        amended = self.append(Event(EventKind.AMENDED, turn, old, reason or f"replaced by {new}", (new,)))
        return amended, self.enter(replacement, turn)

    def without(self, events: Iterable[Event]) -> Ledger:
        """This ledger without what the user takes back in these events of a later one."""
        gone = [event for event in events if event.kind in TAKES_BACK and event.commitment.id in self._active]
        return Ledger(self.instance, [*self.events, *gone]) if gone else self

    def append(self, event: Event) -> Event:
        """Take in an event as it stands; `holdtrue.ledger.restore` checks those that come from outside."""
        commitment = event.commitment
        self.events.append(event)
        self._known[commitment.id] = commitment
        self._set_aside.discard(commitment.id)
        if event.kind is EventKind.SET_ASIDE:
            self._set_aside.add(commitment.id)
        if event.kind in SAYS:
            self._said[commitment.id] = event.turn
        if event.kind in ENTERS or event.kind is EventKind.RESTATED:
            self._active[commitment.id] = commitment
            self._by_constraint[commitment.constraint] = commitment.id
            self._soft[commitment.id] = self.instance.formula(commitment.constraint)
        elif event.kind in LEAVES:
            del self._active[commitment.id]
            del self._by_constraint[commitment.constraint]
            del self._soft[commitment.id]
        return event

    def _find_active(self, id: str) -> Commitment:
        try:
            return self._active[id]
        except KeyError:
            known = ", ".join(self._active) or "none"
            raise InputError(f"no active commitment {id!r}; active: {known}") from None
