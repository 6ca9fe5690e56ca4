"""The log of paid calls. No request is paid for twice, and every paid call is counted."""

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

    Each line goes to the operating system as soon as its reply arrives, so killing the process loses only calls in
    flight. It is not forced to the disk. That would cost milliseconds a call, and protect only against a crash of the
    machine. An incomplete last line is dropped on opening. Replies stay in the file; memory holds their keys and
    places. `usage` is the sum over all calls in the file.

    Raises `JournalError` if the file cannot be opened, and `RecordError` if a line is not a call.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.usage = Usage()
        self._places: dict[str, tuple[int, int]] = {}
        self._end = 0
        self._torn = False  # whether an incomplete line may follow the end
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file = path.open("a+b", buffering=0)
            try:
                self._load()
            except BaseException:
                self._file.close()  # no caller has the file yet
                raise
        except OSError as error:
            raise JournalError(f"{path}: the call log cannot be opened: {error.strerror}") from error

    def __len__(self) -> int:
        return len(self._places)

    def find(self, key: str) -> Reply | None:
        """Return the reply that was paid for under this key, or None. Raises `RecordError` if its line is damaged."""
        place = self._places.get(key)
        return None if place is None else read_call(self._file, *place, self.path).reply

    def append(self, key: str, model: str, request: Request, reply: Reply) -> None:
        """Write a paid call to the file. Raises `JournalError` if that fails."""
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
        """Count the cost of a call that brought no reply. The file has no line for it."""
        self.usage = self.usage + usage

    def close(self) -> None:
        """Close the file. Calling this twice is harmless."""
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
        """Count the cost of a call that brought no reply."""
        ...


class LoggedModel(ModelAround):
    """A `LoggedModel` answers known requests from a log. It pays for new ones and logs them.

    Equal requests at the same time are paid for once. Closing it closes the model. The log stays open for its owner.
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
                # The paying task was cancelled, not this one. Look again, and pay if no other task does.
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
            # An equal request at the same time would fail in the same way.
            future.set_exception(error)
            future.exception()  # marks it as retrieved, since possibly no other task waits
            raise
        except BaseException:
            future.cancel()  # only this task ends, and a waiting one pays instead
            raise
        else:
            future.set_result(reply)
            return reply
        finally:
            del self._under_way[key]
