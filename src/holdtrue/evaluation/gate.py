"""A bound on the calls of a run: how many at a time, and up to how many paid tokens."""

from __future__ import annotations

import asyncio

from holdtrue.models.chat import ChatModel, Reply, Request


class TokenLimitReached(Exception):
    """The run's token limit is spent. Stops conversations; no error: the run can be resumed."""


class Gate:
    """A model behind which at most `connections` calls are under way.

    No call begins once `tokens`, which starts with what was paid before, has reached `token_limit`; calls that
    are under way then are finished and kept, so the limit can be passed by their cost.
    """

    def __init__(self, model: ChatModel, connections: int, *, tokens: int = 0, token_limit: int | None = None) -> None:
        self.tokens = tokens
        self._model = model
        self._token_limit = token_limit
        self._connections = asyncio.Semaphore(connections)

    @property
    def name(self) -> str:
        return self._model.name

    @property
    def spent(self) -> bool:
        """Whether the token limit has been reached."""
        return self._token_limit is not None and self.tokens >= self._token_limit

    async def complete(self, request: Request) -> Reply:
        """The model's reply; raises `TokenLimitReached` instead of beginning a call beyond the limit."""
        async with self._connections:
            if self.spent:
                raise TokenLimitReached
            reply = await self._model.complete(request)
            self.tokens += reply.usage.tokens
            return reply

    async def aclose(self) -> None:
        await self._model.aclose()
