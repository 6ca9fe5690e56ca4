"""Connections to PostgreSQL on which every statement ends in time, and whose errors show no password.

This module needs `psycopg`, so `PostgresStore` imports it only when it is made.
"""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any, TypeVar

import psycopg
from psycopg.abc import PQGen
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from holdtrue.errors import StoreError
from holdtrue.guard.store.event import store_error

Result = TypeVar("Result")
CONNECT_S = 10
LONGEST_S = 60.0
"""A statement without an answer ends here after this many seconds, and its connection is closed."""
_STATEMENT_S = 30
"""The server itself ends a statement, a wait for a lock, or an idle transaction, after this many seconds."""
_CLEAR = re.compile(r"(?!postgres(?:ql)?://).*|[^:]*://(?:[^@/?]*@)?[^@]*")
"""The addresses whose password ends where it seems to end: one with `@`, `/` or `?` could pass for a host or a name."""


class BoundedConnection(psycopg.Connection[Any]):
    """A `BoundedConnection` waits at most `LONGEST_S` seconds for a server that no longer answers."""

    def wait(self, gen: PQGen[Result], *args: Any, **options: Any) -> Result:
        """Do what `gen` does, and close the connection if that takes too long."""
        try:
            return super().wait(_ending(gen, time.monotonic() + LONGEST_S), *args, **options)
        except psycopg.errors.ConnectionTimeout:
            self.close()
            raise


def _ending(gen: PQGen[Result], end: float) -> PQGen[Result]:
    """Pass on a generator of psycopg, which is resumed at least every tenth of a second, until the moment `end`."""
    try:
        awaited = next(gen)
        while True:
            ready = yield awaited
            if time.monotonic() > end:
                raise psycopg.errors.ConnectionTimeout(f"the server did not answer for {LONGEST_S:g} seconds")
            awaited = gen.send(ready)
    except StopIteration as done:
        result: Result = done.value
        return result


class Server:
    """A `Server` makes and keeps connections to the database at a `url`, and reads on them. `where` is for messages."""

    def __init__(self, url: str, synchronous_commit: str) -> None:
        parts = _parts(url)
        port = f":{parts['port']}" if "port" in parts else ""
        self.where = f"postgresql://{parts.get('host', '')}{port}/{parts.get('dbname', '')}"
        bounds = ("statement_timeout", "lock_timeout", "idle_in_transaction_session_timeout")
        bounded = " ".join(f"-c {name}={_STATEMENT_S}s" for name in bounds)
        options = f"{bounded} -c synchronous_commit={synchronous_commit}"
        # Of several hosts, the primary one takes events.
        self._conninfo = make_conninfo(
            url, options=options, connect_timeout=CONNECT_S, keepalives_idle=10, target_session_attrs="primary"
        )
        self._idle: list[BoundedConnection] = []
        self._lock = threading.Lock()

    def connect(self) -> BoundedConnection:
        """Return a new connection. Raises `StoreError`."""
        try:
            found = BoundedConnection.connect(self._conninfo, autocommit=True)
        except psycopg.Error as error:
            read_only = ", because the server is read only" if "hot standby" in str(error) else ""
            raise self.error(f"cannot be opened{read_only}", error) from error
        # Who waited for a conversation's lock must see what was committed meanwhile. A database may default otherwise.
        found.isolation_level, found.read_only = psycopg.IsolationLevel.READ_COMMITTED, False
        return found

    def error(self, what: str, error: BaseException) -> StoreError:
        """Return the error of an operation that failed."""
        return store_error(f"the store {self.where} {what}", error)

    def read(self, read: Callable[[BoundedConnection], Result]) -> Result:
        """Read with an idle connection, or a new one. A connection that broke while idle is replaced once."""
        with self._lock:
            connection = self._idle.pop() if self._idle else None
        for own in (connection, None) if connection is not None else (None,):
            used = own or self.connect()
            try:
                found = read(used)
            except psycopg.Error as error:
                used.close()
                if own is None or not isinstance(error, psycopg.OperationalError):
                    raise self.error("cannot be read", error) from error
                continue
            with self._lock:
                self._idle.append(used)
            return found
        raise AssertionError("the last connection returns or raises")

    def close(self) -> None:
        """Close the idle connections."""
        for own in self._idle:
            own.close()


def is_refusal(error: Exception) -> bool:
    """Return whether the cause of an error may be one event, and not the connection or the server."""
    is_limit = isinstance(error, psycopg.errors.ProgramLimitExceeded)  # It is an OperationalError.
    return is_limit or not isinstance(error, psycopg.OperationalError | StoreError)


def _parts(url: str) -> dict[str, Any]:
    """Return the parts of an address. Raises `StoreError`, which repeats nothing of an unclear address."""
    if url.isprintable() and _CLEAR.fullmatch(url):
        with suppress(psycopg.Error):
            parts = conninfo_to_dict(url)
            if re.fullmatch(r"[\d,]*", str(parts.get("port", ""))):
                return parts
    raise StoreError(
        "the store cannot be opened: its address is not of the form postgresql://user:password@host:port/name. "
        "Write other characters of a password as in a URL, such as %40 for @"
    )
