"""One thread that writes, and commits the waiting appends of many conversations together (group commit)."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any

from holdtrue.guard.store.event import store_error

MOST_TOGETHER = 2_000
"""At most this many jobs share one commit."""


@dataclass(frozen=True)
class Job:
    """A `Job` is work inside a transaction, and the future for its result. One that is `alone` shares no commit."""

    work: Any
    done: Future[Any]
    alone: bool = False


class GroupCommit:
    """A `GroupCommit` gives queued jobs to `commit`, in order, in a thread of its own.

    `commit` sets the results of all jobs. `finish` runs in the thread when the queue is closed and all jobs are done.
    """

    def __init__(self, name: str, commit: Callable[[Sequence[Job]], None], finish: Callable[[], None]) -> None:
        self.name = name
        self._commit, self._finish = commit, finish
        self._jobs: queue.SimpleQueue[Job | None] = queue.SimpleQueue()
        self._next: list[Job | None] = []
        """Jobs that the thread took from the queue and does first."""
        self._lock = threading.Lock()
        self._closed = False
        self._thread = threading.Thread(target=self._run, name=f"store {name}", daemon=True)
        self._thread.start()

    def given(self, *works: Any, alone: Any = None) -> list[Future[Any]]:
        """Queue jobs, and return their futures. The work `alone` is the last one. Raises `StoreError` once closed."""
        jobs = [Job(work, Future()) for work in works]
        jobs += [] if alone is None else [Job(alone, Future(), alone=True)]
        with self._lock:
            if self._closed:
                raise store_error(f"the store {self.name} cannot be used", RuntimeError("it was closed"))
            for job in jobs:
                job.done.set_running_or_notify_cancel()  # A cancelled caller does not undo a write.
                self._jobs.put(job)
        return [job.done for job in jobs]

    def close(self) -> None:
        """Wait until all queued jobs are done, and end the thread."""
        with self._lock:
            first = not self._closed
            self._closed = True
            if first:
                self._jobs.put(None)
        self._thread.join()

    def _run(self) -> None:
        while jobs := self._waiting():
            self._commit(jobs)
        self._finish()

    def _waiting(self) -> list[Job]:
        """Return queued jobs, at least one, or none once the queue is closed and all jobs are done."""
        first = self._next.pop() if self._next else self._jobs.get()
        if first is None:
            return []
        jobs = [first]
        while not first.alone and len(jobs) < MOST_TOGETHER:
            try:
                job = self._jobs.get_nowait()
            except queue.Empty:
                break
            if job is None or job.alone:
                self._next.append(job)  # The queue would put it after the end mark.
                break
            jobs.append(job)
        return jobs


def finish_job(job: Job, result: Any) -> None:
    """Give a job its result, which may be an error."""
    if isinstance(result, BaseException):
        job.done.set_exception(result)
    else:
        job.done.set_result(result)


def fail_jobs(jobs: Sequence[Job], error: BaseException) -> None:
    """Give all jobs the same error."""
    for job in jobs:
        job.done.set_exception(error)


def key_bytes(key: str | bytes | None) -> bytes:
    """Return the key of a store's hashes. Raises `SettingsError` for a short one."""
    from holdtrue.errors import SettingsError

    found = key.encode() if isinstance(key, str) else key or b""
    if key is not None and len(found) < _SHORTEST_KEY:
        raise SettingsError(f"the key of a store has at least {_SHORTEST_KEY} bytes, not {len(found)}")
    return found


_SHORTEST_KEY = 16


def written_how(shown: str, own: str) -> str:
    """Return how a store was written, by the check of its key (`shown`) and that of the given key (`own`)."""
    return "with a key, and none is given" if not own else "with another key" if shown else "without a key"
