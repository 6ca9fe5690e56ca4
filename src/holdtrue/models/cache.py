"""The log of paid calls: nothing is paid for twice, and everything that was paid for can be counted."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Protocol

from holdtrue.errors import JournalError, ModelError, RequestRefused
from holdtrue.models.call_lines import encode, read_call, scan
from holdtrue.models.chat import ChatModel, ModelAround, Reply, Request
from holdtrue.record import Usage


class CallLog:
    """A `CallLog` is an append-only file of calls, one JSON object a line, for one writer at a time.

    A line is handed to the operating system as soon as its reply is there: killing the process loses only calls
    in flight. It is not forced to the disk, which would cost milliseconds a call and protect only against the
    machine itself going down. A torn last line is dropped on opening. Replies stay in the file; memory holds
    their keys and places. `usage` is the sum over all calls in the file.

    Raises `JournalError` where the file cannot be opened, `RecordError` where a line is no call.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.usage = Usage()
        self._places: dict[str, tuple[int, int]] = {}
        self._end = 0
        self._torn = False  # there may be a part of a line behind the end
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file = path.open("a+b", buffering=0)
            try:
                self._load()
            except BaseException:
                self._file.close()  # whatever it was, nobody else has the file to close it
                raise
        except OSError as error:
            raise JournalError(f"{path}: the call log cannot be opened: {error.strerror}") from error

    def __len__(self) -> int:
        return len(self._places)

    def find(self, key: str) -> Reply | None:
        """Return the reply that was paid for under this key, or None; raises `RecordError` if its line is damaged."""
        place = self._places.get(key)
        return None if place is None else read_call(self._file, *place, self.path).reply

    def append(self, key: str, model: str, request: Request, reply: Reply) -> None:
        """Write down a paid call; raises `JournalError` where that fails."""
        data = encode(key, model, request, reply)
        left = memoryview(data)
        try:
            if self._torn:
                self._file.truncate(self._end)
            self._torn = True
            while left:
                left = left[self._file.write(left) :]
            self._torn = False
        except OSError as error:
            raise JournalError(f"{self.path}: the call log cannot be written: {error.strerror}") from error
        self._places[key] = (self._end, len(data))
        self._end += len(data)
        self.usage = self.usage + reply.usage

    def lose(self, usage: Usage) -> None:
        """Count what was paid for a call that brought no reply; there is no line of it in the file."""
        self.usage = self.usage + usage

    def close(self) -> None:
        """Close the file; calling it twice is harmless."""
        self._file.close()

    def _load(self) -> None:
        calls = prompt = completion = 0
        latency_s = 0.0
        with self.path.open("rb") as file:
            for place in scan(file, self.path):
                self._places[place.key] = (place.start, place.length)
                self._end = place.start + place.length
                calls += 1
                prompt += place.usage.prompt_tokens
                completion += place.usage.completion_tokens
                latency_s += place.usage.latency_s
        self.usage = Usage(calls, prompt, completion, latency_s)
        self._file.truncate(self._end)


class Calls(Protocol):
    """A log of paid calls: `CallLog` for one writer, `SharedCallLog` for several processes."""

    def find(self, key: str) -> Reply | None: ...

    def append(self, key: str, model: str, request: Request, reply: Reply) -> None: ...

    def lose(self, usage: Usage) -> None:
        """Count what was paid for a call that brought no reply."""
        ...


class LoggedModel(ModelAround):
    """A `LoggedModel` answers known requests from a log; it pays for new ones and writes them down.

    Requests that are the same at the same moment are paid for once. Closing it closes the model; the log stays open, as
    it belongs to whoever opened it.
    """

    def __init__(self, model: ChatModel, log: Calls) -> None:
        super().__init__(model)
        self._log = log
        self._under_way: dict[str, asyncio.Future[Reply]] = {}

    async def complete(self, request: Request) -> Reply:
        key = request.key(self.name)
        while (payer := self._under_way.get(key)) is not None:
            try:
                return await asyncio.shield(payer)
            except asyncio.CancelledError:
                task = asyncio.current_task()
                if not payer.cancelled() or (task is not None and task.cancelling()):
                    raise
                # The one who paid was cancelled, not we: look again, and pay if nobody else does.
        known = self._log.find(key)
        return await self._pay(key, request) if known is None else known

    async def _pay(self, key: str, request: Request) -> Reply:
        future = self._under_way[key] = asyncio.get_running_loop().create_future()
        try:
            reply = await self._model.complete(request)
            self._log.append(key, self.name, request, reply)
        except Exception as error:
            if isinstance(error, RequestRefused | ModelError) and any(error.spent):
                self._log.lose(Usage(1, *error.spent))
            # Whatever this request ran into, the same request at the same moment would.
            future.set_exception(error)
            future.exception()  # marks it as seen: that nobody else waits for it is no fault
            raise
        except BaseException:
            future.cancel()  # this task alone is to end: whoever waits for it pays instead
            raise
        else:
            future.set_result(reply)
            return reply
        finally:
            del self._under_way[key]
