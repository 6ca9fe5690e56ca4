"""A `PostgresStore` keeps events in a database of PostgreSQL, which many processes on many machines may use at a time.

One thread writes. It commits the appends of many conversations together, with as many round trips as for one append.
"""

from __future__ import annotations

import asyncio
import hashlib
import hmac
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from holdtrue.errors import InputError, SettingsError, StoreError
from holdtrue.extras import need
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
    tombstone,
    written,
)
from holdtrue.guard.store.group_commit import GroupCommit, Job, finish_job, key_bytes, written_how
from holdtrue.guard.store.memory import conflict, lowered
from holdtrue.guard.store.sqlite import Durability

if TYPE_CHECKING:
    from psycopg import Connection

_MIGRATIONS = (
    # Names are bytes, because a text of PostgreSQL has no zero byte, and bytes have one order everywhere.
    """
    CREATE TABLE event (
        tenant bytea NOT NULL, conversation bytea NOT NULL, seq bigint NOT NULL, at text COLLATE "C" NOT NULL,
        kind text NOT NULL, body text NOT NULL, prev text NOT NULL, hash text NOT NULL,
        PRIMARY KEY (tenant, conversation, seq)
    );
    CREATE TABLE key_check (shown text NOT NULL);
    """,
    f"CREATE INDEX event_answered ON event (tenant, md5(body)) WHERE kind = '{ANSWERED}'",
)
"""The steps from an empty database to the present tables, in order. A step is never changed, only followed."""
_MIGRATING = 7_102_406_571
"""The number of the lock that a migrating process holds."""
_LARGEST = 250_000_000
"""The most characters of an event. PostgreSQL ends the connection of who sends more than a gigabyte."""
_COLUMNS = "tenant, conversation, seq, at, kind, body, prev, hash"
_INSERT = f"INSERT INTO event ({_COLUMNS}) VALUES (%s, %s, %s, %s, %s, %s, %s, %s)"
_LOCK = "SELECT pg_advisory_xact_lock(own) FROM unnest(%s::bigint[]) AS own"
_LAST = """
SELECT own.t, own.c, last.seq, last.hash, last.kind FROM unnest(%s::bytea[], %s::bytea[]) AS own(t, c)
JOIN LATERAL (SELECT seq, hash, kind FROM event WHERE tenant = own.t AND conversation = own.c ORDER BY seq DESC LIMIT 1)
AS last ON true
"""
_KEPT = """
SELECT own.tenant, own.conversation, own.n, last.at, last.kind FROM (
    SELECT tenant, conversation, count(*) AS n, max(seq) AS top FROM event WHERE {where} GROUP BY tenant, conversation
) AS own JOIN event AS last
ON last.tenant = own.tenant AND last.conversation = own.conversation AND last.seq = own.top
"""
# Bytes are compared, because names may have zero bytes. The escaped form is one of ASCII, so it can be made lower.
_HAS = """
(tenant, conversation) IN (SELECT tenant, conversation FROM event
    WHERE position(%s IN convert_to(lower(body COLLATE "C"), 'UTF8')) > 0
    OR position(%s IN decode(lower(encode(conversation, 'escape') COLLATE "C"), 'escape')) > 0)
"""


@dataclass(frozen=True)
class _Append:
    """An `_Append` is one call of `append`."""

    tenant: str
    conversation: str
    after: int
    events: Sequence[NewEvent]

    @property
    def name(self) -> tuple[bytes, bytes]:
        """Return the name of the conversation as it is stored."""
        return self.tenant.encode(), self.conversation.encode()


