"""How long a call may take, how often it is tried, and how long to wait in between."""

from __future__ import annotations

import datetime
import random
import re
from collections.abc import Mapping
from dataclasses import dataclass
from email.utils import parsedate_to_datetime

FIRST_WAIT_S = 0.5
"""The wait before the second try; each further one is twice as long, up to `LONGEST_BACKOFF_S`."""

LONGEST_BACKOFF_S = 8.0
_SECONDS = re.compile(r"\d{1,12}(?:\.\d{1,6})?", re.ASCII)


@dataclass(frozen=True, slots=True)
class Patience:
    """The limits of one call, in seconds and tries.

    `timeout_s` bounds one try, `total_s` all of them with the waits in between. `retries`: tries after the first.
    `longest_wait_s`: the longest wait that a server may ask for. `contact_s`: how long a server that has never
    answered is looked for. `empty_again`: tries after a reply in which nothing was said, for each is paid for.
    """

    retries: int
    timeout_s: float
    total_s: float
    longest_wait_s: float = 60.0
    contact_s: float = 5.0
    empty_again: int = 2


def backoff_s(tries: int) -> float:
    """Return the wait after so many tries, up to a quarter shorter by chance, so that callers do not come in step."""
    longest: float = min(FIRST_WAIT_S * 2.0 ** min(tries - 1, 30), LONGEST_BACKOFF_S)
    return longest * (1 - 0.25 * random.random())


def asked_wait_s(headers: Mapping[str, str]) -> float | None:
    """Return how long the server asks to wait (`Retry-After`, or OpenAI's `Retry-After-Ms`), or None if it does not.

    Seconds and dates are read, dates by the server's own clock where it tells it; anything else is ignored.
    """
    milliseconds = headers.get("retry-after-ms", "").strip()
    if _SECONDS.fullmatch(milliseconds):
        return float(milliseconds) / 1000
    asked = headers.get("retry-after", "").strip()
    if _SECONDS.fullmatch(asked):
        return float(asked)
    until = _moment(asked)
    if until is None:
        return None
    now = _moment(headers.get("date", "")) or datetime.datetime.now(datetime.UTC)
    return max(0.0, (until - now).total_seconds())


def _moment(text: str) -> datetime.datetime | None:
    """The moment of an HTTP date, None if it is none. A date without a zone is in UTC, as HTTP has it."""
    if not text or len(text) > 64:
        return None
    try:
        moment = parsedate_to_datetime(text)
        return moment.replace(tzinfo=moment.tzinfo or datetime.UTC).astimezone(datetime.UTC)
    except (ValueError, TypeError, IndexError, OverflowError):
        return None
