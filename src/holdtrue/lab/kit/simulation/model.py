"""The base of all simulated models: they answer at once, and report their faults in the reply's annotations.

They see the chat alone. Every reply depends on the request and on the faults and seed in the model's name, so that a
resumed run repeats itself. Schemas are ignored, as by a server that enforces none, and tokens are estimated.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from holdtrue.lab.kit.simulation.reply_faults import CHARS_PER_TOKEN, limited
from holdtrue.models.chat import Message, Reply, Request
from holdtrue.record import ReplyKind, Usage

REFUSAL = "I cannot help with that."
LOST = "I do not know what this is about."


class Named(Protocol):
    """The faults and seed of a simulated model, which its name spells."""

    @property
    def name(self) -> str: ...


C = TypeVar("C", bound=Named)
World = TypeVar("World")


class Simulated(Generic[C]):
    """A simulated `ChatModel`. The faults that changed a reply are in `Reply.annotations["injected"]`."""

    def __init__(self, character: C) -> None:
        self.character = character
        self.name = character.name

    async def complete(self, request: Request) -> Reply:
        """Return a reply at once, cut where the request's token limit ends it.

        A request about an unknown problem gets a reply that says so.
        """
        return limited(self.reply(request), request)

    async def aclose(self) -> None:
        """There is nothing to close."""

    def reply(self, request: Request) -> Reply:
        """Return the reply to a request, which depends on the request and on the model's name alone."""
        raise NotImplementedError


class Latest(Generic[World]):
    """A cache of at most `most` values, those that were asked for last."""

    def __init__(self, most: int = 64) -> None:
        self._most = most
        self._kept: OrderedDict[Hashable, World] = OrderedDict()

    def get(self, key: Hashable, make: Callable[[], World]) -> World:
        """Return the value of a key, making it if it is not in the cache."""
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


def messages_of(messages: Sequence[Message], role: str) -> list[str]:
    """Return the messages of one role, from the first."""
    return [message.content for message in messages if message.role == role]


def last_message(messages: Sequence[Message], role: str = "user") -> str:
    """Return the last message of one role, or '' if it has none."""
    return next(reversed(messages_of(messages, role)), "")


def make_reply(request: Request, text: str, injected: Sequence[str] = (), kind: ReplyKind = ReplyKind.ANSWER) -> Reply:
    """Return a reply with this text; the faults `injected` go into its annotations."""
    asked = sum(len(message.content) for message in request.messages)
    usage = Usage(1, asked // CHARS_PER_TOKEN, max(1, len(text) // CHARS_PER_TOKEN))
    return Reply(text, usage, kind, annotations={"injected": ",".join(injected)} if injected else {})
