"""Measure appends to stores: how many a second, and how long one waits, with 100 conversations at a time.

    python -m bench.stores

A naive twin commits each append by itself, as a store without group commit would. PostgreSQL is left out where its
server is not installed.
"""

from __future__ import annotations

import asyncio
import os
import sqlite3
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from holdtrue.guard.store.event import NewEvent, Store
from holdtrue.guard.store.postgres import PostgresStore
from holdtrue.guard.store.sqlite import SqliteStore
from tests.guard.store.postgres_server import PostgresServer, missing

AT_ONCE, EACH = 100, 60
TEXT = "I need a table for four on Friday, and a quiet one if there is any. " * 3


async def appended(store: Store) -> tuple[list[float], float]:
    """Return the seconds of each append, and of all together."""
    waits = list[float]()

    async def write(name: str) -> None:
        for number in range(EACH):
            begun = time.perf_counter()
            await store.append("t", name, number, [NewEvent("heard", {"user": TEXT}, "2026-03-02T09:00:00Z")])
            waits.append(time.perf_counter() - begun)

    begun = time.perf_counter()
    await asyncio.gather(*(write(f"c{place}") for place in range(AT_ONCE)))
    return waits, time.perf_counter() - begun


async def measure(name: str, opened: Callable[[], Store]) -> None:
    """Append to a new store, and tell the figures."""
    store, cpu = opened(), time.process_time()
    waits, took = await appended(store)
    cpu = time.process_time() - cpu
    await store.aclose()
    own = sorted(waits)
    p50, p99 = own[len(own) // 2], own[int(len(own) * 0.99)]
    print(
        f"{name}: {len(own) / took:,.0f} appends a second, p50 {1000 * p50:.1f} ms, p99 {1000 * p99:.1f} ms, "
        f"{1000 * cpu / len(own):.2f} ms of this process's CPU each"
    )


def naive(path: Path) -> None:
    """Commit each append by itself, with a sync of the disk."""
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("CREATE TABLE event (name TEXT, seq INTEGER, body TEXT, PRIMARY KEY (name, seq))")
    begun, count = time.perf_counter(), 300
    for number in range(count):
        connection.execute("INSERT INTO event VALUES ('c', ?, ?)", (number, TEXT))
    print(f"one by one, power: {count / (time.perf_counter() - begun):,.0f} appends a second")
    connection.close()


def main() -> None:
    print(f"load average {os.getloadavg()[0]:.1f}; {AT_ONCE} conversations at a time")
    with tempfile.TemporaryDirectory(dir=Path.cwd()) as folder:
        naive(Path(folder) / "naive.db")
        for durability in ("process", "power"):
            path = Path(folder) / f"{durability}.db"
            asyncio.run(measure(f"SQLite, {durability}", partial(SqliteStore, path, durability=durability)))
    if (why := missing()) is not None:
        print(f"PostgreSQL: not measured, because {why}")
        return
    server = PostgresServer()
    try:
        for durability in ("process", "power"):
            url = server.database(durability)
            asyncio.run(measure(f"PostgreSQL, {durability}", partial(PostgresStore, url, durability=durability)))
    finally:
        server.stop()


if __name__ == "__main__":
    main()
