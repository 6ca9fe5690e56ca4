"""A bound on calls: how many at a time, and up to how many paid tokens."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass

from holdtrue.errors import ModelError, RequestRefused
from holdtrue.models.chat import ChatModel, ModelAround, Reply, Request


class TokenLimitReached(Exception):
    """Raised to stop conversations when the run's token limit is spent; it is no fault, and the run can be resumed."""


@dataclass(slots=True)
class _Bound:
    """The limits and counts that all gates of a run share."""

    connections: asyncio.Semaphore
    tokens: int
    limit: int | None
    paid: Callable[[], int] | None


class Gate(ModelAround):
    """A model that allows at most `connections` calls at a time, and none beyond a token limit.

    No call begins once `tokens`, which starts with what was paid before, has reached `token_limit`. Calls that are
    under way then are finished and kept, so the limit can be exceeded by their cost. `paid` says what was paid by all
    who share the limit, where other processes do; without it this gate counts by itself.
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
        """Return a gate to another model that shares these limits: calls and tokens of both are counted together."""
        gate = Gate(model, 1)
        gate._bound = self._bound
        return gate

    @property
    def tokens(self) -> int:
        """The number of tokens that were paid for so far."""
        return self._bound.tokens if self._bound.paid is None else self._bound.paid()

    @property
    def spent(self) -> bool:
        """Return whether the token limit has been reached."""
        return self._bound.limit is not None and self.tokens >= self._bound.limit

    async def complete(self, request: Request) -> Reply:
        """The model's reply; raises `TokenLimitReached` instead of beginning a call beyond the limit."""
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
