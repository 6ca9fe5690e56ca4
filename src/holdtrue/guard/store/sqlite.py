"""A `SqliteStore` keeps events in one SQLite file. One thread writes, and commits the appends of many conversations
together.

A write-ahead log lets a commit survive the death of the process (`process`). With `power` it also survives a loss of
power, because the disk is synced before the commit is acknowledged. One sync takes milliseconds, so all waiting appends
share it (group commit).
"""

from __future__ import annotations

import asyncio
import hmac
import os
import sqlite3
import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import astuple
from pathlib import Path
from typing import Any, Literal

from holdtrue.errors import HoldtrueError, InputError, SettingsError, StoreError
from holdtrue.guard.moment_texts import utc_now
from holdtrue.guard.store.event import (
    ANSWERED,
    ERASED,
    FIRST,
    Before,
    Kept,
    NewEvent,
    StoredEvent,
    chained,
    check_names,
    is_whole,
    store_error,
    tombstone,
    written,
)
from holdtrue.guard.store.group_commit import GroupCommit, Job, fail_jobs, finish_job, key_bytes, written_how
from holdtrue.guard.store.memory import conflict

Durability = Literal["process", "power"]
_BUSY_S = 10.0
"""The number of seconds that a process waits while another one writes to the same file."""
_TABLE = """
CREATE TABLE IF NOT EXISTS event (
    tenant TEXT NOT NULL, conversation TEXT NOT NULL, seq INTEGER NOT NULL, at TEXT NOT NULL, kind TEXT NOT NULL,
    body TEXT NOT NULL, prev TEXT NOT NULL, hash TEXT NOT NULL,
    PRIMARY KEY (tenant, conversation, seq)
) WITHOUT ROWID
"""
_INDEX = f"CREATE INDEX IF NOT EXISTS event_answered ON event (tenant, body) WHERE kind = '{ANSWERED}'"
_COLUMNS = "tenant, conversation, seq, at, kind, body, prev, hash"
_INSERT = f"INSERT INTO event ({_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
_SELECT = f"SELECT {_COLUMNS} FROM event"
_LAST = "SELECT seq, hash, kind FROM event WHERE tenant = ? AND conversation = ? ORDER BY seq DESC LIMIT 1"


