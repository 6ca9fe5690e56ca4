"""Connections to PostgreSQL: their settings, their addresses without passwords, and the end of those that stall."""

from __future__ import annotations

import os
import re
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from holdtrue.errors import StoreError

if TYPE_CHECKING:
    from psycopg import Connection

_CONNECT_S, _STATEMENT_S = 10, 30
STALLED_S = 60.0
"""Seconds after which a connection whose server does not answer is broken."""
_URL = re.compile(r"postgres(?:ql)?://(?:[^@/?#\s]*@)?(?P<host>[\w.,:%\[\]-]*)(?:/(?P<name>[\w.%-]*))?(?:\?[^#\s]*)?")
_SETTINGS = {
    "statement_timeout": f"{_STATEMENT_S}s",
    "lock_timeout": f"{_STATEMENT_S}s",
    # A transaction has to see the rows that were written before it got its lock.
    "default_transaction_isolation": r"read\ committed",
    "default_transaction_read_only": "off",
}


def address_of(url: str) -> str:
    """Return the address of a database for messages, without user, password and options.

    Raises `StoreError` for another text, of which nothing is repeated.
    """
    match = _URL.fullmatch(url)
    if match is None:
        raise StoreError(
            "the address of the store is not understood: it has the form postgresql://USER:PASSWORD@HOST:PORT/NAME, "
            "with %40 for @, %2F for / and %3F for ? in a password"
        )
    return f"postgresql://{match['host']}/{unquote(match['name'] or '')}"


def connect(url: str, *, durable: bool) -> Connection[Any]:
    """Return a new connection. Raises `psycopg.Error`, and `StoreError` for an address that cannot be read."""
    import psycopg

    try:
        psycopg.conninfo.conninfo_to_dict(url)
    except psycopg.Error:  # Its text could repeat a password.
        raise StoreError(f"the address of the store {address_of(url)} has options that are not understood") from None
    settings = _SETTINGS | {"synchronous_commit": "on" if durable else "off"}
    options = " ".join(f"-c {name}={value}" for name, value in settings.items())
    return psycopg.connect(
        url,
        autocommit=True,
        connect_timeout=_CONNECT_S,
        options=options,
        keepalives_idle=10,
        tcp_user_timeout=int(1000 * STALLED_S),
    )


class Watch:
    """A `Watch` breaks connections whose server does not answer in time. A thread of its own looks at them."""

    def __init__(self, name: str) -> None:
        self._until: dict[Connection[Any], float] = {}
        self._lock = threading.Lock()
        self._ended = threading.Event()
        threading.Thread(target=self._run, name=f"watch {name}", daemon=True).start()

    @contextmanager
    def over(self, connection: Connection[Any]) -> Iterator[None]:
        """Break the connection if the block takes too long. Its work ends with an error of the library then."""
        with self._lock:
            self._until[connection] = time.monotonic() + STALLED_S
        try:
            yield
        finally:
            with self._lock:
                self._until.pop(connection, None)

    def close(self) -> None:
        """End the thread."""
        self._ended.set()

    def _run(self) -> None:
        while not self._ended.wait(min(1.0, STALLED_S / 4)):
            now = time.monotonic()
            with self._lock:
                late = [own for own, until in self._until.items() if until < now]
                for own in late:
                    del self._until[own]
                    _broken(own)


def _broken(connection: Connection[Any]) -> None:
    """Shut a connection down, so that the thread that waits for it sees its end."""
    import psycopg

    with suppress(OSError, psycopg.Error), socket.socket(fileno=os.dup(connection.fileno())) as own:
        own.shutdown(socket.SHUT_RDWR)
