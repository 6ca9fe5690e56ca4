"""Faults of a reply's text that simulated models of all kinds share: open brackets, and more text than is allowed."""

from __future__ import annotations

import json
import re
from dataclasses import replace

from holdtrue.lab.kit.simulation.chance import draw
from holdtrue.models.chat import Reply, Request
from holdtrue.record import ReplyKind

CHARS_PER_TOKEN = 4
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
