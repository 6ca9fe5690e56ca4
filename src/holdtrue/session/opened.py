"""What all sessions have in common: a model that was opened or handed in, and a face without `await`."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, Self, TypeVar

from holdtrue.models.chat import ChatModel
from holdtrue.models.registry import open_model

Result = TypeVar("Result")


class Opened:
    """A session's `model`; one that is given by name is opened here, and released at the end."""

    def __init__(self, model: ChatModel | str) -> None:
        self._runner: asyncio.Runner | None = None
        self._owns_model = isinstance(model, str)
        self.model = open_model(model) if isinstance(model, str) else model

    def _run(self, coroutine: Coroutine[Any, Any, Result]) -> Result:
        """The result, for code that is not asynchronous; not to be called from a running event loop."""
        if self._runner is None:
            self._runner = asyncio.Runner()
        return self._runner.run(coroutine)

    async def aclose(self) -> None:
        """Release the model, if the session opened it by name; one that was handed in stays open."""
        if self._owns_model:
            await self.model.aclose()

    def close(self) -> None:
        """`aclose` for code that is not asynchronous."""
        runner = self._runner or asyncio.Runner()
        with runner:
            runner.run(self.aclose())
        self._runner = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()
