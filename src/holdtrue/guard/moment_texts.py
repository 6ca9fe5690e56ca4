"""Write moments as texts: as a policy writes them, or as local clock time."""

from __future__ import annotations

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from holdtrue.logic.value_sorts import Calendar
from holdtrue.rules.values import moment_text, read_moment


def utc_now() -> str:
    """Return the current moment in UTC (ISO 8601, to the microsecond)."""
    return datetime.now(UTC).isoformat().replace("+00:00", "Z")


def moment_text_of(moment: datetime, type: Calendar) -> str:
    """Return a moment in the form that a policy uses. A moment without a zone counts as local time."""
    whole = moment.replace(microsecond=0)
    if type.zone == "Z":
        return whole.astimezone(UTC).isoformat().replace("+00:00", "Z")
    if not type.zone:
        return whole.replace(tzinfo=None).isoformat()
    # In Python, `fold` tells the two moments of a repeated hour apart.
    own = whole if whole.tzinfo is not None else whole.replace(tzinfo=ZoneInfo(type.zone))
    return moment_text(read_moment(own, type), type)


def local_time(now: str) -> datetime:
    """Return a moment of a policy as a local clock shows it, without a zone."""
    return datetime.fromisoformat(now.replace("Z", "+00:00")).replace(tzinfo=None)
