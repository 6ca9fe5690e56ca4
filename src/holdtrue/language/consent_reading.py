"""Ask a model whether words are a yes to just one act: the act was listed with all its arguments, and asked for."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from holdtrue.language.asking import ask_object
from holdtrue.models.chat import ChatModel, Message, Request
from holdtrue.record import CallRecord

_FRAME = (
    "An assistant wants to carry out one act for a user, with just these arguments. You are given the act, the "
    "assistant's last message and the user's reply. Answer four questions with true or false. "
    "lists: does the assistant's message say that it will do this act, and no other act, with just these arguments? "
    "asks: does it ask whether it may do this act? "
    "agrees: does the user's reply agree to that, themselves and now, without a condition, a delay or a change? "
    "else: is there anything in the reply that is no agreement, such as a refusal, a question or another wish? "
    'Reply with JSON: {"lists": ..., "asks": ..., "agrees": ..., "else": ...}.'
)
_NAMES = ("lists", "asks", "agrees", "else")
_SCHEMA = {
    "type": "object",
    "properties": {name: {"type": "boolean"} for name in _NAMES},
    "required": [*_NAMES],
    "additionalProperties": False,
}


@dataclass(frozen=True, slots=True)
class ConsentQuestion:
    """A `ConsentQuestion` has an act in words, its arguments line by line, and what both have said of it."""

    act: str
    arguments: tuple[str, ...]
    assistant: str
    user: str


@runtime_checkable
class ConsentReader(Protocol):
    """A `ConsentReader` reads whether words are a yes. It is asked twice; `flipped` puts the words before the act."""

    async def consents(self, question: ConsentQuestion, flipped: bool, calls: list[CallRecord]) -> bool:
        """Return whether the reply is a yes to just the act, and add calls of a model to `calls`."""
        ...


_EXAMPLES = (
    (
        ConsentQuestion("cancel trip", ("trip: T-4",), "I will cancel trip T-4. Is that all right?", "Yes, please."),
        (True, True, True, False),
    ),
    (
        ConsentQuestion("send parcel", ("parcel: 88", "to: Ann"), "I keep parcel 88 for Ann. Ok?", "Yes."),
        (False, True, True, False),
    ),
    (
        ConsentQuestion("cancel trip", ("trip: T-4",), "I will cancel trip T-4. Shall I?", "Yes, once my boss agrees."),
        (True, True, False, True),
    ),
    (
        ConsentQuestion("pay bill", ("amount: 30",), "I can pay the bill of 30 euros. Is your name Lee?", "Yes"),
        (True, False, False, False),
    ),
)


@dataclass(frozen=True, slots=True)
class ModelConsentReader:
    """A chat model that reads whether words are a yes."""

    model: ChatModel

    async def consents(self, question: ConsentQuestion, flipped: bool, calls: list[CallRecord]) -> bool:
        """Return whether the model reads a yes; an answer that is none is no yes. Raises `ModelError`."""
        messages = [Message("system", _FRAME)]
        for own, answer in _EXAMPLES:
            told = json.dumps(dict(zip(_NAMES, answer, strict=True)))
            messages += [Message("user", _told(own, flipped)), Message("assistant", told)]
        frame = len(messages)
        messages.append(Message("user", _told(question, flipped)))
        request = Request(tuple(messages), "consent", _SCHEMA, max_tokens=60, frame=frame)
        found = await ask_object(self.model, request, calls)
        return [found.get(name) for name in _NAMES] == [True, True, True, False]


def _told(question: ConsentQuestion, flipped: bool) -> str:
    act = f"Act: {question.act}\n" + "\n".join(f"- {own}" for own in question.arguments)
    words = "Assistant: {}\nUser: {}".format(
        *(json.dumps(own, ensure_ascii=False) for own in (question.assistant, question.user))
    )
    return f"{words}\n{act}" if flipped else f"{act}\n{words}"
