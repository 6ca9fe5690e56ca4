"""Streams of the events of an answer that was decided on, to be used as those of OpenAI's library are."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from holdtrue.errors import InputError


class _Events:
    def __init__(self, events: Iterator[Any]) -> None:
        self._events = events

    @property
    def response(self) -> Any:
        """Raise `InputError`: the raw response of a server may hold calls that were stopped."""
        raise InputError("the response of a stream is refused on a guarded client: nobody has decided on what it holds")


class EventStream(_Events):
    """An `EventStream` gives the events of an answer; it may be closed, and stand in a `with` block."""

    def __iter__(self) -> Iterator[Any]:
        return self

    def __next__(self) -> Any:
        return next(self._events)

    def __enter__(self) -> EventStream:
        return self

    def __exit__(self, *error: Any) -> None:
        self.close()

    def close(self) -> None:
        """Give no more events."""
        self._events = iter(())


class AsyncEventStream(_Events):
    """An `AsyncEventStream` gives the events of an answer to code that is asynchronous."""

    def __aiter__(self) -> AsyncEventStream:
        return self

    async def __anext__(self) -> Any:
        try:
            return next(self._events)
        except StopIteration:
            raise StopAsyncIteration from None

    async def __aenter__(self) -> AsyncEventStream:
        return self

    async def __aexit__(self, *error: Any) -> None:
        await self.close()

    async def close(self) -> None:
        """Give no more events."""
        self._events = iter(())
