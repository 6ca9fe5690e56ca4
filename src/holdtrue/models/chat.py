"""The protocol of all models: one request in, one reply out.

A request is a plain value with a stable key, so that replies can be logged, replayed and counted.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from inspect import isawaitable
from typing import Any, Literal, Protocol

from holdtrue.errors import ModelError, ModelRefused
from holdtrue.record import CallRecord, ReplyKind, Usage

Role = Literal["system", "user", "assistant"]
_SURROGATE = re.compile("[\ud800-\udfff]")


SOME_TAKE = ("top_p", "thinking_tokens", "extra_body")
"""The fields of a `Request` that only some models take. Such a model lists them in its attribute `takes`."""


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a chat."""

    role: Role
    content: str

    def to_json(self) -> dict[str, str]:
        return {"role": self.role, "content": self.content}


@dataclass(frozen=True, slots=True)
class Request:
    """One call to a model.

    `schema` is a JSON schema for the reply. Some backends enforce it by a grammar, and others ignore it. `sample`
    distinguishes repeated draws of the same prompt, and is added to the seed. `purpose` is for accounting. The key
    contains neither `purpose` nor `frame`. `frame` counts the first messages that are the same in all requests of this
    kind and have no words of a user. A backend may cache its computation for them. `likelihood` asks for
    `Reply.logprob` if the backend has it. `top_p` (0 to 1) limits draws to the likeliest tokens with this total
    probability. `thinking_tokens` limits the tokens for thinking, besides the reply. None means no limit. `extra_body`
    has further fields for the server, such as `reasoning_effort`. They are sent as they are; a field that is None is
    left out of the request.
    """

    messages: tuple[Message, ...]
    purpose: str
    schema: Mapping[str, Any] | None = None
    temperature: float = 0.0
    seed: int = 42
    sample: int = 0
    max_tokens: int = 2048
    frame: int = 0
    likelihood: bool = False
    top_p: float | None = None
    thinking_tokens: int | None = None
    extra_body: Mapping[str, Any] | None = None
    _keys: dict[str, str] = field(default_factory=dict, init=False, repr=False, compare=False)

    def key(self, model: str) -> str:
        """Return a stable name of this request to `model`: the hash of everything that can change the reply."""
        if model not in self._keys:
            self._keys[model] = self._hash(model)
        return self._keys[model]

    def _hash(self, model: str) -> str:
        content = [
            model,
            [[message.role, message.content] for message in self.messages],
            self.schema,
            self.temperature,
            self.seed,
            self.sample,
            self.max_tokens,
            *(("likelihood",) if self.likelihood else ()),
            *([name, getattr(self, name)] for name in SOME_TAKE if getattr(self, name) is not None),
        ]
        text = json.dumps(content, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
        # With surrogatepass, texts with lone surrogates have keys too.
        return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]


@dataclass(frozen=True, slots=True)
class Reply:
    """The reply of a model, with its `kind`. The `text` of a refusal is the model's words.

    `usage` counts one call. `note` explains anything unusual about the call. `annotations` hold the deliberate choices
    of a simulated model. `logprob` is the natural logarithm of the text's probability under the model, without the
    grammar: the sum over its tokens. It is None if it was not requested or the backend does not give it. `thoughts` is
    the text that a model thought before the reply, if its server shows it.
    """

    text: str
    usage: Usage
    kind: ReplyKind = ReplyKind.ANSWER
    note: str | None = None
    annotations: Mapping[str, str] = field(default_factory=dict)
    logprob: float | None = None
    thoughts: str = ""


class ChatModel(Protocol):
    """A language model. Reports print its `name`. Names of simulated models begin with `sim/`."""

    @property
    def name(self) -> str: ...

    async def complete(self, request: Request) -> Reply:
        """Return the reply to one request, never a substitute for it.

        Raises `RequestRefused` if only this request cannot be answered. Raises `ModelUnreachable` or `ModelRefused` if
        no request can be.
        """
        ...

    async def aclose(self) -> None:
        """Release the model's resources. Calling this twice is harmless."""
        ...


def gives_likelihoods(model: ChatModel) -> bool:
    """Return the model's attribute `gives_likelihoods`: whether it gives `Reply.logprob`, also under a schema."""
    return getattr(model, "gives_likelihoods", False) is True


class ModelAround:
    """A wrapper of another model with the same name and abilities. Closing the wrapper closes that model."""

    def __init__(self, model: ChatModel) -> None:
        self._model = model

    @property
    def name(self) -> str:
        return self._model.name

    @property
    def gives_likelihoods(self) -> bool:
        return gives_likelihoods(self._model)

    @property
    def takes(self) -> tuple[str, ...]:
        return tuple(getattr(self._model, "takes", ()))

    async def aclose(self) -> None:
        await self._model.aclose()


async def call(model: ChatModel, request: Request) -> tuple[Reply, CallRecord]:
    """Ask the model, and record the cost of the call.

    Raises `ModelError` for an invalid reply, and `ModelRefused` for a field that the model does not take.
    """
    for name in SOME_TAKE:
        if getattr(request, name) is not None and name not in getattr(model, "takes", ()):
            raise ModelRefused(f"{model.name} takes no {name}: leave it out")
    reply = await _asked(model, request)
    key, annotations = request.key(model.name), dict(reply.annotations)
    return reply, CallRecord(key, request.purpose, reply.usage, reply.kind, reply.note, annotations, model.name)


async def _asked(model: ChatModel, request: Request) -> Reply:
    """Return the model's reply after checking its types, since a model may be a user's class."""
    coming: Any = model.complete(request)
    if not isawaitable(coming):
        raise ModelError(
            f"{model.name}: complete() must be `async def`; it gave {coming!r:.60}, which cannot be awaited"
        )
    reply: Any = await coming
    if not isinstance(reply, Reply):
        raise ModelError(f"{model.name}: complete() must give a Reply(text, Usage(...)), not {reply!r:.60}")
    for what, value, kind in (
        ("text must be a text", reply.text, str),
        ("usage must be a Usage(...)", reply.usage, Usage),
        ("kind must be a ReplyKind", reply.kind, ReplyKind),
        ("annotations must be a mapping", reply.annotations, Mapping),
        ("logprob must be a number or None", reply.logprob, int | float | None),
        ("thoughts must be a text", reply.thoughts, str),
    ):
        if not isinstance(value, kind):
            raise ModelError(f"{model.name}: complete() gave a Reply whose {what}, not {value!r:.60}")
    return reply


def well_formed(text: str) -> str:
    """Replace each lone surrogate by U+FFFD, so that the text can be encoded as UTF-8."""
    return _SURROGATE.sub("\ufffd", text)


def well_formed_json(value: Any) -> Any:
    """Return the JSON value with all its texts `well_formed`, including keys."""
    return json.loads(well_formed(json.dumps(value, ensure_ascii=False)))


def system(text: str) -> Message:
    return Message("system", text)


def user(text: str) -> Message:
    return Message("user", text)


def assistant(text: str) -> Message:
    return Message("assistant", text)
