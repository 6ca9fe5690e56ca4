"""Tests that both stores keep events in order, all or none, and reveal changed events."""

from __future__ import annotations

import asyncio
import itertools
import os
import shutil
import sqlite3
import threading
from collections.abc import AsyncIterator
from contextlib import closing
from dataclasses import astuple, replace
from pathlib import Path

import pytest

from holdtrue.errors import InputError, SettingsError, StoreConflict, StoreError
from holdtrue.guard import Guard
from holdtrue.guard.store.event import ERASED, FIRST, NewEvent, Store, StoredEvent, chain_fault, chained, place_of
from holdtrue.guard.store.memory import MemoryStore
from holdtrue.guard.store.postgres import PostgresStore
from holdtrue.guard.store.sqlite import SqliteStore
from tests.guard.conversation.shop import policy

AT = "2026-03-02T09:00:00Z"


def said(text: str) -> NewEvent:
    return NewEvent("heard", {"user": text}, AT)


@pytest.fixture(params=["memory", "process", "power", "postgres"])
async def store(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Store]:
    own: Store
    if request.param == "postgres":
        own = PostgresStore(request.getfixturevalue("postgres").database("test"))
    elif request.param == "memory":
        own = MemoryStore()
    else:
        own = SqliteStore(tmp_path / "s.db", durability=request.param)
    yield own
    await own.aclose()


async def test_events_are_kept_in_order_with_a_chain_of_hashes(store: Store) -> None:
    await store.append("t", "c", 0, [said("one"), said("two")])
    await store.append("t", "c", 2, [said("three")])
    events = await store.read("t", "c")
    assert [(own.seq, own.content["user"]) for own in events] == [(1, "one"), (2, "two"), (3, "three")]
    assert chain_fault(events) is None
    assert [own.seq for own in await store.read("t", "c", after=2)] == [3]
    assert await store.read("t", "another") == ()


async def test_who_writes_behind_an_event_that_is_not_the_last_is_told_and_nothing_is_kept(store: Store) -> None:
    await store.append("t", "c", 0, [said("one")])
    with pytest.raises(StoreConflict, match="has 1 events, and not 0"):
        await store.append("t", "c", 0, [said("two"), said("three")])
    assert len(await store.read("t", "c")) == 1


async def test_of_many_who_write_at_once_each_event_has_one_place(store: Store) -> None:
    async def write(name: str) -> int:
        for attempt in range(400):
            last = len(await store.read("t", "c"))
            try:
                await store.append("t", "c", last, [said(name)])
            except StoreConflict:
                await asyncio.sleep(0)
                continue
            return attempt
        raise AssertionError("it was never let in")

    await asyncio.gather(*(write(f"w{place}") for place in range(12)))
    events = await store.read("t", "c")
    assert sorted(own.content["user"] for own in events) == sorted(f"w{place}" for place in range(12))
    assert chain_fault(events) is None


async def test_names_and_words_of_all_kinds_are_kept_apart(store: Store) -> None:
    names = [("", "c"), ("t", "c"), ("t", "c "), ("t'; DROP TABLE event;--", "ä\u0000b"), ("c", "t"), ("\u202e", "\n")]
    for place, (tenant, name) in enumerate(names):
        await store.append(tenant, name, 0, [said(f"{place} \u0000 \U0001f600 \ud800")])
    for place, (tenant, name) in enumerate(names):
        (own,) = await store.read(tenant, name)
        assert own.content["user"] == f"{place} \u0000 \U0001f600 \ud800"
    assert len(await store.conversations()) == len(names)
    assert len(await store.conversations("t")) == 2
    for tenant, name in (("t", ""), ("t", "x" * 501), ("t", "\ud800")):
        with pytest.raises(InputError):
            await store.append(tenant, name, 0, [said("x")])


async def test_an_erased_conversation_leaves_a_tombstone_and_takes_nothing_more(store: Store) -> None:
    await store.append("t", "c", 0, [said("a secret that goes"), said("two")])
    await store.append("t", "stays", 0, [said("stays")])
    left = await store.erase("t", "c", "the user asked for it")
    assert await store.erase("t", "c", "twice") == left
    (own,) = await store.read("t", "c")
    assert (own.kind, own.seq, own.content) == (ERASED, 3, {"events": 2, "reason": "the user asked for it"})
    assert chain_fault([own]) is None
    assert [(each.conversation, each.erased) for each in await store.conversations("t")] == [
        ("c", True),
        ("stays", False),
    ]
    with pytest.raises(StoreConflict, match="was erased"):
        await store.append("t", "c", 3, [said("x")])
    with pytest.raises(InputError, match="no conversation 'none'"):
        await store.erase("t", "none", "")


