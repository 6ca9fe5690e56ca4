"""What a simulated reply costs: tokens as they would be counted, by a rule of thumb."""

from __future__ import annotations

from holdtrue.models.chat import Request
from holdtrue.record import Usage

_CHARS_PER_TOKEN = 4


def count_usage(request: Request, text: str) -> Usage:
    """One call with the request's tokens and those of the reply `text`; it takes no time."""
    asked = sum(len(message.content) for message in request.messages)
    return Usage(1, asked // _CHARS_PER_TOKEN, max(1, len(text) // _CHARS_PER_TOKEN))
