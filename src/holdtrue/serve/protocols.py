"""The protocols that the proxy speaks: their paths, their forms, and how their streams and errors are written."""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from holdtrue.errors import InputError
from holdtrue.guard.clients import forms
from holdtrue.guard.clients.client_shapes import ANTHROPIC, OPENAI
from holdtrue.guard.clients.guarded_turn import Form
from holdtrue.guard.clients.request_checks import LOOKED_AT, merged
from holdtrue.guard.policy import Policy

EXTENSION = "holdtrue"
"""The field of an answer that has the verdict."""


@dataclass(frozen=True, slots=True)
class Protocol:
    """A `Protocol` is one way to ask a model.

    Attributes:
        form: The maker of the form that reads its requests and answers.
        last: The type of the event of a stream that has the verdict; "" for the last chunk.
        has_names: Whether its events have a line with their type.
        keeps_metadata: Whether the upstream takes the id of a conversation in the metadata of a request.
    """

    name: str
    path: str
    form: Callable[[Policy], Form]
    last: str
    has_names: bool
    keeps_metadata: bool = True

    def stream(self, events: Iterator[Any], verdict: dict[str, Any] | None) -> bytes:
        """Return the events of an answer as a stream, with the verdict in the last one."""
        bodies = [forms.as_given(own) for own in events]
        if verdict is not None and bodies:
            found = [own for own in bodies if self.last and own.get("type") == self.last]
            own = found[-1] if found else bodies[-1]
            (own["response"] if isinstance(own.get("response"), dict) else own)[EXTENSION] = verdict
        written = [self.event(own) for own in bodies]
        return b"".join((*written, b"" if self.has_names else b"data: [DONE]\n\n"))

    def event(self, body: Mapping[str, Any]) -> bytes:
        """Return one event of a stream."""
        name = f"event: {body.get('type')}\n" if self.has_names else ""
        return f"{name}data: {_json(body)}\n\n".encode()

    def error(self, status: int, message: str, code: str) -> dict[str, Any]:
        """Return the body of an error."""
        if self.name == "messages":
            kinds = {401: "authentication_error", 404: "not_found_error", 413: "request_too_large"}
            kinds |= {429: "rate_limit_error", 504: "timeout_error"}
            kind = kinds.get(status, "invalid_request_error" if status < 500 else "api_error")
            return {"type": "error", "error": {"type": kind, "message": message, "code": code}}
        kind = "invalid_request_error" if status < 500 else "server_error"
        return {"error": {"message": message, "type": kind, "param": None, "code": code}}

    def error_event(self, status: int, message: str, code: str) -> bytes:
        """Return an error as an event of a stream that has begun."""
        body = self.error(status, message, code)
        if self.name == "responses":
            body = {"type": "error", "code": code, "message": message, "param": None, "sequence_number": 0}
        return self.event(body)


CHAT = Protocol("chat", "/v1/chat/completions", OPENAI.forms["chat.completions"], "", False)
RESPONSES = Protocol("responses", "/v1/responses", OPENAI.forms["responses"], "", True)
MESSAGES = Protocol("messages", "/v1/messages", ANTHROPIC.forms["messages"], "message_delta", True, False)
PROTOCOLS = (CHAT, RESPONSES, MESSAGES)


@cache
def _accepted(name: str) -> frozenset[str]:
    """Return the parameters of a request that the protocol has."""
    if name == "messages":
        from anthropic.resources import AsyncMessages as Methods
    elif name == "responses":
        from openai.resources.responses import AsyncResponses as Methods
    else:
        from openai.resources.chat import AsyncCompletions as Methods
    return frozenset(inspect.signature(Methods.create).parameters) - {"self", "extra_body", "extra_query"}


def check_parameters(protocol: Protocol, given: Mapping[str, Any]) -> None:
    """Raise `InputError` for a parameter that the protocol lacks and that may bring tools of the upstream."""
    accepted = _accepted(protocol.name)
    unknown = {name: own for name, own in given.items() if name not in accepted}
    if "extra_body" in unknown:
        raise InputError("extra_body is no parameter of a request; send its fields beside the others")
    merged({"extra_body": unknown}, accepted | LOOKED_AT)


def with_verdict(body: bytes, verdict: Mapping[str, Any]) -> bytes:
    """Return a JSON object with the verdict at its end. All other bytes stay as they are."""
    end = body.rstrip()[:-1].rstrip()
    comma = b"" if end.endswith(b"{") else b","
    return end + comma + f'"{EXTENSION}":{_json(verdict)}}}'.encode()


def _json(body: Mapping[str, Any]) -> str:
    # Escapes keep halves of characters, which a model may write.
    return json.dumps(body, separators=(",", ":"), default=str)
