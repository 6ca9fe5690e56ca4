"""Audit one shard: read its rows, check them, and write the results to a file that appears only when it is complete.

`audit_shard` takes and returns plain values, so that a process of a pool or a machine of a cluster can run it.
"""

from __future__ import annotations

import asyncio
import atexit
import json
import time
from collections import Counter
from collections.abc import Callable, Coroutine, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any
from uuid import uuid4

import fsspec

from holdtrue.audit.call_audit import CallAuditor, FoundCall, FoundEnd
from holdtrue.audit.chat_reader import ChatReader, ReaderUnavailable
from holdtrue.audit.log_row import NOTHING, LogRow, all_fields, cut, field_in
from holdtrue.audit.shard_job import AuditSettings, Counts, ReadingMeans, ShardJob, bad_path, table_path
from holdtrue.audit.shards import BadRow, Shard, read_rows
from holdtrue.audit.turn_checker import Checker
from holdtrue.audit.verdict_table import (
    BAD_ROWS,
    VERDICTS,
    AuditRows,
    FoundTurn,
    bad_columns,
    verdict_columns,
    write_table,
)
from holdtrue.errors import HoldtrueError, InfrastructureError, RecordError
from holdtrue.models.gate import TokenLimitReached
from holdtrue.world.registry import BUILTIN, find_domain

Coming = Coroutine[Any, Any, Sequence[FoundTurn]]
"""The verdicts on a conversation, which have to be awaited."""


class TurnAuditor(Checker):
    """A `TurnAuditor` checks the turns of a log, one in each row.

    A row with `messages` and without constraints is a conversation, and a `ChatReader` reads it.
    """

    def __init__(self, settings: AuditSettings, means: ReadingMeans, out: str) -> None:
        default = find_domain(settings.domain) if settings.domain else None
        super().__init__(BUILTIN, default, explain=settings.explain, budget=settings.budget)
        self._chats = ChatReader(default, settings, means, out)
        self.at_once = self._chats.at_once
        self.seen: Counter[str] = Counter()

    def begin(self, source: str) -> AuditRows:
        """Begin another part of a log, and forget which conversations already had a broken turn."""
        self._explained.clear()
        return AuditRows(source, VERDICTS, verdict_columns)

    async def aclose(self) -> None:
        """Release the model that reads, if there is one."""
        await self._chats.aclose()

    def check_row(self, turn: LogRow | None, line: bytes | None) -> Sequence[FoundTurn] | Coming:
        """Return the verdict on a turn, or a coroutine for a conversation. Raises `RecordError` for other rows."""
        if _has(turn, line, "messages") and not _has(turn, line, "constraints"):
            return self._chats.check(turn, line)
        checked = self.check_turn(turn, line)
        return [FoundTurn(turn.conversation if turn is not None else field_in(line, "conversation"), checked)]


def _has(turn: LogRow | None, line: bytes | None, name: str) -> bool:
    """Return whether a row has a field that is not null."""
    if turn is None:
        return field_in(line, name) is not None
    own = getattr(turn, name)
    return own is not NOTHING and bytes(own) != bytes(NOTHING)


_LONGEST_REASON = 120
Auditor = TurnAuditor | CallAuditor
Found = FoundTurn | FoundCall | FoundEnd


@dataclass
class _Held:
    """The objects that a process keeps from shard to shard: the auditor, its audit, and the event loop for a model."""

    audit: tuple[AuditSettings, ReadingMeans, str] | None = None
    auditor: Auditor | None = None
    runner: asyncio.Runner | None = None


_HELD = _Held()


def _auditor(job: ShardJob) -> Auditor:
    """Return the auditor that this process keeps, or a new one for another audit."""
    audit = job.settings, job.means, job.out
    if _HELD.auditor is None or _HELD.audit != audit:
        release()
        _HELD.auditor = TurnAuditor(*audit) if job.settings.policy is None else CallAuditor(job.settings)
        _HELD.audit = audit
        atexit.register(_drop)
    return _HELD.auditor


def _runner() -> asyncio.Runner:
    if _HELD.runner is None:
        _HELD.runner = asyncio.Runner()
    return _HELD.runner


def release() -> None:
    """Release everything that this process keeps for further shards: models, files and solvers."""
    auditor, runner = _HELD.auditor, _HELD.runner
    try:
        if auditor is not None and runner is not None:
            runner.run(auditor.aclose())
    finally:
        _drop()


def _drop() -> None:
    """Drop the kept objects. At the end of the process this happens before the solver's library is unloaded."""
    runner = _HELD.runner
    _HELD.audit = _HELD.auditor = _HELD.runner = None
    atexit.unregister(_drop)
    if runner is not None:
        runner.close()


