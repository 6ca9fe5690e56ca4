"""Keep the ledger of a logged conversation, whose turns each repeat what was agreed before and add to it."""

from __future__ import annotations

from collections.abc import Mapping

from holdtrue.audit.known_world import Held, KnownWorld
from holdtrue.audit.raw_turn import RawConstraint, constraints_in
from holdtrue.errors import InputError
from holdtrue.world.instance import Constraint


class LoggedLedger:
    """A `LoggedLedger` grows with each turn.

    `held` has the commitments in their order, `ids` the log's ids of each: a constraint that was logged twice is one
    commitment with several ids. `count` is the number of constraints in the log.
    """

    def __init__(self) -> None:
        self.text = b""
        self.count = 0
        self.held: list[Held] = []
        self.ids: list[tuple[str, ...]] = []
        self._place: dict[Constraint, int] = {}
        self._named: dict[str, Constraint] = {}

    def is_begun_by(self, text: bytes) -> bool:
        """Return whether a list of constraints begins with the one that was read last."""
        own = self.text
        return bool(own) and (own == text or (text.startswith(own[:-1]) and text[len(own) - 1 : len(own)] == b","))

    def extend(self, world: KnownWorld, places: Mapping[str, str], text: bytes) -> bool:
        """Take in what a list of constraints adds; return whether all of it is sound.

        Where it is not, the ledger is of no more use, and the reader of `check` says what is wrong.
        """
        if self.text and text == self.text:
            return True
        before, self.text = self.text, b""
        read = constraints_in(b"[" + text[len(before) :] if before else text)
        # A comma with nothing behind it is no list.
        if read is None or (before and not read) or not all(self._take(world, places, own) for own in read):
            return False
        # What white space stands around a list is no part of what it begins.
        self.text = text.strip()
        return True

    def _take(self, world: KnownWorld, places: Mapping[str, str], own: RawConstraint) -> bool:
        self.count += 1
        id = own.id
        if id is None:
            id = f"C{self.count:03d}"
        elif id.__class__ is not str:
            if id.__class__ is not int:
                return False
            id = str(id)
        if not id or own.turn.__class__ is not int:
            return False
        held = _held(world, places, own)
        if held is None or self._named.setdefault(id, held.constraint) != held.constraint:
            return False
        at = self._place.get(held.constraint)
        if at is None:
            self._place[held.constraint] = len(self.held)
            self.held.append(held)
            self.ids.append((id,))
        elif id not in self.ids[at]:
            self.ids[at] = (*self.ids[at], id)
        return True


def _held(world: KnownWorld, places: Mapping[str, str], own: RawConstraint) -> Held | None:
    named = world.entity_places.get(own.type)
    if named is None or len(named) != len(own.args):
        return None
    args: list[object] = []
    for is_entity, arg in zip(named, own.args, strict=True):
        if is_entity:
            arg = places.get(arg.strip().casefold()) if arg.__class__ is str else None
        if arg.__class__ not in (str, int):
            return None
        args.append(arg)
    try:
        return world.hold(own.type, tuple(args))
    except InputError:
        return None
