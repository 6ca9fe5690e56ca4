"""A store in PostgreSQL keeps its promises with several processes, a dying server, a full disk and other versions."""

from __future__ import annotations

import asyncio
import itertools
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

from holdtrue.cli.main import app
from holdtrue.errors import HoldtrueError, InputError, StoreConflict, StoreError
from holdtrue.guard.store.event import NewEvent, Store, chain_fault, place_of
from holdtrue.guard.store.memory import MemoryStore
from holdtrue.guard.store.postgres import PostgresStore
from holdtrue.guard.store.sqlite import SqliteStore
from tests.guard.store.postgres_server import PostgresServer, needs_postgres
from tests.guard.store.test_stores import AT, said

pytestmark = needs_postgres
_count = itertools.count()
WRITER = """
import asyncio, sys
from holdtrue.errors import StoreConflict
from holdtrue.guard import Guard, make_policy
from holdtrue.guard.store.postgres import PostgresStore

async def main(url, name):
    guard = Guard(make_policy("p", tools={"definitions": [{"name": "t"}], "reads": ["t"]}), store=PostgresStore(url))
    for number in range(20):
        while True:
            try:
                await guard.conversation("c").heard(user=f"{name} {number}")
                break
            except StoreConflict:
                pass
    await guard.aclose()

asyncio.run(main(*sys.argv[1:]))
"""


async def test_two_processes_write_one_conversation_and_lose_nothing(postgres: PostgresServer) -> None:
    url = postgres.database("two")
    works = [asyncio.create_subprocess_exec(sys.executable, "-c", WRITER, url, name) for name in "ab"]
    started = [await own for own in works]
    assert [await own.wait() for own in started] == [0, 0]
    store = PostgresStore(url)
    events = await store.read("", "c")
    await store.aclose()
    heard = [own.content["user"] for own in events if own.kind == "heard"]
    assert chain_fault(events) is None and sorted(heard) == sorted(f"{n} {k}" for n in "ab" for k in range(20))
    assert all([own for own in heard if own[0] == n] == [f"{n} {k}" for k in range(20)] for n in "ab")


async def test_nothing_acknowledged_is_lost_when_the_server_dies(own_server: PostgresServer) -> None:
    store = PostgresStore(own_server.database("dies"))
    acknowledged: dict[str, int] = {}
    failed = list[HoldtrueError]()

    async def write(name: str) -> None:
        for number in range(10_000):
            try:
                await store.append("t", name, number, [said(f"{name} {number}")])
            except StoreError as error:
                failed.append(error)
                return
            acknowledged[name] = number + 1

    work = asyncio.gather(*(write(f"c{place}") for place in range(40)))
    await asyncio.sleep(1.0)
    await asyncio.to_thread(own_server.kill)
    await work
    assert len(failed) == 40 and all(isinstance(own, StoreError) for own in failed)
    await asyncio.to_thread(own_server.start)
    for name, count in acknowledged.items():
        events = await store.read("t", name)
        assert len(events) >= count > 0 and chain_fault(events) is None
    (again,) = await store.append("t", "later", 0, [said("after")])
    assert again.seq == 1, "the store goes on by itself"
    await store.aclose()


async def test_an_append_in_conflict_disturbs_no_other(postgres: PostgresServer) -> None:
    store = PostgresStore(postgres.database("conflicts"))
    await store.append("t", "c", 0, [said("one")])
    works = [
        store.append("t", "c", 0, [said("late")]),
        *(store.append("t", f"d{n}", 0, [said("x")]) for n in range(50)),
    ]
    found = await asyncio.gather(*works, return_exceptions=True)
    assert isinstance(found[0], StoreConflict) and all(isinstance(own, tuple) for own in found[1:])
    await store.aclose()


async def test_a_disk_that_is_full_is_told_and_a_freed_one_goes_on(postgres: PostgresServer) -> None:
    url, number, text = postgres.database("brim"), 0, "x" * 200
    with postgres.small_disk(24) as disk:
        if disk is None:
            pytest.skip("nobody may make a small disk here")
        postgres.sql(f"CREATE TABLESPACE small LOCATION '{disk}'", "ALTER DATABASE brim SET TABLESPACE small")
        (disk / "filler").write_bytes(b"x" * 2**22)
        store = PostgresStore(url)
        with pytest.raises(StoreError, match=r"cannot be written.*No space left"):
            for number in range(100_000):
                await store.append("t", f"c{number}", 0, [NewEvent("heard", {"user": f"{number} {text}"}, AT)] * 500)
        kept = await store.conversations("t")
        assert len(kept) == number and all(own.events == 500 for own in kept), "whole appends only"
        (disk / "filler").unlink()
        assert len(await store.append("t", "new", 0, [said("x")])) == 1
        await store.aclose()
        postgres.sql("DROP DATABASE brim WITH (FORCE)", "DROP TABLESPACE small")


async def test_another_key_a_later_version_and_a_server_that_is_not_there_are_told(postgres: PostgresServer) -> None:
    url = postgres.database("keys")
    store = PostgresStore(url, key="k" * 16)
    await store.append("t", "c", 0, [said("one")])
    assert chain_fault(await store.read("t", "c"), b"k" * 16) is None
    await store.aclose()
    for key, how in ((None, "with a key, and none is given"), ("o" * 16, "with another key")):
        with pytest.raises(StoreError, match=how):
            PostgresStore(url, key=key)
    postgres.sql("INSERT INTO schema_version VALUES (99)", database="keys")
    with pytest.raises(StoreError, match="of a later version, 99"):
        PostgresStore(url, key="k" * 16)
    with pytest.raises(StoreError, match="cannot be opened") as caught:
        PostgresStore("postgresql://me:s3cret@127.0.0.1:1/x")
    assert "s3cret" not in str(caught.value)