class SqliteStore:
    """A `SqliteStore` keeps events in a file that several processes may use at a time. Only its owner can read the
    file.

    With `durability="process"`, acknowledged events survive the end of the process. With `power` they survive a loss of
    power, too. With a `key` of at least 16 bytes, event hashes are made with it (HMAC). Without the key, which is
    stored nowhere, nobody can change an event unnoticed. Raises `StoreError` if the file cannot be opened, is of
    another kind, or has hashes of another key.
    """

    def __init__(self, path: str | Path, *, durability: Durability = "process", key: str | bytes | None = None) -> None:
        if durability not in ("process", "power"):
            raise SettingsError(f"durability is 'process' or 'power', not {durability!r:.60}")
        self.key = key_bytes(key)
        self.path = Path(path)
        if not self.path.name or "\0" in str(path):
            raise StoreError(f"the store {str(path)!r:.60} cannot be opened: that names no file")
        self._synchronous = "NORMAL" if durability == "process" else "FULL"
        self._make_private()
        first = self._connect()
        try:
            self._check_key(first)
        finally:
            first.close()
        self._readers = threading.local()
        self._reading: list[sqlite3.Connection] = []
        self._writing: sqlite3.Connection | None = None
        self._commits = GroupCommit(f"{self.path}", self._write, self._finish)

    def _connect(self) -> sqlite3.Connection:
        try:
            found = sqlite3.connect(self.path, timeout=_BUSY_S, isolation_level=None, check_same_thread=False)
            found.execute("PRAGMA journal_mode = WAL")
            found.execute(f"PRAGMA synchronous = {self._synchronous}")
            found.execute("PRAGMA secure_delete = ON")
            found.execute(_TABLE)
            found.execute(_INDEX)
        except (sqlite3.Error, OSError) as error:
            raise store_error(f"the store {self.path} cannot be opened", error) from error
        return found

    def _make_private(self) -> None:
        """Let only the owner read and write the file. SQLite gives its companion files the same mode."""
        try:
            os.close(os.open(self.path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
        except OSError:  # It exists, and is not opened here, because closing it would end SQLite's locks.
            for own in (self.path, *(self.path.with_name(self.path.name + end) for end in ("-wal", "-shm"))):
                with suppress(OSError):  # Only the owner can change the mode.
                    if own.stat().st_mode & 0o077:
                        own.chmod(0o600)

    def _check_key(self, connection: sqlite3.Connection) -> None:
        """Raise `StoreError` if the file was written with another key. A file without events accepts any key."""
        shown = hmac.digest(self.key, b"holdtrue store", "sha256").hex() if self.key else ""
        find, row = "SELECT shown FROM key_check", None
        with suppress(sqlite3.Error):
            row = connection.execute(find).fetchone()
        try:
            if row is None:
                connection.execute("BEGIN IMMEDIATE")
                connection.execute("CREATE TABLE IF NOT EXISTS key_check (shown TEXT NOT NULL)")
                row = connection.execute(find).fetchone()
                # Existing events have hashes without a key.
                own = "" if connection.execute("SELECT 1 FROM event LIMIT 1").fetchone() else shown
                if row is None:
                    connection.execute("INSERT INTO key_check VALUES (?)", (own,))
                    row = (own,)
                connection.execute("COMMIT")
        except sqlite3.Error as error:
            raise store_error(f"the store {self.path} cannot be opened", error) from error
        if row[0] != shown:
            raise StoreError(f"the store {self.path} cannot be opened: it was written {written_how(row[0], shown)}")

    # The methods of a store

    async def append(
        self, tenant: str, conversation: str, after: int, events: Sequence[NewEvent]
    ) -> tuple[StoredEvent, ...]:
        """Append events after number `after`; see `Store`."""
        check_names(tenant, conversation)

        def work(own: sqlite3.Connection) -> tuple[StoredEvent, ...]:
            row = own.execute(_LAST, (tenant, conversation)).fetchone()
            seq, prev, kind = (0, FIRST, "") if row is None else row
            if seq != after or kind == ERASED:
                raise conflict(tenant, conversation, after, seq, erased=kind == ERASED)
            found = chained(tenant, conversation, after, prev, events, self.key)
            own.executemany(_INSERT, [astuple(each) for each in found])
            return found

        (done,) = self._commits.given(work)
        result: tuple[StoredEvent, ...] = await asyncio.wrap_future(done)
        return result

    async def read(self, tenant: str, conversation: str, after: int = 0) -> tuple[StoredEvent, ...]:
        """Return the events of a conversation after number `after`; see `Store`."""
        where = "WHERE tenant = ? AND conversation = ? AND seq > ? ORDER BY seq"
        return tuple(StoredEvent(*row) for row in self._rows(f"{_SELECT} {where}", (tenant, conversation, after)))

    async def conversations(self, tenant: str | None = None) -> tuple[Kept, ...]:
        """Return the stored conversations; see `Store`."""
        where, given = ("", ()) if tenant is None else ("WHERE tenant = ?", (tenant,))
        last = (
            f"(SELECT max(seq) AS top, count(*) AS n, tenant AS t, conversation AS c FROM event {where} GROUP BY t, c)"
        )
        joined = "event.tenant = t AND event.conversation = c AND event.seq = top"
        rows = self._rows(f"SELECT t, c, n, at, kind FROM event JOIN {last} ON {joined} ORDER BY t, c", given)
        return tuple(Kept(own, name, number, at, kind == ERASED) for own, name, number, at, kind in rows)

    async def recent(
        self, tenant: str | None, *, containing: str = "", before: Before | None = None, most: int = 50
    ) -> tuple[Kept, ...]:
        """Return the conversations with the newest events; see `Store`."""
        if not is_whole(containing):
            return ()
        where, given = ["(? IS NULL OR tenant = ?)"], [tenant, tenant]
        if containing:
            # instr of lower texts takes % and _ as they are.
            has = "instr(lower(conversation), lower(?)) OR instr(lower(body), lower(?))"
            where.append(f"(tenant, conversation) IN (SELECT tenant, conversation FROM event WHERE {has})")
            given += [containing, containing]
        # SQLite takes the other columns from the row with the largest number.
        last = (
            "SELECT tenant, conversation, max(seq) AS top, count(*) AS n, at, kind FROM event "
            f"WHERE {' AND '.join(where)} GROUP BY tenant, conversation"
        )
        after = "" if before is None else "WHERE (at, tenant, conversation) < (?, ?, ?)"
        text = (
            f"SELECT tenant, conversation, n, at, kind FROM ({last}) {after} "
            "ORDER BY at DESC, tenant DESC, conversation DESC LIMIT ?"
        )
        rows = await asyncio.to_thread(self._rows, text, (*given, *(before or ()), most))
        return tuple(Kept(own, name, number, at, kind == ERASED) for own, name, number, at, kind in rows)

    async def conversation_with(self, tenant: str, kind: str, body: Mapping[str, Any]) -> str | None:
        """Return the conversation that has an event; see `Store`."""
        # The partial index serves only a condition that the text of the query has.
        is_answered = kind == ANSWERED
        own = f"kind = '{ANSWERED}'" if is_answered else "kind = ?"
        order = "ORDER BY at DESC, conversation DESC LIMIT 1"
        text = f"SELECT conversation FROM event WHERE tenant = ? AND {own} AND body = ? {order}"
        given = (tenant, *(() if is_answered else (kind,)), written(body))
        rows = self._rows(text, given)
        return rows[0][0] if rows else None

    async def erase(self, tenant: str, conversation: str, reason: str) -> StoredEvent:
        """Erase a conversation except for a tombstone, and overwrite its content in the file; see `Store`."""

        def work(own: sqlite3.Connection) -> StoredEvent:
            where = "WHERE tenant = ? AND conversation = ? ORDER BY seq DESC LIMIT 1"
            row = own.execute(f"{_SELECT} {where}", (tenant, conversation)).fetchone()
            if row is None:
                raise InputError(f"there is no conversation {conversation!r} of tenant {tenant!r} to erase")
            last = StoredEvent(*row)
            if last.kind == ERASED:
                return last
            left = tombstone(tenant, conversation, last, reason, utc_now(), self.key)
            own.execute("DELETE FROM event WHERE tenant = ? AND conversation = ?", (tenant, conversation))
            own.execute(_INSERT, astuple(left))
            return left

        # The write-ahead log has the old pages until a checkpoint. Both jobs are queued at once, so that closing the
        # store waits for both.
        erased, checkpointed = self._commits.given(work, alone=_checkpoint)
        found: StoredEvent = await asyncio.wrap_future(erased)
        await asyncio.wrap_future(checkpointed)
        return found

    async def aclose(self) -> None:
        """Wait until queued work is done, and release the file, which then holds all events without companion files."""
        await asyncio.to_thread(self._commits.close)

    # Implementation

    def _rows(self, text: str, given: tuple[Any, ...]) -> list[tuple[Any, ...]]:
        try:
            if not hasattr(self._readers, "own"):
                self._readers.own = self._connect()
                self._reading.append(self._readers.own)
            rows: list[tuple[Any, ...]] = self._readers.own.execute(text, given).fetchall()
        except sqlite3.Error as error:
            raise store_error(f"the store {self.path} cannot be read", error) from error
        return rows

    def _write(self, jobs: Sequence[Job]) -> None:
        """Do jobs and commit them, in the writing thread. After a failure the next commit opens the file anew."""
        try:
            connection = self._writing = self._writing or self._connect()
        except HoldtrueError as error:
            fail_jobs(jobs, error)
            return
        if jobs[0].alone:
            finish_job(jobs[0], _alone(connection))
        elif not self._commit(connection, jobs):
            connection.close()
            self._writing = None

    def _finish(self) -> None:
        for own in self._reading:
            own.close()
        with suppress(HoldtrueError):
            connection = self._writing or self._connect()
            _alone(connection)
            connection.close()

    def _commit(self, connection: sqlite3.Connection, jobs: Sequence[Job]) -> bool:
        """Do jobs in one transaction, acknowledge them after the commit, and return whether it succeeded."""
        results: list[tuple[Job, Any]] = []
        try:
            connection.execute("BEGIN IMMEDIATE")
            for job in jobs:
                connection.execute("SAVEPOINT one")
                try:
                    results.append((job, job.work(connection)))
                    connection.execute("RELEASE one")
                except sqlite3.Error:
                    raise
                except Exception as error:  # noqa: BLE001  it goes to its caller, and the others go on
                    connection.execute("ROLLBACK TO one")
                    connection.execute("RELEASE one")
                    results.append((job, error))
            connection.execute("COMMIT")
        except Exception as error:  # noqa: BLE001  the thread must go on, and every waiting caller needs an answer
            fail_jobs(jobs, store_error(f"the store {self.path} cannot be written", error))
            return False
        for job, result in results:
            finish_job(job, result)
        return True


def _checkpoint(connection: sqlite3.Connection) -> None:
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def _alone(connection: sqlite3.Connection) -> BaseException | None:
    try:
        _checkpoint(connection)
    except sqlite3.Error as error:
        return store_error("what was erased may still be in the log of the store", error)
    return None
