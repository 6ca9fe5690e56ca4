"""The items that a conversation has taken in, in their order, as the names that they were taken in by tell it.

Each name says the item's number, the numbers of the items that it stands between, and what it says. So the order is
kept with the events themselves, and is the same after a restart. An item that stands between two others takes the place
of what stood there before: the user has edited it.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from holdtrue.guard.clients.alignment import aligned

_REF = re.compile(r"item (\d+) after (\d+) before (\d+): ([0-9a-f]+)")
_NO_ITEM = 0


@dataclass(frozen=True, slots=True)
class NewItem:
    """An item of a request that is to be taken in, by its place there, and the name to take it in by.

    `is_latest` says that nothing known stands behind it, and that it cannot be an item that was sent again.
    """

    place: int
    ref: str
    is_latest: bool = True


@dataclass(frozen=True, slots=True)
class KnownItems:
    """The `KnownItems` of a conversation: their numbers and digests in order, and the last number that was given."""

    numbers: tuple[int, ...]
    digests: tuple[str, ...]
    last: int

    @classmethod
    def of(cls, refs: Iterable[str]) -> KnownItems:
        """Return the items that names tell of; names that an app has given itself are left alone."""
        found = sorted(
            (int(own[1]), int(own[2]), int(own[3]), own[4]) for own in map(_REF.fullmatch, refs) if own is not None
        )
        following: dict[int, int] = {}
        digests: dict[int, str] = {}
        for number, after, before, digest in found:
            following[after], following[number] = number, before
            digests[number] = digest
        numbers: list[int] = []
        at = following.get(_NO_ITEM, _NO_ITEM)
        while at != _NO_ITEM:
            numbers.append(at)
            at = following.get(at, _NO_ITEM)
        return cls(tuple(numbers), tuple(digests[own] for own in numbers), max(digests, default=0))

    def new_in(self, shown: Sequence[str], *, is_continued: bool = False) -> list[NewItem]:
        """Return the items that are new among the digests of those that a request shows.

        Where a request shows nothing but a part of what is known, nobody can tell new items from old ones, unless it
        continues what the provider keeps (`is_continued`).
        """
        places = aligned(self.digests, shown)
        may_be_old = not is_continued and _is_part(shown, self.digests)
        found: list[NewItem] = []
        after = self._before_first(places)
        for place, known in enumerate(places):
            if known is not None:
                after = self.numbers[known]
                continue
            following = next((own for own in places[place:] if own is not None), None)
            number = self.last + len(found) + 1
            before = _NO_ITEM if following is None else self.numbers[following]
            is_latest = following is None and not may_be_old
            found.append(NewItem(place, _ref(number, after, before, shown[place]), is_latest))
            after = number
        return found

    def appended(self, digest: str) -> str:
        """Return the name of an item behind all others."""
        return _ref(self.last + 1, self.numbers[-1] if self.numbers else _NO_ITEM, _NO_ITEM, digest)

    def _before_first(self, places: Sequence[int | None]) -> int:
        """Return the number of the item before those that are shown; new ones at the front replace as many."""
        new, first = next(((new, own) for new, own in enumerate(places) if own is not None), (0, len(self.numbers)))
        at = first - new - 1
        return self.numbers[at] if at >= 0 else _NO_ITEM


def digest_of(*parts: str) -> str:
    """Return a short text that stands for what an item is and says."""
    return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:24]


def _is_part(shown: Sequence[str], known: Sequence[str]) -> bool:
    """Return whether all shown items stand among the known ones in their order."""
    left = iter(known)
    return all(own in left for own in shown)


def _ref(number: int, after: int, before: int, digest: str) -> str:
    return f"item {number} after {after} before {before}: {digest}"
