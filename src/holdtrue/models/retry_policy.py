"""Decide after a failed try of a call whether and when to try again, and which error to raise at the end."""

from __future__ import annotations

import datetime
import random
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from enum import Enum
from typing import Any

from holdtrue.errors import HoldtrueError, ModelRefused, ModelUnreachable, RequestRefused

FIRST_WAIT_S = 0.5
"""The wait before the second try. Each further wait is twice as long, up to `LONGEST_BACKOFF_S`."""

LONGEST_BACKOFF_S = 8.0
_SECONDS = re.compile(r"\d{1,12}(?:\.\d{1,6})?", re.ASCII)


@dataclass(frozen=True, slots=True)
class Patience:
    """The limits of one call, in seconds and tries.

    `timeout_s` limits one try, and `total_s` all of them with their waits. `retries` counts the tries after the first.
    `longest_wait_s` is the longest wait that a server may ask for. `contact_s` limits the search for a server that has
    never answered. `empty_again` limits the tries after empty replies, since each of these is paid for.
    """

    retries: int
    timeout_s: float
    total_s: float
    longest_wait_s: float = 60.0
    contact_s: float = 5.0
    empty_again: int = 2


def backoff_s(tries: int) -> float:
    """Return the wait after this many tries, randomly up to a quarter shorter so that callers do not synchronise."""
    longest: float = min(FIRST_WAIT_S * 2.0 ** min(tries - 1, 30), LONGEST_BACKOFF_S)
    return longest * (1 - 0.25 * random.random())


