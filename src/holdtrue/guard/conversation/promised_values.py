"""Hear what an assistant promises: the tool that does it, and what it says of the call's arguments."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

from holdtrue.guard.conversation.promises import promises_in
from holdtrue.guard.conversation.said import named_choices
from holdtrue.guard.conversation.state import ConversationState
from holdtrue.language.requests.acts import Argument
from holdtrue.language.requests.operation import Content
from holdtrue.language.requests.spans import kind_of_type, spans_of
from holdtrue.language.requests.stems import stems
from holdtrue.language.requests.word_values import content_of
from holdtrue.language.slot_values.slot_value import read_slot_value
from holdtrue.logic.value_sorts import Calendar
from holdtrue.rules.types import Number, without_null

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
        type = without_null(own.type)
        if own.choices is not None:
            found: list[tuple[Content, str]] = [(each, each) for each in named_choices(sentence, own.choices)]
            rivals = [each for each in arguments if not set(own.choices).isdisjoint(each.choices or ())]
        elif isinstance(type, Calendar | Number):
            spans = spans_of(sentence, type, now, locale)
            read = ((each, read_slot_value(each.text, type, now, locale).shown) for each in spans)
            found = [(content_of(shown, type), each.text) for each, values in read for shown in values]
            others = ((each, without_null(each.type)) for each in arguments)
            rivals = [
                each
                for each, other in others
                if isinstance(other, Calendar | Number) and kind_of_type(other) == kind_of_type(type)
            ]
        else:
            continue
        if len(found) == 1 and len(rivals) == 1:
            yield {"argument": own.name, "value": found[0][0], "quote": found[0][1], "confidence": _SURE}
