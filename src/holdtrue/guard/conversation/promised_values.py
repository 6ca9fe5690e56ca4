"""Hear what an assistant promises: the tool that does it, and what it says of the call's arguments."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

from holdtrue.guard.conversation.plain_words import may_be_meant, said_values
from holdtrue.guard.conversation.promises import promises_in
from holdtrue.guard.conversation.state import ConversationState
from holdtrue.language.requests.acts import Argument
from holdtrue.language.requests.stems import stems

_SURE = 0.9
"""Code does not know more surely that a value in a promise is of the one argument that it can be of."""


def hear_promises(state: ConversationState, message: str, now: datetime) -> list[dict[str, Any]]:
    """Return what an assistant's message promises, as an event has it: the tool, and values of its arguments."""
    found = []
    for own in promises_in(message, state.policy.tools.values()):
        act = state.acts.get(state.act_of(own.tool))
        arguments = [] if act is None else [each for each in act.arguments.values() if own.tool in each.tools]
        values = list(_values_in(own.sentence, arguments, now, state.locale))
        named = {word for each in arguments for word in stems(each.name)}
        if values or not own.needs_values or named & set(stems(own.sentence)):
            found.append({"sentence": own.sentence, "tool": own.tool, "values": values})
    return found


def _values_in(sentence: str, arguments: list[Argument], now: datetime, locale: str) -> Iterator[Mapping[str, Any]]:
    """Yield the values that a promise names of arguments which are the only ones that can have such a value."""
    for own in arguments:
        found, quotes = said_values(sentence, own, now, locale)
        if len(found) == 1 and len(quotes) == 1 and sum(may_be_meant(own, each) for each in arguments) == 1:
            (value,), (quote,) = found, quotes
            yield {"argument": own.name, "value": value, "quote": quote, "confidence": _SURE}
