"""Align the history in a request with the items that a conversation has taken in, and find the new ones.

Each item was taken in under a name with its number, the numbers of its neighbours, and a digest of its content. The
names keep the order in the events, so it survives a restart. An item between two others replaces those that were there
before: the user has edited the history.

Apps send a whole history, a part, or only the last message, without ids of the items. The same words may be old or new.
The cheapest alignment is chosen. A new item has a cost, and so has leaving out known items after the first shown one.
Leaving out the beginning costs nothing, because apps cut it. Between equal costs, more new items win. If all shown
contents are known, in the same order, a new item may be a repetition. Then a yes in it does not count.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter, deque
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

_REF = re.compile(r"item ([1-9]\d*) after (\d+) before (\d+): ([0-9a-f]+)")
_NO_ITEM = 0


@dataclass(frozen=True, slots=True)
class NewItem:
    """A new item of a history: its place and its name. `is_latest` is false if it may be a repetition."""

    place: int
    ref: str
    is_latest: bool = True


@dataclass(frozen=True, slots=True)
class KnownItems:
    """`KnownItems` are the items of a conversation in order: numbers and digests. `last` is the highest number."""

    numbers: tuple[int, ...]
    digests: tuple[str, ...]
    last: int

    @classmethod
    def of(cls, refs: Iterable[str]) -> KnownItems:
        """Return the items that the names in `refs` stand for. Other names, which an app gave, are ignored."""
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
        while at in digests:
            numbers.append(at)
            # Two processes may have named their items alike, so that the items form a circle.
            at = following.pop(at, _NO_ITEM)
        return cls(tuple(numbers), tuple(digests[own] for own in numbers), max(digests, default=0))

    def new_in(
        self, shown: Sequence[str], *, surely_new: Collection[int] = (), is_continued: bool = False
    ) -> list[NewItem]:
        """Return the new items among the digests of a history. Those at the places `surely_new` are no repetitions.

        If a history only repeats known items, new and old cannot be distinguished. `is_continued` says that the
        provider keeps the earlier items, so that all shown ones are new.
        """
        named = [f"{own} new" if place in surely_new else own for place, own in enumerate(shown)]
        places = aligned(self.digests, named)
        may_be_old = not is_continued and _is_part(named, self.digests)
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
        """Return the name of an item after all others."""
        return _ref(self.last + 1, self.numbers[-1] if self.numbers else _NO_ITEM, _NO_ITEM, digest)

    def _before_first(self, places: Sequence[int | None]) -> int:
        """Return the number of the item before the history. New items at its beginning replace as many known ones."""
        new, first = next(((new, own) for new, own in enumerate(places) if own is not None), (0, len(self.numbers)))
        at = first - new - 1
        return self.numbers[at] if at >= 0 else _NO_ITEM


def digest_of(*parts: str) -> str:
    """Return a short digest of an item's kind and content."""
    return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:24]


def _is_part(shown: Sequence[str], known: Sequence[str]) -> bool:
    """Return whether the shown items are a subsequence of the known ones."""
    left = iter(known)
    return all(own in left for own in shown)


def _ref(number: int, after: int, before: int, digest: str) -> str:
    return f"item {number} after {after} before {before}: {digest}"


_NEW = 8
_LEFT_OUT = 3
"""The cost of leaving out any number of known items between two others. An app may keep only the user's messages."""
_BRANCHED = 4
"""The cost of leaving out the last known items: the user went back and goes on from there."""
_NOTHING_NEW = 8
"""The cost of leaving out the last known items without a new one. Sending an old request again is rare."""
_SURELY = 50
"""This many equal items at the beginning show that the history is sent whole."""
_MOST_STEPS = 2_000_000
"""The most steps of the search for the cheapest alignment."""
_Path = tuple["_Path", int | None] | None
_Way = tuple[int, int, _Path]
"""An alignment of the shown items so far: its cost, the number of known items, and their places as a linked list."""


def aligned(known: Sequence[str], shown: Sequence[str]) -> list[int | None]:
    """Return the place of each shown item among the known ones, or None for a new item. The places ascend."""
    if len(known) <= len(shown) and [*shown[: len(known)]] == [*known]:
        return [place if place < len(known) else None for place in range(len(shown))]
    if shown and known and shown[-1] != known[-1]:
        first = len(known) - len(shown) + 1
        if first >= 0 and [*known[first:]] == [*shown[:-1]] and len(shown) > 1:
            return [*range(first, len(known)), None]
    pairs = enumerate(zip(known, shown, strict=False))
    alike = next((place for place, (one, other) in pairs if one != other), min(len(known), len(shown)))
    sure = max(0, alike - _SURELY)
    rest = _alignment(known[sure:], shown[sure:])
    return [*range(sure), *(None if place is None else sure + place for place in rest)]


def _alignment(known: Sequence[str], shown: Sequence[str]) -> list[int | None]:
    """Return the cheapest alignment. If that is too much work, each shown item is the next equal known one."""
    counts = Counter(known)
    if sum(counts[own] for own in shown) * len(known) <= _MOST_STEPS:
        return _cheapest(known, shown)
    places: dict[str, deque[int]] = {}
    for place, item in enumerate(known):
        places.setdefault(item, deque()).append(place)
    found: list[int | None] = []
    last = -1
    for item in shown:
        own = places.get(item, deque())
        while own and own[0] <= last:
            own.popleft()
        found.append(own.popleft() if own else None)
        last = last if found[-1] is None else found[-1]
    return found


def _cheapest(known: Sequence[str], shown: Sequence[str]) -> list[int | None]:
    """Return the cheapest alignment by dynamic programming over the number of known items that were passed."""
    ways: dict[tuple[int, bool], _Way] = {(0, False): (0, 0, None)}
    for item in shown:
        found = [((passed, True), _then(way, _NEW, None)) for (passed, _), way in ways.items()]
        for has_new in (False, True):
            behind, passed = list[_Way](), 1
            for place in (own for own, each in enumerate(known) if each == item):
                behind += [ways[own, has_new] for own in range(passed, place) if (own, has_new) in ways]
                behind, passed = [_best(behind)] if behind else [], max(passed, place)
                here = [ways[own, has_new] for own in dict.fromkeys((0, place)) if (own, has_new) in ways]
                steps = (*((way, 0) for way in here), *((way, _LEFT_OUT) for way in behind))
                found += [((place + 1, has_new), _then(way, cost, place)) for way, cost in steps]
        ends: dict[tuple[int, bool], list[_Way]] = {}
        for key, way in found:
            ends.setdefault(key, []).append(way)
        ways = {key: _best(own) for key, own in ends.items()}
    path = min(ways.items(), key=lambda own: _at_end(own[0], own[1], len(known)))[1][2]
    places: list[int | None] = []
    while path is not None:
        path, last = path
        places.append(last)
    return places[::-1]


def _then(way: _Way, cost: int, place: int | None) -> _Way:
    """Return an alignment with one more shown item: a known one at `place`, or a new one."""
    return way[0] + cost, way[1] + (place is not None), (way[2], place)


def _best(ways: Sequence[_Way]) -> _Way:
    return min(ways, key=lambda own: own[:2])


def _at_end(key: tuple[int, bool], way: _Way, length: int) -> tuple[int, int, int]:
    passed, has_new = key
    left = 0 if passed in (0, length) else _BRANCHED if has_new else _NOTHING_NEW
    return way[0] + left, way[1], -passed
