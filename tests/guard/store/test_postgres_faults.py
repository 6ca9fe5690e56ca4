"""A store in PostgreSQL goes on when a server stalls, defaults otherwise or refuses an event, and shows no password."""

from __future__ import annotations

import asyncio
import random
import threading
import traceback
from contextlib import suppress
from typing import Any
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdtrue.errors import HoldtrueError, StoreConflict, StoreError
from holdtrue.guard.store import postgres_connection
from holdtrue.guard.store.event import NewEvent
from holdtrue.guard.store.opening import open_store
from holdtrue.guard.store.postgres import PostgresStore
from tests.guard.store.postgres_server import PostgresServer, needs_postgres
from tests.guard.store.test_stores import AT, said

pytestmark = needs_postgres


async def test_a_connection_that_stalls_is_left_and_a_server_that_stalls_is_told(
    own_server: PostgresServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postgres_connection, "CONNECT_S", 2)
    store = PostgresStore(own_server.database("stalls"))
    await store.append("t", "c", 0, [said("one")])
    await store.read("t", "c")
    monkeypatch.setattr(postgres_connection, "LONGEST_S", 0.5)
    with own_server.stalled(own_server.backends("stalls")):
        assert len(await asyncio.wait_for(store.append("t", "c", 1, [said("two")]), 10)) == 1, "on a new connection"
        assert len(await asyncio.wait_for(store.read("t", "c"), 10)) == 2
    with own_server.stalled([*own_server.backends("stalls"), own_server.pid()]):
        works = [store.append("t", f"d{place}", 0, [said("x")]) for place in range(5)]
        found = await asyncio.wait_for(asyncio.gather(*works, store.read("t", "c"), return_exceptions=True), 30)
        assert [type(each) for each in found] == [StoreError] * 6, found
    assert len(await store.append("t", "c", 2, [said("three")])) == 1, "the store goes on by itself"
    await store.aclose()


SECRET = "s3cr3t"
ODD = st.text(alphabet="@/?#:%&=+ '\"\\[]12a\0\n\ud800é", max_size=6)


@given(left=ODD, right=ODD)
def test_no_error_shows_a_password(left: str, right: str) -> None:
    password = left + SECRET + right
    coded = quote(password, safe="", errors="replace")
    for own in (password, coded, "".join(f"%{each:02x}" for each in password.encode(errors="replace"))):
        for url in (
            f"postgresql://u:{own}@127.0.0.1:1/db",
            f"postgres://u:{own}@127.0.0.1:port/db",
            f"postgresql://u:{own}",
            f"postgresql://127.0.0.1:1/db?user=u&password={own}",
            f"postgresql://u@127.0.0.1:1/db?password={own}&sslmode=none",
            f"host=127.0.0.1 port=1 password={own} dbname=db",
            f"host=127.0.0.1 password='{own}' port=x",
            f"postgresql+psycopg://u:{own}@127.0.0.1:1/db",
        ):
            for opened in (PostgresStore, open_store):
                with pytest.raises(HoldtrueError) as caught:
                    opened(url)
                assert SECRET not in "".join(traceback.format_exception(caught.value)), url


async def test_a_store_and_its_thread_show_no_password(postgres: PostgresServer) -> None:
    postgres.database("shown")
    for url in (
        postgres.url("shown").replace("holdtrue@", f"holdtrue:{SECRET}%40%2F@"),
        f"{postgres.url('shown')}&password={SECRET}",
        f"{postgres.url().partition('?')[2]} user=holdtrue dbname=shown password={SECRET}",
    ):
        store = PostgresStore(url)
        assert store.where.endswith("/shown") and SECRET not in store.where
        assert SECRET not in " ".join(own.name for own in threading.enumerate())
        await store.aclose()


async def test_an_event_that_is_refused_fails_alone(postgres: PostgresServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("holdtrue.guard.store.postgres._LARGEST", 1000)
    store = PostgresStore(postgres.database("refused"))
    endless: dict[str, Any] = {}
    endless["own"] = endless
    incompressible = "".join(map(chr, random.Random(0).choices(range(0x10000, 0x1FFFF), k=500)))
    bad = {
        "zero": NewEvent("he\0ard", {}, AT),
        "half": NewEvent("heard", {}, "\ud800"),
        "huge": said("x" * 1001),
        "endless": NewEvent("heard", endless, AT),
        incompressible: said("a name that is too long for the index"),
    }
    works = {f"{place}": said("fine") for place in range(40)} | bad
    works = dict(random.Random(1).sample([*works.items()], len(works)))
    tenant = incompressible  # With it, the long name is beyond what the index takes.
    done = (store.append(tenant, name, 0, [event]) for name, event in works.items())
    found = await asyncio.gather(*done, return_exceptions=True)
    assert {name for name, own in zip(works, found, strict=True) if type(own) is StoreError} == bad.keys()
    assert len(await store.conversations(tenant)) == 40
    await store.aclose()


@pytest.mark.parametrize("level", ["repeatable read", "serializable"])
async def test_two_stores_write_one_conversation_whatever_the_default(postgres: PostgresServer, level: str) -> None:
    url = postgres.database("level")
    postgres.sql(
        f"ALTER DATABASE level SET default_transaction_isolation = '{level}'",
        "ALTER DATABASE level SET default_transaction_read_only = on",
    )
    stores = [PostgresStore(url), PostgresStore(url)]

    async def write(store: PostgresStore) -> None:
        for _ in range(30):
            with suppress(StoreConflict):  # Any other error fails the test.
                await store.append("t", "c", len(await store.read("t", "c")), [said("x")])

    await asyncio.gather(*map(write, stores))
    assert len(await stores[0].read("t", "c")) >= 30
    for own in stores:
        await own.aclose()


def test_a_server_that_is_read_only_is_told(own_server: PostgresServer) -> None:
    url = own_server.database("standby")
    own_server.kill()
    (own_server.data / "standby.signal").touch()
    own_server.start()
    with pytest.raises(StoreError, match="cannot be opened, because the server is read only"):
        PostgresStore(url)
