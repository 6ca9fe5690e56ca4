"""Replies of simulated models: what they did on purpose, and tokens as they would be counted, by a rule of thumb."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from holdtrue.models.chat import Reply, Request
from holdtrue.record import ReplyKind, Usage

_CHARS_PER_TOKEN = 4


REFUSAL = "I cannot help with that."

LOST = "I do not know what this is about."


@dataclass(frozen=True, slots=True)
class FormatTask:
    """Repeat `response` as clean JSON."""

    response: str


def make_reply(request: Request, text: str, injected: Sequence[str], kind: ReplyKind = ReplyKind.ANSWER) -> Reply:
    """The reply `text`, which took no time; `injected` are faults, told in its annotations where there are any."""
    asked = sum(len(message.content) for message in request.messages)
    usage = Usage(1, asked // _CHARS_PER_TOKEN, max(1, len(text) // _CHARS_PER_TOKEN))
    return Reply(text, usage, kind, annotations={"injected": ",".join(injected)} if injected else {})
