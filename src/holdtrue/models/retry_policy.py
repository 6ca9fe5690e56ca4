"""A try at a call that brought no reply: why, whether and when there is another one, and which error it becomes."""

from __future__ import annotations

import datetime
import random
import re
from collections.abc import Mapping
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from enum import Enum

from holdtrue.errors import HoldtrueError, ModelRefused, ModelUnreachable, RequestRefused

FIRST_WAIT_S = 0.5
"""The wait before the second try; each further one is twice as long, up to `LONGEST_BACKOFF_S`."""

LONGEST_BACKOFF_S = 8.0
_SECONDS = re.compile(r"\d{1,12}(?:\.\d{1,6})?", re.ASCII)


@dataclass(frozen=True, slots=True)
class Patience:
    """`Patience` has the limits of one call, in seconds and tries.

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


def retry_after_s(headers: Mapping[str, str]) -> float | None:
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


# Timeout, conflict, too early, rate limit: tried again, as are all server errors.
_PASSING = (408, 409, 425, 429)
# Bad request, content too large, unprocessable content: the fault of one request.
ONE_REQUEST = (400, 413, 422)


class FaultKind(Enum):
    """A `FaultKind` says what failed, whether the same request is tried `again`, and the `error` after the last try."""

    CONNECTION = ("connection", True, ModelUnreachable)
    """No connection, a lost one, or no whole answer in time."""
    SERVER = ("server", True, ModelUnreachable)
    """The server says that it failed, or that it is asked too much."""
    CALL = ("call", True, RequestRefused)
    """The server answered and gave no reply: nothing was said, or generating it failed."""
    GARBLED = ("garbled", True, ModelRefused)
    """The answer is no chat completion. It is tried again only where the server has given one before."""
    REQUEST = ("request", False, RequestRefused)
    """The server turns this request down."""
    REFUSED = ("refused", False, ModelRefused)
    """The server says no to whatever it is asked."""

    def __init__(self, label: str, again: bool, error: type[HoldtrueError]) -> None:
        self.label = label
        self.again = again
        self.error = error


@dataclass(eq=False)
class Fault(Exception):
    """A `Fault` is one try that brought no reply.

    `words` are words about it, the server's own included: they are not to be shown before they are redacted.
    `parameter` and `code` are what the server names as the cause. `retry_after_s`: how long it asks to wait before the
    next try. `spent`: tokens of prompt and reply that it says it used.
    """

    kind: FaultKind
    words: str
    parameter: str = ""
    code: str = ""
    retry_after_s: float | None = None
    spent: tuple[int, int] = (0, 0)


def kind_of_status(status: int) -> FaultKind:
    """Return what a server means by an HTTP status that is no success."""
    if status in _PASSING or status >= 500:
        return FaultKind.SERVER
    return FaultKind.REQUEST if status in ONE_REQUEST else FaultKind.REFUSED
