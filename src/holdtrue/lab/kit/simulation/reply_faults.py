"""Faults of a reply's text that simulated models of all kinds share: open brackets, and more text than is allowed."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import Protocol

from holdtrue.lab.kit.simulation.chance import draw
from holdtrue.models.chat import Reply, Request
from holdtrue.record import ReplyKind

CHARS_PER_TOKEN = 4


class TextFaults(Protocol):
    """The rates at which texts are left open or cut, and at which a schema keeps them whole (see `names`)."""

    @property
    def unclosed(self) -> float: ...
    @property
    def bound(self) -> float: ...
    @property
    def cut(self) -> float: ...


_OPENING, _CLOSING = "{[", "}]"
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"', re.DOTALL)


def limited(reply: Reply, request: Request) -> Reply:
    """Return the reply as a server gives it that stops at the request's token limit."""
    room = request.max_tokens * CHARS_PER_TOKEN
    if len(reply.text) <= room:
        return reply
    usage = replace(reply.usage, completion_tokens=request.max_tokens)
    return replace(reply, text=reply.text[:room], usage=usage, kind=ReplyKind.CUT)


def left_open(text: str) -> str:
    """Return JSON without the brackets at its end, so that nothing can be read from it."""
    return text.rstrip(_CLOSING)


def closed(text: str) -> str | None:
    """Return the text with the brackets that it left open, or None if it is no JSON object then either."""
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
    """Return what a model makes of its own response when it is asked for clean JSON: closed with this probability."""
    mended = closed(response) if draw(*key, response, "tidy") < rate else None
    return response if mended is None else mended


def drawn_anew(request: Request, greedy: float, *key: object) -> int:
    """Return the number of the draw that a model answers.

    At temperature 0 it is with probability `greedy` the first one, whose answer a further draw repeats.
    """
    if request.temperature > 0 or draw(*key, request.messages[-1].content, request.sample, "greedy") >= greedy:
        return request.sample
    return 0


def spoiled(text: str, request: Request, rates: TextFaults, *key: object) -> tuple[str, ReplyKind, list[str]]:
    """Return a reply's text with what faults make of it, the kind of the reply, and the names of the faults."""
    dice = (*key, request.messages[-1].content, request.sample)
    left = draw(*dice, "unclosed") < rates.unclosed
    if left and not (request.schema is not None and draw(*dice, "bound") < rates.bound):
        return left_open(text), ReplyKind.ANSWER, ["unclosed"]
    if draw(*dice, "cut") < rates.cut:
        return text, ReplyKind.CUT, ["cut"]
    return text, ReplyKind.ANSWER, []