class PostgresStore:
    """A `PostgresStore` keeps events in the database at a `url` such as `postgresql://user@host/name`.

    With `durability="power"`, acknowledged events survive the death of the server, and a loss of power if its disks do.
    With `process` they survive the end of this process; a server that dies may lose the last half second. With a `key`
    of at least 16 bytes, event hashes are made with it (HMAC).

    Tables are made and brought up to date when the store is opened. Raises `StoreError` if the database cannot be
    reached, is of a later version, or has hashes of another key.
    """

    def __init__(self, url: str, *, durability: Durability = "power", key: str | bytes | None = None) -> None:
        need("a store in PostgreSQL", "psycopg")
        if durability not in ("process", "power"):
            raise SettingsError(f"durability is 'process' or 'power', not {durability!r:.60}")
        from holdtrue.guard.store.postgres_connection import Server

        self.key = key_bytes(key)
        self._server = Server(url, "off" if durability == "process" else "on")
        self.where = self._server.where
        first = self._server.connect()
        try:
            self._migrate(first)
            self._check_key(first)
        finally:
            first.close()
        self._writing: Connection[Any] | None = None
        self._commits = GroupCommit(self.where, self._write, self._finish)

    def _migrate(self, connection: Connection[Any]) -> None:
        import psycopg

        try:
            with connection.transaction():
                connection.execute("SELECT pg_advisory_xact_lock(%s)", (_MIGRATING,))
                connection.execute("CREATE TABLE IF NOT EXISTS schema_version (version integer NOT NULL)")
                row = connection.execute("SELECT max(version) FROM schema_version").fetchone()
                version = (row[0] if row else None) or 0
                if version > len(_MIGRATIONS):
                    raise StoreError(f"the store {self.where} cannot be opened: it is of a later version, {version}")
                for number, step in enumerate(_MIGRATIONS[version:], version + 1):
                    connection.execute(step.encode())
                    connection.execute("INSERT INTO schema_version VALUES (%s)", (number,))
        except psycopg.Error as error:
            raise self._server.error("cannot be opened", error) from error

    def _check_key(self, connection: Connection[Any]) -> None:
        """Raise `StoreError` if the events were written with another key. An empty store accepts any key."""
        import psycopg

        shown = hmac.digest(self.key, b"holdtrue store", "sha256").hex() if self.key else ""
        try:
            with connection.transaction():
                connection.execute("SELECT pg_advisory_xact_lock(%s)", (_MIGRATING,))
                row = connection.execute("SELECT shown FROM key_check").fetchone()
                if row is None:
                    connection.execute("INSERT INTO key_check VALUES (%s)", (shown,))
                    row = (shown,)
        except psycopg.Error as error:
            raise self._server.error("cannot be opened", error) from error
        if row[0] != shown:
            raise StoreError(f"the store {self.where} cannot be opened: it was written {written_how(row[0], shown)}")

    # The methods of a store

    async def append(
        self, tenant: str, conversation: str, after: int, events: Sequence[NewEvent]
    ) -> tuple[StoredEvent, ...]:
        """Append events after number `after`; see `Store`."""
        check_names(tenant, conversation)
        (done,) = self._commits.given(_Append(tenant, conversation, after, events))
        result: tuple[StoredEvent, ...] = await asyncio.wrap_future(done)
        return result

    async def read(self, tenant: str, conversation: str, after: int = 0) -> tuple[StoredEvent, ...]:
        """Return the events of a conversation after number `after`; see `Store`."""
        where = "WHERE tenant = %s AND conversation = %s AND seq > %s ORDER BY seq"
        given = (tenant.encode(), conversation.encode(), after)
        return tuple(_event(row) for row in await self._rows(f"SELECT {_COLUMNS} FROM event {where}", given))

    async def conversations(self, tenant: str | None = None) -> tuple[Kept, ...]:
        """Return the stored conversations; see `Store`."""
        where, given = ("true", ()) if tenant is None else ("tenant = %s", (tenant.encode(),))
        rows = await self._rows(f"{_KEPT.format(where=where)} ORDER BY own.tenant, own.conversation", given)
        return tuple(map(_kept, rows))

    async def recent(
        self, tenant: str | None, *, containing: str = "", before: Before | None = None, most: int = 50
    ) -> tuple[Kept, ...]:
        """Return the conversations with the newest events; see `Store`."""
        where, given = ["true"], list[Any]()
        if tenant is not None:
            where, given = ["tenant = %s"], [tenant.encode()]
        if containing:
            if not is_whole(containing):
                return ()
            where.append(_HAS)
            given += [lowered(containing).encode()] * 2
        after = ""
        if before is not None:
            after = 'WHERE (last.at, last.tenant, last.conversation) < (%s COLLATE "C", %s, %s)'
            given += [before[0], before[1].encode(), before[2].encode()]
        order = "ORDER BY last.at DESC, last.tenant DESC, last.conversation DESC LIMIT %s"
        rows = await self._rows(f"{_KEPT.format(where=' AND '.join(where))} {after} {order}", (*given, most))
        return tuple(map(_kept, rows))

    async def conversation_with(self, tenant: str, kind: str, body: Mapping[str, Any]) -> str | None:
        """Return the conversation that has an event; see `Store`."""
        # The partial index serves only a condition that the text of the query has.
        own = f"kind = '{ANSWERED}'" if kind == ANSWERED else "kind = %s"
        where = f"tenant = %s AND {own} AND md5(body) = md5(%s) AND body = %s"
        order = "ORDER BY at DESC, conversation DESC"
        given = (tenant.encode(), *(() if kind == ANSWERED else (kind,)), written(body), written(body))
        rows = await self._rows(f"SELECT conversation FROM event WHERE {where} {order} LIMIT 1", given)
        return str(rows[0][0], "utf-8") if rows else None

    async def erase(self, tenant: str, conversation: str, reason: str) -> StoredEvent:
        """Erase a conversation except for a tombstone; see `Store`. A later VACUUM frees the place in the files."""
        name = tenant.encode(), conversation.encode()

        def work(connection: Connection[Any]) -> StoredEvent:
            connection.execute(_LOCK, ([_lock_number(*name)],))
            where = "WHERE tenant = %s AND conversation = %s ORDER BY seq DESC LIMIT 1"
            row = connection.execute(f"SELECT {_COLUMNS} FROM event {where}".encode(), name).fetchone()
            if row is None:
                raise InputError(f"there is no conversation {conversation!r} of tenant {tenant!r} to erase")
            last = _event(row)
            if last.kind == ERASED:
                return last
            left = tombstone(tenant, conversation, last, reason, utc_now(), self.key)
            connection.execute("DELETE FROM event WHERE tenant = %s AND conversation = %s", name)
            connection.execute(_INSERT.encode(), _row(left))
            return left

        (done,) = self._commits.given(alone=work)
        found: StoredEvent = await asyncio.wrap_future(done)
        return found

    async def aclose(self) -> None:
        """Wait until queued work is done, and close all connections."""
        await asyncio.to_thread(self._commits.close)

    async def _rows(self, text: str, given: Sequence[Any]) -> list[tuple[Any, ...]]:
        def read(connection: Connection[Any]) -> list[tuple[Any, ...]]:
            return connection.execute(text.encode(), given).fetchall()

        # In a thread, because a server may be far away.
        return await asyncio.to_thread(self._server.read, read)

    # Writing, in one thread

    def _write(self, jobs: Sequence[Job]) -> None:
        """Do jobs in one transaction. If that is refused, do each half in its own, so that a bad job fails alone."""
        from holdtrue.guard.store.postgres_connection import is_refusal

        try:
            results = self._committed(jobs)
        except Exception as error:  # noqa: BLE001  the thread must go on, and every caller needs an answer
            if len(jobs) > 1 and is_refusal(error):
                middle = len(jobs) // 2
                self._write(jobs[:middle])
                self._write(jobs[middle:])
                return
            is_told = isinstance(error, InputError | StoreError)
            results = [error if is_told else self._server.error("cannot be written", error)] * len(jobs)
        for job, result in zip(jobs, results, strict=True):
            finish_job(job, result)

    def _committed(self, jobs: Sequence[Job]) -> list[Any]:
        """Return the results of one transaction. It is tried again after a lost connection, unless a commit began."""
        import psycopg

        for is_last in (False, True):
            begun = False
            try:
                connection = self._writing = self._writing or self._server.connect()
                with connection.transaction():
                    results = [jobs[0].work(connection)] if jobs[0].alone else self._appended(connection, jobs)
                    begun = True
                return results
            except psycopg.OperationalError:
                if self._writing is not None:
                    self._writing.close()
                self._writing = None
                if is_last or begun:
                    raise
        raise AssertionError("the last transaction returns or raises")

    def _appended(self, connection: Connection[Any], jobs: Sequence[Job]) -> list[Any]:
        """Insert the events of appends, and return a result for each: the stored events, or a conflict."""
        appends: list[_Append] = [job.work for job in jobs]
        names = sorted({own.name for own in appends})
        # All processes take the locks in one order, so that none waits for another in a circle.
        connection.execute(_LOCK, (sorted({_lock_number(*own) for own in names}),))
        rows = connection.execute(_LAST, ([own[0] for own in names], [own[1] for own in names])).fetchall()
        last = {(bytes(t), bytes(c)): (seq, hash, kind) for t, c, seq, hash, kind in rows}
        results: list[Any] = []
        new: list[StoredEvent] = []
        for own in appends:
            seq, prev, kind = last.get(own.name, (0, FIRST, ""))
            if seq != own.after or kind == ERASED:
                found = conflict(own.tenant, own.conversation, own.after, seq, erased=kind == ERASED)
                results.append(found)
                continue
            events = chained(own.tenant, own.conversation, seq, prev, own.events, self.key)
            results.append(events)
            new += events
            if events:
                last[own.name] = events[-1].seq, events[-1].hash, events[-1].kind
        with connection.cursor() as cursor:
            cursor.executemany(_INSERT.encode(), [_row(own) for own in new])
        return results

    def _finish(self) -> None:
        self._server.close()
        if self._writing is not None:
            self._writing.close()


def _row(event: StoredEvent) -> tuple[Any, ...]:
    if len(event.body) > _LARGEST:
        raise ValueError(f"an event has {len(event.body):,} characters, and at most {_LARGEST:,} can be kept")
    names = event.tenant.encode(), event.conversation.encode()
    return *names, event.seq, event.at, event.kind, event.body, event.prev, event.hash


def _event(row: Sequence[Any]) -> StoredEvent:
    tenant, conversation, *rest = row
    return StoredEvent(str(tenant, "utf-8"), str(conversation, "utf-8"), *rest)


def _kept(row: Sequence[Any]) -> Kept:
    tenant, conversation, number, at, kind = row
    return Kept(str(tenant, "utf-8"), str(conversation, "utf-8"), number, at, kind == ERASED)


def _lock_number(tenant: bytes, conversation: bytes) -> int:
    """Return the number of a conversation's lock. Two conversations with one number only wait for each other."""
    digest = hashlib.sha256(b"%d:%b%b" % (len(tenant), tenant, conversation)).digest()
    return int.from_bytes(digest[:8], "big", signed=True)
