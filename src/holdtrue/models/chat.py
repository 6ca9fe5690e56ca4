"""The protocol that every model speaks: one request in, one reply out.

A request is a plain value with a stable key, so that replies can be kept, replayed and counted.
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


SOME_TAKE = ("top_p", "thinking_tokens")
"""The fields of a `Request` that not every model takes; one that does names them in its attribute `takes`."""


@dataclass(frozen=True, slots=True)
class Message:
    """A `Message` is one message of a chat."""

    role: Role
    content: str

    def to_json(self) -> dict[str, str]:
        return {"role": self.role, "content": self.content}


@dataclass(frozen=True, slots=True)
class Request:
    """A `Request` is one call to a model.

    `schema`: a JSON schema that the reply should obey; backends that can, enforce it by grammar, the others
    ignore it. `sample` tells repeated draws of the same prompt apart (it is added to the seed). `purpose` is
    for accounting and is no part of the key, and `frame` neither: so many of the first messages are the same in all
    requests of their kind and hold nothing that anybody said, so that a backend may keep what it computed of them.
    `likelihood` asks a backend that can for `Reply.logprob`. `top_p` (0 to 1) limits draws to the likeliest tokens of
    this mass together, and `thinking_tokens` is how many a model may think with beside its reply; None for neither.
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
    _keys: dict[str, str] = field(default_factory=dict, init=False, repr=False, compare=False)

    def key(self, model: str) -> str:
        """Return a stable name of this request to `model`: the hash of all that can change the reply."""
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
        # surrogatepass: a text with lone surrogates is a request like any other, and has a key of its own.
        return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]


@dataclass(frozen=True, slots=True)
class Reply:
    """A `Reply` is what a model said, with the `kind` of reply that it is. A refusal's `text` is the model's own words.

    `usage` counts one call. `note` says what a reader of the record should know of the call. `annotations` carry what
    a simulated model did on purpose. `logprob` is the natural logarithm of the probability that the model gave to the
    text by itself, whatever a grammar allowed: the sum over its tokens, or None where nobody asked or the backend
    cannot say.
    """

    text: str
    usage: Usage
    kind: ReplyKind = ReplyKind.ANSWER
    note: str | None = None
    annotations: Mapping[str, str] = field(default_factory=dict)
    logprob: float | None = None


class ChatModel(Protocol):
    """A `ChatModel` is a language model. `name` is what reports print; simulated ones begin with `sim/`."""

    @property
    def name(self) -> str: ...

    async def complete(self, request: Request) -> Reply:
        """Return the reply to one request.

        Raises `RequestRefused` where only this request cannot be answered, `ModelUnreachable` or `ModelRefused`
        where no other could be either; never answers with a stand-in.
        """
        ...

    async def aclose(self) -> None:
        """Release what the model holds; calling it twice is harmless."""
        ...


def gives_likelihoods(model: ChatModel) -> bool:
    """Return whether the model can say how likely a text is to which a schema holds it (`Reply.logprob`).

    A model says so by an attribute `gives_likelihoods`; one that has none gives none.
    """
    return getattr(model, "gives_likelihoods", False) is True


class ModelAround:
    """A `ModelAround` stands before another model, whose name and abilities it has; closing it closes that one."""

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
    """Ask the model, and record what the call cost.

    Raises `ModelError` for what is no reply, and `ModelRefused` for what the model does not take of the request.
    """
    for name in SOME_TAKE:
        if getattr(request, name) is not None and name not in getattr(model, "takes", ()):
            raise ModelRefused(f"{model.name} takes no {name}: leave it out")
    reply = await _asked(model, request)
    key, annotations = request.key(model.name), dict(reply.annotations)
    return reply, CallRecord(key, request.purpose, reply.usage, reply.kind, reply.note, annotations, model.name)


async def _asked(model: ChatModel, request: Request) -> Reply:
    """Return what the model gives once it is checked, for it is whatever its author's code does."""
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
    ):
        if not isinstance(value, kind):
            raise ModelError(f"{model.name}: complete() gave a Reply whose {what}, not {value!r:.60}")
    return reply


def well_formed(text: str) -> str:
    """Return the text with each lone surrogate replaced by U+FFFD, so that it can be encoded as UTF-8."""
    return _SURROGATE.sub("\ufffd", text)


def well_formed_json(value: Any) -> Any:
    """Return the JSON value with all its texts, keys too, `well_formed`."""
    return json.loads(well_formed(json.dumps(value, ensure_ascii=False)))


def system(text: str) -> Message:
    return Message("system", text)


def user(text: str) -> Message:
    return Message("user", text)


def assistant(text: str) -> Message:
    return Message("assistant", text)
