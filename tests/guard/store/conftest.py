"""The server of PostgreSQL that all tests of a process share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.guard.store.postgres_server import PostgresServer, missing


@pytest.fixture(scope="module")
def own_server() -> Iterator[PostgresServer]:
    """A server that only the tests of one file use, which may stop it."""
    server = PostgresServer()
    yield server
    server.stop()


@pytest.fixture(scope="session")
def postgres() -> Iterator[PostgresServer]:
    if (why := missing()) is not None:
        pytest.skip(why)
    server = PostgresServer()
    yield server
    server.stop()