async def test_the_newest_conversations_come_first_page_by_page(store: Store) -> None:
    times = {"old": "01", "new": "09", "middle": "05", "100%": "07", "other": "08"}
    for name, hour in times.items():
        tenant = "u" if name == "other" else "t"
        await store.append(
            tenant, name, 0, [NewEvent("heard", {"user": f"I am {name} Ä_x"}, f"2026-03-02T{hour}:00:00Z")]
        )
    names = [own.conversation for own in await store.recent("t")]
    assert names == ["new", "100%", "middle", "old"]
    assert [own.conversation for own in await store.recent(None, most=2)] == ["new", "other"]
    page = await store.recent("t", most=3)
    assert [own.conversation for own in await store.recent("t", before=place_of(page[-1]))] == ["old"]
    for text, found in (("NEW", ["new"]), ("%", ["100%"]), ("Ä_X", names), ("i am mid", ["middle"]), ("ol_", [])):
        assert [own.conversation for own in await store.recent("t", containing=text)] == found, text


async def test_a_conversation_is_found_by_the_id_of_an_answer(store: Store) -> None:
    for place, name in enumerate(["a", "b"]):
        await store.append("t", name, 0, [NewEvent("answered", {"response": f"r{place}"}, AT), said("r0")])
    assert await store.conversation_with("t", "answered", {"response": "r0"}) == "a"
    assert await store.conversation_with("t", "heard", {"user": "none"}) is None
    assert await store.conversation_with("u", "answered", {"response": "r0"}) is None
    await store.append("t", "b", 2, [NewEvent("answered", {"response": "r0"}, AT.replace("2026", "2027"))])
    assert await store.conversation_with("t", "answered", {"response": "r0"}) == "b", "the newest"
    await store.erase("t", "b", "asked")
    assert await store.conversation_with("t", "answered", {"response": "r0"}) == "a"


async def test_of_events_at_one_moment_the_last_tenant_and_conversation_come_first(store: Store) -> None:
    for tenant, name in (("t", "b"), ("u", "a"), ("t", "c"), ("t", "a")):
        await store.append(tenant, name, 0, [NewEvent(kind, {"response": "r"}, AT) for kind in ("heard", "answered")])
    assert [await store.conversation_with("t", kind, {"response": "r"}) for kind in ("heard", "answered")] == ["c", "c"]
    places = [place_of(own)[1:] for own in await store.recent(None)]
    assert places == [("u", "a"), ("t", "c"), ("t", "b"), ("t", "a")]


def test_what_was_erased_is_no_longer_in_the_files(tmp_path: Path) -> None:
    asyncio.run(_written_and_erased(tmp_path))
    for path in tmp_path.iterdir():
        assert b"a secret that goes" not in path.read_bytes(), path


async def _written_and_erased(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "s.db")
    for number in range(50):
        await store.append("t", "c", number, [said(f"a secret that goes {number}")])
    await store.erase("t", "c", "asked")
    await store.aclose()


async def test_changes_behind_the_stores_back_are_found(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "s.db")
    await store.append("t", "c", 0, [said("one"), said("two"), said("three")])
    await store.aclose()
    events = await SqliteStore(tmp_path / "s.db").read("t", "c")
    assert chain_fault(events) is None
    changed = (events[0], replace(events[1], body='{"user":"2"}'), events[2])
    assert chain_fault(changed) == "event 2 was changed: it has not the hash that it is kept with"
    assert chain_fault((events[0], events[2])) == "event 2 is missing: event 3 follows event 1"
    assert chain_fault((replace(events[0], prev="1" * 64), *events[1:])) is not None
    assert chain_fault(events[1:]) == "event 1 is missing: event 2 follows event 0"


