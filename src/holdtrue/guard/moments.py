"""Read moments as a policy has them: those of another zone are converted to the place that its moments are local to."""

from __future__ import annotations

from contextlib import suppress
from datetime import UTC, datetime
from fractions import Fraction
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from holdtrue.logic.value_sorts import Calendar
from holdtrue.rules.values import ValueFault, read_moment


def moment_of(text: str, type: Calendar, path: str) -> int | Fraction:
    """Return a moment; one with an offset is converted where the policy's zone is a place of the time zone database.

    Raises `ValueFault` for a text that is no moment, and for an offset where nobody said which place is meant.
    """
    try:
        return read_moment(text, type, path)
    except ValueFault:
        if type.zone in ("", "Z") or not isinstance(text, str):
            raise
        local = _local(text, type.zone)
        if local is None:
            raise
    return read_moment(local, type, path)


def _local(text: str, zone: str) -> str | None:
    """Return a moment with an offset as the time of a place, or None where that cannot be told."""
    try:
        moment = datetime.fromisoformat(text.strip())
        if moment.tzinfo is None:
            return None
        return moment.astimezone(ZoneInfo(zone)).replace(tzinfo=None).isoformat()
    except (ValueError, OverflowError, ZoneInfoNotFoundError):
        return None


def utc_now() -> str:
    """Return this moment in UTC (ISO 8601, to the microsecond)."""
    return datetime.now(UTC).isoformat().replace("+00:00", "Z")


def moment_text_of(moment: datetime, type: Calendar) -> str:
    """Return a moment as the moments of a policy are written; one without a zone is taken for a local one."""
    whole = moment.replace(microsecond=0)
    if type.zone == "Z":
        return whole.astimezone(UTC).isoformat().replace("+00:00", "Z")
    if whole.tzinfo is not None and type.zone:
        with suppress(ValueError, ZoneInfoNotFoundError):
            whole = whole.astimezone(ZoneInfo(type.zone))
    return whole.replace(tzinfo=None).isoformat()


def is_known_zone(zone: str) -> bool:
    """Return whether it is known what time it is in a zone: no zone is that of this machine, and Z is UTC."""
    if zone in ("", "Z"):
        return True
    try:
        ZoneInfo(zone)
    except (ValueError, ZoneInfoNotFoundError):
        return False
    return True


def local_time(now: str) -> datetime:
    """Return a moment of a policy as people near it read it on a clock."""
    return datetime.fromisoformat(now.replace("Z", "+00:00")).replace(tzinfo=None)