def retry_after_s(headers: Mapping[str, str]) -> float | None:
    """Return the wait that the server asks for (`Retry-After`, or OpenAI's `Retry-After-Ms`), or None.

    Seconds and dates are read, dates by the server's clock if it is given. Other values are ignored.
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
    """Return the moment of an HTTP date, or None. A date without a zone is in UTC, as HTTP defines."""
    if not text or len(text) > 64:
        return None
    try:
        moment = parsedate_to_datetime(text)
        return moment.replace(tzinfo=moment.tzinfo or datetime.UTC).astimezone(datetime.UTC)
    except (ValueError, TypeError, IndexError, OverflowError):
        return None


# Timeout, conflict, too early, rate limit. They are tried again like all server errors.
_PASSING = (408, 409, 425, 429)
# Bad request, content too large, unprocessable content. They concern one request only.
ONE_REQUEST = (400, 413, 422)


class FaultKind(Enum):
    """The cause of a failed try, whether the same request is tried `again`, and the `error` after the last try."""

    CONNECTION = ("connection", True, ModelUnreachable)
    """No connection, or a lost one."""
    LATE = ("late", False, ModelUnreachable)
    """No complete answer in time. The same request would take as long again."""
    SERVER = ("server", True, ModelUnreachable)
    """The server reports a failure or too many requests."""
    CALL = ("call", True, RequestRefused)
    """The server answered without a reply: it was empty, or generating it failed."""
    GARBLED = ("garbled", True, ModelRefused)
    """The answer is not a chat completion. It is tried again only if the server has given one before."""
    REQUEST = ("request", False, RequestRefused)
    """The server rejects this request."""
    REFUSED = ("refused", False, ModelRefused)
    """The server rejects every request."""

    def __init__(self, label: str, again: bool, error: type[HoldtrueError]) -> None:
        self.label = label
        self.again = again
        self.error = error


@dataclass(eq=False)
class Fault(Exception):
    """A try that brought no reply.

    `words` describe it, with the server's words, so they must be redacted before they are shown. `parameter` and `code`
    are the cause that the server names. `retry_after_s` is the wait that it asks for. `spent` are the tokens of prompt
    and reply that it reports.
    """

    kind: FaultKind
    words: str
    parameter: str = ""
    code: str = ""
    retry_after_s: float | None = None
    spent: tuple[int, int] = (0, 0)


def kind_of_status(status: int) -> FaultKind:
    """Return the kind of fault for an HTTP status that is not a success."""
    if status in _PASSING or status >= 500:
        return FaultKind.SERVER
    return FaultKind.REQUEST if status in ONE_REQUEST else FaultKind.REFUSED


_LONGEST_WORDS = 400
# Parts of codes that show the kind of fault, if the code is not a status.
_SERVER_CODES = ("rate_limit", "overload", "server_error", "timeout", "unavailable", "internal")
_REFUSED_CODES = ("auth", "api_key", "permission", "model_not_found", "quota", "billing")


def fault_in(body: Mapping[str, Any], status: int | None = None) -> Fault | None:
    """Return the fault that an answer describes, or None if it describes none.

    `status` is the answer's status if it is not a success. OpenAI puts the fault into `error`, and FastAPI into
    `detail`. In vLLM it is spread over the body (`object: error`). Others send only `message`.
    """
    error = body.get("error") or body.get("errors")
    if not error and (status is not None or body.get("object") == "error" or "choices" not in body):
        error = body.get("detail") or (body if isinstance(body.get("message"), str) else None)
    if not error:
        return None
    if isinstance(error, list):
        error = {"message": "; ".join(_complaint(one) for one in error[:8])}
    fields: Mapping[str, Any] = error if isinstance(error, dict) else {**body, "message": None, "detail": None}
    said = fields.get("message") or fields.get("detail") or fields.get("msg")
    code = fields.get("code") if fields.get("code") is not None else fields.get("type")
    parameter = fields.get("param")
    return Fault(
        _kind_of_error(status, fields),
        said if isinstance(said, str) and said else error if isinstance(error, str) else in_words(error),
        parameter=parameter if isinstance(parameter, str) else "",
        code=str(code)[:_LONGEST_WORDS] if isinstance(code, str | int) else "",
    )


def _complaint(one: object) -> str:
    """Return one of several complaints, as FastAPI lists them, with its place."""
    fields = one if isinstance(one, dict) else {}
    place, said = fields.get("loc"), fields.get("msg") or fields.get("message")
    if not isinstance(said, str):
        return in_words(one)
    return f"{'.'.join(str(part)[:80] for part in place[:8])}: {said}" if isinstance(place, list) else said


def filtered_prompt(body: Mapping[str, Any]) -> str | None:
    """Return why the prompt was filtered, in the words of the answer, or None if it was not.

    Azure uses a code for this, and OpenRouter lists the flagged reasons.
    """
    error = body.get("error")
    if not isinstance(error, dict):
        return None
    inner, metadata = error.get("innererror"), error.get("metadata")
    codes = (error.get("code"), inner.get("code") if isinstance(inner, dict) else None)
    flagged = isinstance(metadata, dict) and bool(metadata.get("reasons")) and "flagged_input" in metadata
    if flagged or "content_filter" in codes or "ResponsibleAIPolicyViolation" in codes:
        return f"the prompt was filtered: {error.get('message') or in_words(error)}"
    return None


def _kind_of_error(status: int | None, error: Mapping[str, Any]) -> FaultKind:
    """Return the kind of a fault by the status of the answer, or without one by the code in its fields."""
    if status is not None:
        return kind_of_status(status)
    for code in (error.get("code"), error.get("status"), error.get("type")):
        if isinstance(code, str) and code.isascii() and code.isdigit():
            code = int(code[:3])
        if isinstance(code, int) and 400 <= code < 600:
            return kind_of_status(code)
        if isinstance(code, str):
            code = code.lower()
            if any(word in code for word in _SERVER_CODES):
                return FaultKind.SERVER
            if any(word in code for word in _REFUSED_CODES):
                return FaultKind.REFUSED
            if "invalid_request" in code or "context_length" in code or "badrequest" in code:
                return kind_of_status(ONE_REQUEST[0])
    return FaultKind.CALL


def in_words(value: object) -> str:
    """Return a value of an answer in words, limited in time and length. Containers show only their first items."""
    if isinstance(value, dict):
        members = list(value.items())[:8]
        return "{" + ", ".join(f"{key[:80]!r}: {_brief(item)}" for key, item in members) + "}"
    if isinstance(value, Sequence) and not isinstance(value, str):
        return "[" + ", ".join(map(_brief, value[:8])) + "]"
    return _brief(value)


def _brief(value: object) -> str:
    if isinstance(value, str):
        return repr(value[:_LONGEST_WORDS])
    if isinstance(value, dict | list):
        return "{...}" if isinstance(value, dict) else "[...]"
    return "null" if value is None else repr(value)
