"""Limit the calls to a model: the number at a time, and the total of paid tokens."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass

from holdtrue.errors import ModelError, RequestRefused
from holdtrue.models.chat import ChatModel, ModelAround, Reply, Request


class TokenLimitReached(Exception):
    """The run's token limit is spent. This stops conversations, and the run can be resumed; it is no fault."""


@dataclass(slots=True)
class _Bound:
    """The limits and counts that all gates of a run share."""

    connections: asyncio.Semaphore
    tokens: int
    limit: int | None
    paid: Callable[[], int] | None


class Gate(ModelAround):
    """A model that allows at most `connections` calls at a time, and none beyond a token limit.

    No call begins once `tokens` has reached `token_limit`. `tokens` starts with the tokens paid before. Running calls
    are finished and kept, so the limit can be exceeded by their cost. If several processes share the limit, `paid`
    returns the tokens of all; otherwise this gate counts by itself.
    """

    def __init__(
        self,
        model: ChatModel,
        connections: int,
        *,
        tokens: int = 0,
        token_limit: int | None = None,
        paid: Callable[[], int] | None = None,
    ) -> None:
        super().__init__(model)
        self._bound = _Bound(asyncio.Semaphore(connections), tokens, token_limit, paid)

    def beside(self, model: ChatModel) -> Gate:
        """Return a gate to another model that shares these limits. Calls and tokens of both are counted together."""
        gate = Gate(model, 1)
        gate._bound = self._bound
        return gate

    @property
    def tokens(self) -> int:
        """Return the number of tokens paid for so far."""
        return self._bound.tokens if self._bound.paid is None else self._bound.paid()

    @property
    def spent(self) -> bool:
        """Return whether the token limit has been reached."""
        return self._bound.limit is not None and self.tokens >= self._bound.limit

    async def complete(self, request: Request) -> Reply:
        """Return the model's reply. Raises `TokenLimitReached` instead of starting a call beyond the limit."""
        async with self._bound.connections:
            if self.spent:
                raise TokenLimitReached
            try:
                reply = await self._model.complete(request)
            except (RequestRefused, ModelError) as error:
                self._bound.tokens += sum(error.spent)
                raise
            self._bound.tokens += reply.usage.tokens
            return reply
