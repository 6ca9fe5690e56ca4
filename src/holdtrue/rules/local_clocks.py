"""Convert between instants and the readings of the clocks at a place, by the time zone database.

An instant is a number of seconds since 0001-01-01T00:00 in UTC. A reading is such a number on a local clock. A place is
a name of the database, such as Europe/Berlin. The clocks of no place ("") and of UTC ("Z") never change.
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
"""The last instant for which `datetime` gives offsets; instants outside its range get the nearest offset within it."""
_FROM, YEAR = (datetime(1840, 1, 1, tzinfo=UTC) - _START).days * _DAY, 2100
"""No place changed its clocks before 1840. From the year 2100 on, the changes of clocks repeat forever."""
_TO = (datetime(YEAR, 1, 1, tzinfo=UTC) - _START).days * _DAY
_STEP = 6 * _DAY
"""No place changes its clocks twice within 6 days: the least was 166 hours, in Cambridge Bay in 2000."""


@lru_cache(maxsize=64)
def _zone(place: str) -> ZoneInfo:
    """Return the zone of a place. Raises `InputError` if the database does not have it."""
    try:
        # These files are no places: `right/` counts leap seconds, and `localtime` differs between machines.
        if not place.startswith("right/") and place != "localtime":
            return ZoneInfo(place)
    except (ValueError, OSError, ZoneInfoNotFoundError):
        pass
    raise InputError(f"{place!r:.60} is no place of the time zone database, such as Europe/Berlin")


def check_place(place: str) -> None:
    """Raise `InputError` for a place that the time zone database does not have."""
    if place not in FIXED:
        _zone(place)


def _shown(second: int) -> datetime:
    return _START + timedelta(seconds=min(max(second, 3 * _DAY), _LAST))


def _seconds(shift: timedelta | None) -> int:
    return 0 if shift is None else shift // timedelta(seconds=1)


@lru_cache(maxsize=8192)
def offset_at(place: str, instant: int) -> int:
    """Return the offset of the clocks of a place from UTC in seconds at an instant, which is a whole second."""
    return 0 if place in FIXED else _seconds(_shown(instant).astimezone(_zone(place)).utcoffset())


@lru_cache(maxsize=8192)
def instants_of(place: str, reading: int) -> tuple[int, ...]:
    """Return the instants, none to two and sorted, at which the clocks of a place show a reading."""
    if place in FIXED:
        return (reading,)
    shown = _shown(reading).replace(tzinfo=_zone(place))
    offsets = dict.fromkeys(_seconds(shown.replace(fold=fold).utcoffset()) for fold in (0, 1))
    return tuple(reading - own for own in offsets if offset_at(place, reading - own) == own)


def offset_text(seconds: int) -> str:
    """Return an offset from UTC as ISO 8601 writes it: `+02:00`, with seconds only if there are some."""
    hours, rest = divmod(abs(seconds), 3600)
    minutes, rest = divmod(rest, 60)
    return f"{'-' if seconds < 0 else '+'}{hours:02d}:{minutes:02d}" + (f":{rest:02d}" if rest else "")


def no_instant(place: str, instants: tuple[int, ...], reading: int) -> str:
    """Return the reason why a reading has none or two `instants`, as a text that follows the reading."""
    if not instants:
        return f"never was in {place}: clocks were put forward past it"
    offsets = " or ".join(offset_text(reading - own) for own in instants)
    return f"was twice in {place}, as clocks were put back: write it with its offset, {offsets}"


@dataclass(frozen=True, slots=True)
class Changes:
    """A `Changes` has all changes of the clocks of a place before the year `YEAR`.

    Attributes:
        starts: The instants of the changes, followed by the instant from which on changes are not listed.
        offsets: The offset before each of these instants.
        later: The least and the greatest offset after the last instant.
    """

    starts: tuple[int, ...]
    offsets: tuple[int, ...]
    later: tuple[int, int]


@lru_cache(maxsize=32)
def changes_of(place: str) -> Changes:
    """Return the changes of the clocks of a place."""
    zone, start, each = _zone(place), _START + timedelta(seconds=_FROM), timedelta(seconds=_STEP)
    starts, offsets, known = list[int](), [offset_at(place, _FROM)], start.astimezone(zone).utcoffset()
    for at in (times := range(_FROM + _STEP, _TO, _STEP)):
        if (shift := (start := start + each).astimezone(zone).utcoffset()) != known:
            low, high, known = at - _STEP, at, shift
            while high - low > 1:
                middle = (low + high) // 2
                low, high = (middle, high) if offset_at(place, middle) == offsets[-1] else (low, middle)
            starts.append(high)
            offsets.append(offset_at(place, at))
    later = [offset_at(place, times[-1] + day * _DAY) for day in range(0, 400, 6)]
    return Changes((*starts, times[-1]), tuple(offsets), (min(later), max(later)))