async def test_a_file_that_is_none_and_a_folder_that_is_gone_are_told(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("no database at all, but a text of some length" * 50, encoding="utf-8")
    with pytest.raises(StoreError, match="cannot be opened"):
        SqliteStore(tmp_path / "text")
    for none in (tmp_path / "none" / "s.db", "", "a\0b", "a\0/b"):
        with pytest.raises(StoreError, match="cannot be opened"):
            SqliteStore(none)
    with pytest.raises(SettingsError, match="'process' or 'power'"):
        SqliteStore(tmp_path / "s.db", durability="always")  # type: ignore[arg-type]


async def test_a_closed_store_takes_nothing_more(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "s.db")
    waiting = [asyncio.ensure_future(store.append("t", f"c{place}", 0, [said("x")])) for place in range(50)]
    await asyncio.sleep(0)
    await store.aclose()
    await store.aclose()
    assert all(len(own) == 1 for own in await asyncio.gather(*waiting))
    with pytest.raises(StoreError, match="it was closed"):
        await store.append("t", "late", 0, [said("x")])


async def test_a_file_that_another_process_holds_is_told_after_a_while(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("holdtrue.guard.store.sqlite._BUSY_S", 0.1)
    store = SqliteStore(tmp_path / "s.db")
    await store.append("t", "c", 0, [said("one")])
    other = sqlite3.connect(tmp_path / "s.db", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(StoreError, match="cannot be written"):
        await store.append("t", "c", 1, [said("two")])
    other.execute("ROLLBACK")
    other.close()
    await store.append("t", "c", 1, [said("two")])
    assert len(await store.read("t", "c")) == 2
    await store.aclose()


@pytest.mark.parametrize("number", [1, 3])
async def test_what_is_given_before_the_end_is_done_before_it_in_whatever_order(tmp_path: Path, number: int) -> None:
    """While the writing thread is busy, appends, erasures (each with a checkpoint) and the end come to wait."""
    store = SqliteStore(tmp_path / "s.db")
    for place in range(number):
        await store.append("t", f"gone {place}", 0, [said("one")])
    busy = threading.Event()
    waiting = [asyncio.wrap_future(store._commits.given(lambda _: busy.wait(10))[0])]
    await asyncio.sleep(0.05)
    for place in range(number):
        waiting.append(asyncio.ensure_future(store.append("t", f"c{place}", 0, [said("x")])))
        waiting.append(asyncio.ensure_future(store.erase("t", f"gone {place}", "asked")))
    waiting.append(asyncio.ensure_future(store.append("t", "last", 0, [said("x")])))
    await asyncio.sleep(0)
    closing = asyncio.ensure_future(store.aclose())
    await asyncio.sleep(0.05)
    busy.set()
    await asyncio.wait_for(asyncio.gather(*waiting, closing), 5)
    kept = {own.conversation: own.erased for own in await SqliteStore(tmp_path / "s.db").conversations("t")}
    assert kept == {
        "last": False,
        **{f"c{place}": False for place in range(number)},
        **{f"gone {place}": True for place in range(number)},
    }


async def test_a_closed_store_erases_nothing(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "s.db")
    await store.append("t", "c", 0, [said("one")])
    await store.aclose()
    with pytest.raises(StoreError, match="it was closed"):
        await store.erase("t", "c", "asked")


KEY = "a key that nobody else has"


def modes_in(folder: Path) -> dict[str, int]:
    return {own.name: own.stat().st_mode & 0o777 for own in folder.iterdir()}


async def test_a_broken_chain_is_told_and_the_conversation_not_opened(tmp_path: Path) -> None:
    """Any column of any event is changed, with its hash recomputed or not if there is a key."""
    for key, column in itertools.product((None, KEY), ("at", "kind", "body", "prev", "hash", "seq")):
        path = tmp_path / f"{key is None}{column}.db"
        own = Guard(policy(), store=SqliteStore(path, key=key))
        for text in ("one", "two", "three"):
            await own.conversation("c").heard(user=text)
        await own.aclose()
        with closing(sqlite3.connect(path)) as file:
            value = "seq + 5" if column == "seq" else '\'{"user": "no"}\'' if column == "body" else "'x'"
            file.execute(f"UPDATE event SET {column} = {value} WHERE seq = 2")
            if key is not None:  # Who has no key makes the whole chain anew.
                rows = [StoredEvent(*row) for row in file.execute("SELECT * FROM event ORDER BY seq")]
                made = chained("", "c", 0, FIRST, [NewEvent(each.kind, each.content, each.at) for each in rows])
                file.execute("DELETE FROM event")
                file.executemany(f"INSERT INTO event VALUES ({'?, ' * 7}?)", [astuple(each) for each in made])
            file.commit()
        own = Guard(policy(), store=SqliteStore(path, key=key))
        with pytest.raises(StoreError, match=r"'c' is not opened: event \d"):
            await own.conversation("c").entries()
        assert (await own.conversation("c").check("Table.Reserve", {})).kind == "ask"
        await own.store.aclose()


async def test_a_store_is_opened_with_its_own_key_alone(tmp_path: Path) -> None:
    for written, given, how in ((KEY, None, "none is given"), (KEY, KEY + "!", "another key"), (None, KEY, "without")):
        path = tmp_path / f"{written}{given}.db"
        store = SqliteStore(path, key=written)
        await store.append("", "c", 0, [said("one")])
        await store.aclose()
        with pytest.raises(StoreError, match=how):
            SqliteStore(path, key=given)
        store = SqliteStore(path, key=written)
        assert chain_fault(await store.read("", "c"), store.key) is None
        await store.aclose()
        assert KEY.encode() not in path.read_bytes()
    with pytest.raises(SettingsError, match="at least 16 bytes"):
        SqliteStore(tmp_path / "s.db", key="short")


@pytest.mark.skipif(os.name != "posix", reason="modes of files")
async def test_files_are_their_owners_alone(tmp_path: Path) -> None:
    (tmp_path / "old.db").touch(0o644)
    before = os.umask(0)
    try:
        for name in ("old.db", "new.db"):
            store = SqliteStore(tmp_path / name)
            await store.append("", "c", 0, [said("one")])
            modes = {file: mode for file, mode in modes_in(tmp_path).items() if file.startswith(name)}
            assert modes == dict.fromkeys((name, f"{name}-wal", f"{name}-shm"), 0o600)
            await store.aclose()
    finally:
        os.umask(before)


async def test_a_copy_of_a_closed_file_is_whole(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "s.db")
    for place in range(20):
        await store.append("", "c", place, [said(f"{place}")])
        await asyncio.gather(store.read("", "c"), asyncio.to_thread(asyncio.run, store.read("", "c")))
    await store.aclose()
    assert list(modes_in(tmp_path)) == ["s.db"]
    shutil.copy(tmp_path / "s.db", tmp_path / "copy.db")
    assert len(await SqliteStore(tmp_path / "copy.db").read("", "c")) == 20
