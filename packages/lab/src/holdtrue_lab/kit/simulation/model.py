"""This module is the base of all simulated models. They answer immediately, with injected faults that they report.

Simulated models see only the chat. A reply depends on the request and on the faults and seed in the model's name. So a
resumed run repeats itself. Schemas are ignored, as by a server that enforces none, and tokens are estimated.
"""

from __future__ import annotations

import json
import re
from collections import OrderedDict
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, replace
from typing import Generic, Protocol, TypeVar

from holdtrue.models.chat import Message, Reply, Request
from holdtrue.record import ReplyKind, Usage
from holdtrue_lab.kit.simulation.chance import draw

REFUSAL = "I cannot help with that."
LOST = "I do not know what this is about."


class Named(Protocol):
    """The faults and seed of a simulated model, which its name spells out."""

    @property
    def name(self) -> str: ...


C = TypeVar("C", bound=Named)
World = TypeVar("World")


class Simulated(Generic[C]):
    """A `Simulated` is a simulated `ChatModel`. `Reply.annotations["injected"]` names the faults in a reply."""

    def __init__(self, character: C) -> None:
        self.character = character
        self.name = character.name

    async def complete(self, request: Request) -> Reply:
        """Return a reply immediately, cut at the request's token limit.

        If the request is about an unknown problem, the reply says so.
        """
        return limited(self.reply(request), request)

    async def aclose(self) -> None:
        """Do nothing: there is nothing to close."""

    def reply(self, request: Request) -> Reply:
        """Return the reply to a request, which depends on the request and on the model's name alone."""
        raise NotImplementedError


class Latest(Generic[World]):
    """A `Latest` is a cache of the `most` values that were used last."""

    def __init__(self, most: int = 64) -> None:
        self._most = most
        self._kept: OrderedDict[Hashable, World] = OrderedDict()

    def get(self, key: Hashable, make: Callable[[], World]) -> World:
        """Return the value of a key; `make` computes it if it is not in the cache."""
        if key not in self._kept:
            self._kept[key] = make()
            if len(self._kept) > self._most:
                self._kept.popitem(last=False)
        self._kept.move_to_end(key)
        return self._kept[key]


@dataclass(frozen=True, slots=True)
class FormatTask:
    """A `FormatTask` is a request to repeat `response` as clean JSON."""

    response: str


def messages_of(messages: Sequence[Message], role: str) -> list[str]:
    """Return the messages of one role, from the first."""
    return [message.content for message in messages if message.role == role]


def last_message(messages: Sequence[Message], role: str = "user") -> str:
    """Return the last message of one role, or '' if there is none."""
    return next(reversed(messages_of(messages, role)), "")


def make_reply(request: Request, text: str, injected: Sequence[str] = (), kind: ReplyKind = ReplyKind.ANSWER) -> Reply:
    """Return a reply with this text; the names of the `injected` faults go into its annotations."""
    asked = sum(len(message.content) for message in request.messages)
    usage = Usage(1, asked // CHARS_PER_TOKEN, max(1, len(text) // CHARS_PER_TOKEN))
    return Reply(text, usage, kind, annotations={"injected": ",".join(injected)} if injected else {})


CHARS_PER_TOKEN = 4


class TextFaults(Protocol):
    """A `TextFaults` has the rates of texts that are left `unclosed` or `cut`, or kept whole by a schema (`bound`)."""

    @property
    def unclosed(self) -> float: ...
    @property
    def bound(self) -> float: ...
    @property
    def cut(self) -> float: ...


_OPENING, _CLOSING = "{[", "}]"
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"', re.DOTALL)


def limited(reply: Reply, request: Request) -> Reply:
    """Return the reply as cut by a server at the request's token limit."""
    room = request.max_tokens * CHARS_PER_TOKEN
    if len(reply.text) <= room:
        return reply
    usage = replace(reply.usage, completion_tokens=request.max_tokens)
    return replace(reply, text=reply.text[:room], usage=usage, kind=ReplyKind.CUT)


def left_open(text: str) -> str:
    """Return JSON without the brackets at its end, so that it cannot be parsed."""
    return text.rstrip(_CLOSING)


def closed(text: str) -> str | None:
    """Return the text with its open brackets closed, or None if it is still no JSON object."""
    start = text.find("{")
    if start < 0:
        return None
    due: list[str] = []
    for letter in _STRING.sub("", text[start:]):
        if letter in _OPENING:
            due.append(_CLOSING[_OPENING.index(letter)])
        elif letter in _CLOSING and due:
            due.pop()
    mended = text + "".join(reversed(due))
    try:
        json.loads(mended[start:])
    except ValueError:
        return None
    return mended


def tidied(response: str, rate: float, *key: object) -> str:
    """Return a model's attempt to repeat a response as clean JSON. With probability `rate`, it closes open brackets."""
    mended = closed(response) if draw(*key, response, "tidy") < rate else None
    return response if mended is None else mended


def drawn_anew(request: Request, greedy: float, *key: object) -> int:
    """Return the number of the sample whose random draws a simulated model uses for this request.

    At temperature 0, with probability `greedy`, this is the first sample, so that the model repeats its answer.
    """
    if request.temperature > 0 or draw(*key, request.messages[-1].content, request.sample, "greedy") >= greedy:
        return request.sample
    return 0


def spoiled(text: str, request: Request, rates: TextFaults, *key: object) -> tuple[str, ReplyKind, list[str]]:
    """Return a reply's text after faults, the kind of the reply, and the names of the faults."""
    dice = (*key, request.messages[-1].content, request.sample)
    left = draw(*dice, "unclosed") < rates.unclosed
    if left and not (request.schema is not None and draw(*dice, "bound") < rates.bound):
        return left_open(text), ReplyKind.ANSWER, ["unclosed"]
    if draw(*dice, "cut") < rates.cut:
        return text, ReplyKind.CUT, ["cut"]
    return text, ReplyKind.ANSWER, []