NAMES = st.sampled_from(["a", "B", "a\0", "ä", "%", ""])
OTHER = NAMES.filter(bool)
BODIES = st.fixed_dictionaries({"user": st.text(max_size=8)})
TIMES = st.sampled_from([AT, "2026-03-02T10:00:00Z", "2027-01-01T00:00:00Z"])
STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("append"), NAMES, OTHER, st.integers(0, 3), st.lists(BODIES, min_size=1, max_size=2), TIMES),
        st.tuples(st.just("erase"), NAMES, OTHER),
        st.tuples(st.just("read"), NAMES, OTHER, st.integers(0, 2)),
        st.tuples(st.just("recent"), st.none() | NAMES, st.text(alphabet="aAbBä%_\\\0", max_size=2), st.integers(1, 3)),
        st.tuples(st.just("conversations"), st.none() | NAMES),
        st.tuples(st.just("with"), NAMES, st.sampled_from(["heard", "answered"]), BODIES),
    ),
    max_size=12,
)


async def _result(store: Store, step: tuple[Any, ...]) -> Any:
    kind, *rest = step
    try:
        if kind == "append":
            tenant, name, after, bodies, at = rest
            events = [NewEvent(("heard", "answered")[place % 2], own, at) for place, own in enumerate(bodies)]
            return [own.hash for own in await store.append(tenant, name, after, events)]
        if kind == "erase":
            return (await store.erase(rest[0], rest[1], "asked")).seq
        if kind == "read":
            return [(own.seq, own.kind, own.content.get("user")) for own in await store.read(*rest)]
        if kind == "recent":
            page = await store.recent(rest[0], containing=rest[1], most=rest[2])
            more = await store.recent(rest[0], containing=rest[1], before=place_of(page[-1])) if page else ()
            return [(own.tenant, own.conversation, own.events, own.erased) for own in (*page, *more)]
        if kind == "conversations":
            return [(own.tenant, own.conversation, own.events) for own in await store.conversations(*rest)]
        return await store.conversation_with(*rest)
    except (InputError, StoreConflict) as error:
        return type(error).__name__


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=STEPS)
def test_all_stores_give_equal_answers(postgres: PostgresServer, tmp_path: Path, steps: list[tuple[Any, ...]]) -> None:
    async def play(store: Store) -> list[Any]:
        try:
            return [await _result(store, own) for own in steps]
        finally:
            await store.aclose()

    if not next(_count):
        postgres.database("law")
    postgres.sql("DROP TABLE IF EXISTS event, key_check, schema_version", database="law")
    memory = asyncio.run(play(MemoryStore()))
    assert asyncio.run(play(SqliteStore(tmp_path / f"{next(_count)}.db"))) == memory
    assert asyncio.run(play(PostgresStore(postgres.url("law")))) == memory


PARTS = ["ä", "303", "\\", "a\0b", "A", "?", "\\303", "000", "é", "%", "u0000"]
WANTED = st.lists(st.sampled_from([*PARTS, "\0", "\ud800", "0", "Ä", "\\u0000", "\\000"]), max_size=3).map("".join)


def test_all_stores_find_the_same_texts(postgres: PostgresServer, tmp_path: Path) -> None:
    """Texts that look like bytes of names or like escapes are found where they are, and nowhere else."""
    stores: list[Store] = [MemoryStore(), SqliteStore(tmp_path / "s.db"), PostgresStore(postgres.database("finds"))]

    async def fill(store: Store) -> None:
        for place, part in enumerate(PARTS):
            await store.append("t", part, 0, [said("-")])
            await store.append("t", f"in a body {place}", 0, [said(part), said(f"\ud800{part}")])

    @settings(max_examples=150, deadline=None)
    @given(wanted=WANTED)
    def finds(wanted: str) -> None:
        memory, *others = [asyncio.run(own.recent("t", containing=wanted)) for own in stores]
        assert all(own == memory for own in others)

    for own in stores:
        asyncio.run(fill(own))
    finds()
    for own in stores:
        asyncio.run(own.aclose())


def test_commands_move_conversations_between_a_file_and_a_database(postgres: PostgresServer, tmp_path: Path) -> None:
    def run(*args: str) -> str:
        done = CliRunner().invoke(app, ["ledger", *args])
        assert done.exit_code == 0, done.output
        return done.output

    async def fill() -> None:
        store = SqliteStore(tmp_path / "s.db")
        await store.append("t", "c\0ä", 0, [said("one"), said("two")])
        await store.aclose()

    asyncio.run(fill())
    url, lines = postgres.database("moved"), tmp_path / "lines.jsonl"
    lines.write_text(run("export", str(tmp_path / "s.db")))
    assert run("import", url, str(lines)).startswith("1 conversations with 2 events")
    assert "are whole" in run("verify", url) and run("export", url) == lines.read_text()
    assert run("erase", url, "--tenant", "t", "--all", "--reason", "left").startswith("1 conversations")
    assert "erased" in run("list", url)
