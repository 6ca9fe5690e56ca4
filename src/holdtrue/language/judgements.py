"""Ask a model for a judgement about consent, two texts with one meaning, or its own answer.

Consent is a yes to just one act. The assistant must have listed that act with all its arguments and asked for it. The
critique of an answer follows Self-Refine (Madaan et al. 2023, section 2).
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

from holdtrue.language.asking import ModelReply, ask_object, taught_request
from holdtrue.language.replies import reply_object
from holdtrue.models.chat import ChatModel, Message, assistant, user
from holdtrue.record import CallRecord, ReplyKind
from holdtrue.world.answer_shape import object_schema

CRITIQUE = (
    "Check your answer against every constraint stated so far and every rule, one at a time. Reply with JSON only: "
    '{"ok": true, "problems": []} if it keeps all of them, otherwise {"ok": false, "problems": ["...", "..."]}, '
    "naming what is broken."
)
CRITIQUE_SCHEMA: Mapping[str, Any] = object_schema(
    {
        "ok": {"type": "boolean"},
        "problems": {"type": "array", "items": {"type": "string", "maxLength": 200}, "maxItems": 8},
    }
)
FOUND = "You checked your answer and found:"
_REVISE = "Return a revised JSON solution that mends this and keeps every constraint. Only the JSON object."
_SOMETHING = "it does not keep everything"
_LONGEST_SHOWN = 1000  # characters of a critique that are shown again


def critique_request(prompt: Sequence[Message], answer: str) -> tuple[Message, ...]:
    """Return the messages that ask the model for faults in its `answer` to `prompt`."""
    return (*prompt, assistant(answer), user(CRITIQUE))


def refine_request(prompt: Sequence[Message], answer: str, found: Sequence[str]) -> tuple[Message, ...]:
    """Return the messages that ask for an answer without the problems that the model itself `found`."""
    listed = "\n".join(f"- {problem}" for problem in found)
    return (*prompt, assistant(answer), user(f"{FOUND}\n{listed}\n{_REVISE}"))


def read_critique(text: str) -> tuple[str, ...]:
    """Return the problems that a critique names, or an empty tuple if it approves the answer.

    Only `"ok": true` approves. A reply in another form counts as one problem, in the words of the reply.
    """
    reply = reply_object(text, "ok", "problems")
    problems = reply.get("problems")
    named = [str(problem) for problem in problems if problem] if isinstance(problems, list) else []
    if reply.get("ok") is True:
        return ()
    return tuple(named) or (_SOMETHING if reply else text.strip()[:_LONGEST_SHOWN] or _SOMETHING,)


def find_problems(answered: ModelReply) -> tuple[str, ...]:
    """Return the problems that the model named in its critique.

    A refusal names none. If the reply was cut off, its first part is read.
    """
    if isinstance(answered.text, str) or answered.reply.kind is ReplyKind.CUT:
        return read_critique(answered.reply.text)
    return ()


_SAME_FRAME = (
    "You compare two values of one field of a form. Say whether both mean the same thing: one may be an abbreviation, "
    "a nickname, another spelling or a longer form of the other. Two different places, people, titles or things are "
    'not the same, even if they are alike. Reply with JSON: {"same": true} or {"same": false}.'
)
_SAME_SCHEMA = object_schema({"same": {"type": "boolean"}})
_SAME_EXAMPLES = (
    ("city", "SF", "San Francisco", True),
    ("movie", "Alien", "Aliens", False),
    ("city", "Leeds", "London", False),
    ("airline", "United", "United Airlines", True),
)


async def ask_whether_same(model: ChatModel, about: str, one: str, other: str, calls: list[CallRecord]) -> bool | None:
    """Return whether a model takes two texts for the same value, or None if its two answers differ.

    `about` names the field that holds the values. The two calls are added to `calls`. Raises `ModelError`.
    """
    there, back = await _asked(model, about, one, other, calls), await _asked(model, about, other, one, calls)
    return there if there == back else None


async def _asked(model: ChatModel, about: str, one: str, other: str, calls: list[CallRecord]) -> bool | None:
    lessons = ((_pair(*own), json.dumps({"same": is_same})) for *own, is_same in _SAME_EXAMPLES)
    request = taught_request("sameness", _SAME_FRAME, lessons, _pair(about, one, other), _SAME_SCHEMA, 20)
    same = (await ask_object(model, request, calls)).get("same")
    return same if isinstance(same, bool) else None


def _pair(field: str, one: str, other: str) -> str:
    return "Field: {}\nA: {}\nB: {}".format(field, *(json.dumps(own, ensure_ascii=False) for own in (one, other)))


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
_SCHEMA = object_schema({name: {"type": "boolean"} for name in _NAMES})


@dataclass(frozen=True, slots=True)
class ConsentQuestion:
    """A `ConsentQuestion` holds an act in words, its arguments line by line, and each speaker's last message."""

    act: str
    arguments: tuple[str, ...]
    assistant: str
    user: str


@runtime_checkable
class ConsentReader(Protocol):
    """A `ConsentReader` decides whether a reply is a yes. It is asked twice; `flipped` puts the messages before the
    act.
    """

    async def consents(self, question: ConsentQuestion, flipped: bool, calls: list[CallRecord]) -> bool:
        """Return whether the reply is a yes to just the act, and add the model's calls to `calls`."""
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
    """A chat model that decides whether a reply is a yes."""

    model: ChatModel

    async def consents(self, question: ConsentQuestion, flipped: bool, calls: list[CallRecord]) -> bool:
        """Return whether the model reads a yes. An unreadable answer counts as no. Raises `ModelError`."""
        lessons = (
            (_told(own, flipped), json.dumps(dict(zip(_NAMES, answer, strict=True)))) for own, answer in _EXAMPLES
        )
        request = taught_request("consent", _FRAME, lessons, _told(question, flipped), _SCHEMA, 60)
        found = await ask_object(self.model, request, calls)
        return [found.get(name) for name in _NAMES] == [True, True, True, False]


def _told(question: ConsentQuestion, flipped: bool) -> str:
    act = f"Act: {question.act}\n" + "\n".join(f"- {own}" for own in question.arguments)
    words = "Assistant: {}\nUser: {}".format(
        *(json.dumps(own, ensure_ascii=False) for own in (question.assistant, question.user))
    )
    return f"{words}\n{act}" if flipped else f"{act}\n{words}"
