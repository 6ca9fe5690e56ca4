"""Ask a model whether two texts mean the same value, both ways round: `SD` and `San Diego`."""

from __future__ import annotations

import json

from holdtrue.language.asking import ask_object
from holdtrue.models.chat import ChatModel, Message, Request
from holdtrue.record import CallRecord

_FRAME = (
    "You compare two values of one field of a form. Say whether both mean the same thing: one may be an abbreviation, "
    "a nickname, another spelling or a longer form of the other. Two different places, people, titles or things are "
    'not the same, even if they are alike. Reply with JSON: {"same": true} or {"same": false}.'
)
_SCHEMA = {
    "type": "object",
    "properties": {"same": {"type": "boolean"}},
    "required": ["same"],
    "additionalProperties": False,
}
_EXAMPLES = (
    ("city", "SF", "San Francisco", True),
    ("movie", "Alien", "Aliens", False),
    ("city", "Leeds", "London", False),
    ("airline", "United", "United Airlines", True),
)


async def ask_whether_same(model: ChatModel, about: str, one: str, other: str, calls: list[CallRecord]) -> bool | None:
    """Return whether a model takes two texts for the same value; None where its two answers differ, or one is none.

    `about` says what the values are of. Adds its two calls to `calls`. Raises `ModelError`.
    """
    there, back = await _asked(model, about, one, other, calls), await _asked(model, about, other, one, calls)
    return there if there == back else None


async def _asked(model: ChatModel, about: str, one: str, other: str, calls: list[CallRecord]) -> bool | None:
    messages = [Message("system", _FRAME)]
    for field, first, second, is_same in _EXAMPLES:
        messages += [_pair(field, first, second), Message("assistant", json.dumps({"same": is_same}))]
    frame = len(messages)
    messages.append(_pair(about, one, other))
    request = Request(tuple(messages), "sameness", _SCHEMA, max_tokens=20, frame=frame)
    same = (await ask_object(model, request, calls)).get("same")
    return same if isinstance(same, bool) else None


def _pair(field: str, one: str, other: str) -> Message:
    values = (json.dumps(own, ensure_ascii=False) for own in (one, other))
    return Message("user", "Field: {}\nA: {}\nB: {}".format(field, *values))
