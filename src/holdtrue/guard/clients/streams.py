"""Streams of the events of an answer that was decided on, to be used as those of OpenAI's library are."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any


class EventStream:
    """An `EventStream` gives the events of an answer; a server's response, where calls may be, is not in it."""

    def __init__(self, events: Iterator[Any]) -> None:
        self._events = events

    def __iter__(self) -> EventStream:
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


class AsyncEventStream:
    """An `AsyncEventStream` is an `EventStream` for code that is asynchronous."""

    def __init__(self, events: Iterator[Any]) -> None:
        self._events = EventStream(events)

    def __aiter__(self) -> AsyncEventStream:
        return self

    async def __anext__(self) -> Any:
        for own in self._events:
            return own
        raise StopAsyncIteration

    async def __aenter__(self) -> AsyncEventStream:
        return self

    async def __aexit__(self, *error: Any) -> None:
        self._events.close()

    async def close(self) -> None:
        """Give no more events."""
        self._events.close()
