"""A model that shows the number of its calls on standard error, if that is a terminal."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from holdtrue.models.chat import gives_likelihoods

if TYPE_CHECKING:
    from holdtrue.models.chat import ChatModel, Reply, Request

_WIDTH = 60


class WatchedModel:
    """The model, with a line that tells how many calls were made, and what the latest one is for.

    Nothing is written where standard error is no terminal.
    """

    def __init__(self, model: ChatModel) -> None:
        self._model = model
        self._calls = 0
        self._shown = sys.stderr.isatty()

    @property
    def name(self) -> str:
        return self._model.name

    @property
    def gives_likelihoods(self) -> bool:
        return gives_likelihoods(self._model)

    async def complete(self, request: Request) -> Reply:
        """The model's own reply."""
        self._calls += 1
        self._write(f"call {self._calls}: {request.purpose}")
        return await self._model.complete(request)

    async def aclose(self) -> None:
        """Release the model, and leave the line empty."""
        self._write("")
        await self._model.aclose()

    def _write(self, line: str) -> None:
        if self._shown:
            end = "" if line else "\r"
            print(f"\r{line:<{_WIDTH}}", end=end, file=sys.stderr, flush=True)
