"""What all simulated models do alike: they answer at once, and tell what they did on purpose.

They see the chat alone. Every reply is a function of the request and the character, so that a run that is taken up
again repeats itself. Schemas are ignored, as by a server that enforces none. Tokens are counted by a rule of thumb.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from holdtrue.models.chat import Message, Reply, Request
from holdtrue.record import ReplyKind, Usage

REFUSAL = "I cannot help with that."
LOST = "I do not know what this is about."
_CHARS_PER_TOKEN = 4


class Named(Protocol):
    """What a simulated model is like."""

    @property
    def name(self) -> str: ...


C = TypeVar("C", bound=Named)
World = TypeVar("World")


class Simulated(Generic[C]):
    """A `ChatModel` with a character. What it did on purpose is in `Reply.annotations["injected"]`."""

    def __init__(self, character: C) -> None:
        self.character = character
        self.name = character.name

    async def complete(self, request: Request) -> Reply:
        """The reply, at once; a request about nothing that is known gets one that says so."""
        return self.reply(request)

    async def aclose(self) -> None:
        """There is nothing to close."""

    def reply(self, request: Request) -> Reply:
        """The reply to a request, which depends on the request and the character alone."""
        raise NotImplementedError


class Latest(Generic[World]):
    """What was asked for lately, made once; at most `most` of them are kept."""

    def __init__(self, most: int = 64) -> None:
        self._most = most
        self._kept: OrderedDict[Hashable, World] = OrderedDict()

    def get(self, key: Hashable, make: Callable[[], World]) -> World:
        """What this key names, made where it is not kept."""
        if key not in self._kept:
            self._kept[key] = make()
            if len(self._kept) > self._most:
                self._kept.popitem(last=False)
        self._kept.move_to_end(key)
        return self._kept[key]


@dataclass(frozen=True, slots=True)
class FormatTask:
    """Repeat `response` as clean JSON."""

    response: str


def said_by(messages: Sequence[Message], role: str) -> list[str]:
    """What one side of a chat said, from the first."""
    return [message.content for message in messages if message.role == role]


def last_said(messages: Sequence[Message], role: str = "user") -> str:
    """What one side of a chat said last; '' where it said nothing."""
    return next(reversed(said_by(messages, role)), "")


def make_reply(request: Request, text: str, injected: Sequence[str] = (), kind: ReplyKind = ReplyKind.ANSWER) -> Reply:
    """The reply `text`, which took no time; `injected` are faults, told in its annotations where there are any."""
    asked = sum(len(message.content) for message in request.messages)
    usage = Usage(1, asked // _CHARS_PER_TOKEN, max(1, len(text) // _CHARS_PER_TOKEN))
    return Reply(text, usage, kind, annotations={"injected": ",".join(injected)} if injected else {})
