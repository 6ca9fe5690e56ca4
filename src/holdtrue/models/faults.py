"""A try at a call that brought no reply: why, whether another one may, and which error it becomes in the end."""

from __future__ import annotations

from enum import Enum

from holdtrue.errors import HoldtrueError, ModelRefused, ModelUnreachable, RequestRefused

# Timeout, conflict, too early, rate limit: tried again, as are all server errors.
_PASSING = (408, 409, 425, 429)
# Bad request, content too large, unprocessable content: the fault of one request.
ONE_REQUEST = (400, 413, 422)


class FaultKind(Enum):
    """What failed, with whether the same request is tried `again`, and the `error` after the last try."""

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


class Fault(Exception):
    """One try that brought no reply.

    `said` are words about it, the server's own included: they are not to be shown before they are redacted.
    `parameter` and `code` are what the server names as the cause. `asked_wait_s`: how long it asks to wait before the
    next try. `spent`: tokens of prompt and reply that it says it used.
    """

    def __init__(
        self,
        kind: FaultKind,
        said: str,
        *,
        parameter: str = "",
        code: str = "",
        asked_wait_s: float | None = None,
        spent: tuple[int, int] = (0, 0),
    ) -> None:
        super().__init__(said)
        self.kind = kind
        self.said = said
        self.parameter = parameter
        self.code = code
        self.asked_wait_s = asked_wait_s
        self.spent = spent


def kind_of_status(status: int) -> FaultKind:
    """What a server means by an HTTP status that is no success."""
    if status in _PASSING or status >= 500:
        return FaultKind.SERVER
    return FaultKind.REQUEST if status in ONE_REQUEST else FaultKind.REFUSED
