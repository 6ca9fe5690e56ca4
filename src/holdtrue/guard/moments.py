"""Moments as texts: those of clocks as a policy writes moments, and as people near it read them."""

from __future__ import annotations

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from holdtrue.logic.value_sorts import Calendar
from holdtrue.rules.values import moment_text, read_moment


def utc_now() -> str:
    """Return this moment in UTC (ISO 8601, to the microsecond)."""
    return datetime.now(UTC).isoformat().replace("+00:00", "Z")


def moment_text_of(moment: datetime, type: Calendar) -> str:
    """Return a moment as the moments of a policy are written; one without a zone is taken for a local one."""
    whole = moment.replace(microsecond=0)
    if type.zone == "Z":
        return whole.astimezone(UTC).isoformat().replace("+00:00", "Z")
    if not type.zone:
        return whole.replace(tzinfo=None).isoformat()
    # Clocks of Python say by `fold` which of two moments they mean.
    own = whole if whole.tzinfo is not None else whole.replace(tzinfo=ZoneInfo(type.zone))
    return moment_text(read_moment(own, type), type)


def local_time(now: str) -> datetime:
    """Return a moment of a policy as people near it read it on a clock."""
    return datetime.fromisoformat(now.replace("Z", "+00:00")).replace(tzinfo=None)
