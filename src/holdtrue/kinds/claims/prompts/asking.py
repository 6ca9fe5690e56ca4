"""Asking one model, and keeping what its calls cost."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from holdtrue.language.whole_replies import ask_whole
from holdtrue.models.chat import ChatModel, Message, Reply, Request, call
from holdtrue.record import CallRecord


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
        """Return the reply's text, "" where the model gave no answer. `sample` tells repeated draws of a prompt apart.

        A reply that was cut is asked for again with more tokens; the notes of the calls say so. Raises `ModelError`.
        """
        request = self.request(purpose, messages, schema, temperature=temperature, sample=sample, max_tokens=max_tokens)
        return (await ask_whole(self.model, request, self.calls)).text

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
        """Return the whole reply to one call, with its kind. Raises `ModelError`."""
        reply, record = await call(self.model, request)
        self.calls.append(record)
        return reply

    def taken(self) -> tuple[CallRecord, ...]:
        """The calls since this was last asked for."""
        calls = tuple(self.calls)
        self.calls.clear()
        return calls
