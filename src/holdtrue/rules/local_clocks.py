"""Clocks of places: a moment that is local to a place is an instant, which the clocks there read and show.

Instants and readings of clocks are seconds since 0001-01-01T00:00, in UTC and on the clocks. A place is a name of the
time zone database; clocks of no place ("") and those of UTC ("Z") never change.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from holdtrue.errors import InputError

FIXED = frozenset({"", "Z"})
_DAY = 86_400
_START = datetime(1, 1, 1, tzinfo=UTC)
_LAST = 3_652_056 * _DAY
"""Clocks that no `datetime` has show the offset of the nearest instant that is a few days inside its range."""
_FROM, YEAR = (datetime(1840, 1, 1, tzinfo=UTC) - _START).days * _DAY, 2100
"""No place changed its clocks before. From this year on, changes of clocks repeat without end."""
_TO = (datetime(YEAR, 1, 1, tzinfo=UTC) - _START).days * _DAY
_EACH = timedelta(days=3)
_STEP = 3 * _DAY
"""No place has ever changed its clocks twice in less than 6 days (166 hours in Cambridge Bay, in 2000)."""


@lru_cache(maxsize=64)
def _zone(place: str) -> ZoneInfo:
    """Return the zone of a place. Raises `InputError` for one that the database does not have."""
    try:
        # Files that are no places: `right/` counts leap seconds, and `localtime` is another place on each machine.
        if not place.startswith("right/") and place != "localtime":
            return ZoneInfo(place)
    except (ValueError, OSError, ZoneInfoNotFoundError):
        pass
    raise InputError(f"{place!r:.60} is no place of the time zone database, such as Europe/Berlin")


def check_place(place: str) -> None:
    """Raise `InputError` for a place whose clocks are not known."""
    if place not in FIXED:
        _zone(place)


def _ahead(place: str, second: int) -> int:
    utc = _START + timedelta(seconds=min(max(second, 3 * _DAY), _LAST))
    shift = utc.astimezone(_zone(place)).utcoffset()
    return 0 if shift is None else shift // timedelta(seconds=1)


@lru_cache(maxsize=8192)
def offset_at(place: str, instant: int) -> int:
    """Return by how many seconds the clocks of a place are ahead of UTC at an instant, a whole second."""
    return 0 if place in FIXED else _ahead(place, instant)


@lru_cache(maxsize=8192)
def instants_of(place: str, reading: int) -> tuple[int, ...]:
    """Return when the clocks of a place show a reading: once, twice, as they were put back, or never. Sorted."""
    if place in FIXED:
        return (reading,)
    shown = (_START + timedelta(seconds=min(max(reading, 3 * _DAY), _LAST))).replace(tzinfo=_zone(place))
    shifts = (shown.replace(fold=fold).utcoffset() or timedelta() for fold in (0, 1))
    offsets = dict.fromkeys(own // timedelta(seconds=1) for own in shifts)
    return tuple(reading - own for own in offsets if offset_at(place, reading - own) == own)


def offset_text(seconds: int) -> str:
    """Return an offset from UTC as texts of moments have it: `+02:00`, with its seconds where it has some."""
    hours, rest = divmod(abs(seconds), 3600)
    minutes, rest = divmod(rest, 60)
    return f"{'-' if seconds < 0 else '+'}{hours:02d}:{minutes:02d}" + (f":{rest:02d}" if rest else "")


def no_instant(place: str, instants: tuple[int, ...], reading: int) -> str:
    """Return why a reading says no single instant; the text continues after the reading."""
    if not instants:
        return f"never was in {place}: clocks were put forward past it"
    offsets = " or ".join(offset_text(reading - own) for own in instants)
    return f"was twice in {place}, as clocks were put back: write it with its offset, {offsets}"


@dataclass(frozen=True, slots=True)
class Changes:
    """All changes of the clocks of a place before the year `YEAR`.

    Attributes:
        starts: The instants of the changes.
        offsets: The offset before the first change, and the one after each.
        end: The instant from which on changes are not listed.
        later: The least and the greatest offset from then on.
    """

    starts: tuple[int, ...]
    offsets: tuple[int, ...]
    end: int
    later: tuple[int, int]


@lru_cache(maxsize=32)
def changes_of(place: str) -> Changes:
    """Return the changes of the clocks of a place."""
    zone, start = _zone(place), _START + timedelta(seconds=_FROM)
    starts, offsets, known = list[int](), [_ahead(place, _FROM)], start.astimezone(zone).utcoffset()
    for at in range(_FROM + _STEP, _TO + _STEP, _STEP):
        if (shift := (start := start + _EACH).astimezone(zone).utcoffset()) != known:
            low, high, known = at - _STEP, at, shift
            while high - low > 1:
                middle = (low + high) // 2
                low, high = (middle, high) if _ahead(place, middle) == offsets[-1] else (low, middle)
            starts.append(high)
            offsets.append(_ahead(place, at))
    later = [_ahead(place, own) for own in range(_TO, _TO + 400 * _DAY, _STEP)]
    return Changes(tuple(starts), tuple(offsets), _TO, (min(later), max(later)))