def audit_shard(job: ShardJob) -> Counts:
    """Audit a shard and return its counts.

    The results are written under another name and then renamed. Raises `RecordError` if the shard cannot be read.
    Raises `InfrastructureError` or `TokenLimitReached` if a model cannot be asked; nothing is written then.
    """
    auditor, shard = _auditor(job), job.shard
    part = _Part(auditor, shard)
    begun, before, seen = time.process_time(), auditor.quick, Counter(auditor.seen)
    try:
        for number, row in read_rows(shard, whole=job.settings.policy is not None):
            part.take(number, row)
        if part.waiting:
            _runner().run(part.wait())
    finally:
        part.close()
    part.counts.quick = auditor.quick - before
    part.counts.seen = auditor.seen - seen
    part.counts.cpu_s = time.process_time() - begun
    _write(part, job)
    return part.counts


Row = bytes | LogRow | BadRow
_FATAL = (InfrastructureError, TokenLimitReached, ReaderUnavailable)
"""Errors that end a shard, because every further row would cause them, too."""


class _Part:
    """The results of one shard."""

    def __init__(self, auditor: Auditor, shard: Shard) -> None:
        self.auditor = auditor
        self.rows, self.counts = auditor.begin(shard.source), Counts()
        self.bad = AuditRows(shard.source, BAD_ROWS, bad_columns)
        self.waiting: list[tuple[int, Row, Coming]] = []
        self.end: Exception | None = None

    def take(self, number: int, row: Row) -> None:
        """Check a row, or begin its check if the results have to be awaited."""
        self.counts.rows += 1
        if isinstance(row, BadRow):
            self._keep_apart(number, row, RecordError(row.reason))
            return
        turn, line = (row, None) if isinstance(row, LogRow) else (cut(row), row)
        try:
            found = self.auditor.check_row(turn, line)
        except _FATAL:
            raise
        except Exception as error:  # noqa: BLE001  a row that fails in any way becomes a bad row
            self._keep_apart(number, row, error)
            return
        if isinstance(found, Coroutine):
            self.waiting.append((number, row, found))
        else:
            self._add(number, found)

    async def wait(self) -> None:
        """Await the checks that were begun, as many at a time as the auditor says.

        After a fatal error no further check begins. Those under way are completed, so that paid model calls are kept.
        """
        free = asyncio.Semaphore(self.auditor.at_once)
        await asyncio.gather(*(self._wait_for(free, *own) for own in self.waiting))
        if self.end is not None:
            raise self.end

    async def _wait_for(self, free: asyncio.Semaphore, number: int, row: Row, coming: Coming) -> None:
        async with free:
            if self.end is not None:
                coming.close()
                return
            try:
                self._add(number, await coming)
            except _FATAL as error:
                self.end = error
            except Exception as error:  # noqa: BLE001  as in `take`
                self._keep_apart(number, row, error)

    def close(self) -> None:
        """Close the coroutines that were not awaited."""
        for _, _, coming in self.waiting:
            coming.close()

    def _add(self, number: int, found: Sequence[Found]) -> None:
        for own in found:
            self.rows.add(number, own)
            self.counts.outcomes[own.outcome] += 1
            self.counts.partly_read += own.partly_read
            if own.codes:
                self.counts.triggers.update(own.codes)

    def _keep_apart(self, number: int, row: Row, error: Exception) -> None:
        known = isinstance(error, HoldtrueError)
        reason = str(error) if known else f"it cannot be checked: {type(error).__name__}: {error}"
        self.counts.bad += 1
        self.counts.reasons[reason[:_LONGEST_REASON]] += 1
        self.bad.add(number, (reason, _written(row)))


def _write(part: _Part, job: ShardJob) -> None:
    number, counts = job.shard.number, part.counts.to_json()
    if part.bad.rows:
        put_whole(bad_path(job.out, number), lambda stream: write_table(part.bad.table(), stream, {}))
    place = table_path(job.out, job.settings, number)
    put_whole(place, lambda stream: write_table(part.rows.table(), stream, counts))


def _written(row: Row) -> bytes:
    """Return a bad row as bytes: a line unchanged, or a row of a table as JSON."""
    if isinstance(row, bytes):
        return row
    if isinstance(row, BadRow):
        return row.text
    return json.dumps(all_fields(row), ensure_ascii=False, default=repr).encode("utf-8", "replace")


def put_whole(path: str, write: Callable[[Any], object]) -> None:
    """Write a file under another name, and then rename it, so that it is always complete.

    Raises `InfrastructureError` if it cannot be written.
    """
    system, name = fsspec.core.url_to_fs(path)
    folder, _, last = name.rpartition("/")
    beside = f"{folder}/.{last}.{uuid4().hex[:8]}"
    try:
        system.makedirs(folder, exist_ok=True)
        with system.open(beside, "wb") as stream:
            write(stream)
        system.mv(beside, name)
    except OSError as error:
        with suppress(OSError):
            system.rm(beside)
        raise InfrastructureError(f"{path}: cannot be written: {error}") from error
