"""Asking one model, and keeping what its calls cost."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from holdtrue.models.chat import ChatModel, Message, Reply, Request, call
from holdtrue.record import CallRecord, ReplyKind


@dataclass(slots=True)
class Asking:
    """Questions to one model; `calls` has one record for each, in order.

    `structured`: replies are bound to the schema where the backend can.
    """

    model: ChatModel
    seed: int = 42
    structured: bool = True
    calls: list[CallRecord] = field(default_factory=list)

    async def ask(
        self,
        purpose: str,
        messages: Sequence[Message],
        schema: Mapping[str, Any] | None = None,
        *,
        temperature: float = 0.0,
        sample: int = 0,
        max_tokens: int = 1024,
    ) -> str:
        """Return the reply's text, also of one that was cut; it is empty where the model or a filter declined, or a
        tool was called. `sample` tells repeated draws of the same prompt apart. Raises `ModelError`.
        """
        request = self.request(purpose, messages, schema, temperature=temperature, sample=sample, max_tokens=max_tokens)
        reply = await self.send(request)
        return reply.text if reply.kind in (ReplyKind.ANSWER, ReplyKind.CUT) else ""

    def request(
        self,
        purpose: str,
        messages: Sequence[Message],
        schema: Mapping[str, Any] | None,
        *,
        temperature: float,
        sample: int,
        max_tokens: int,
    ) -> Request:
        """Return the request that `ask` sends, bound to the schema where replies are to be."""
        return Request(
            tuple(messages),
            purpose=purpose,
            schema=schema if self.structured else None,
            temperature=temperature,
            seed=self.seed,
            sample=sample,
            max_tokens=max_tokens,
        )

    async def send(self, request: Request) -> Reply:
        """Return the whole reply, with its kind. Raises `ModelError`."""
        reply, record = await call(self.model, request)
        self.calls.append(record)
        return reply

    def taken(self) -> tuple[CallRecord, ...]:
        """The calls since this was last asked for."""
        calls = tuple(self.calls)
        self.calls.clear()
        return calls
