"""Many conversations through real servers: none is lost or mixed, also if a server is killed in the middle."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

pytest.importorskip("aiohttp", reason="the extra serve is not installed")

from holdtrue.guard import Guard, load_policy, open_store
from holdtrue.guard.store.event import chain_fault
from tests.guard.store.postgres_server import PostgresServer, missing
from tests.serve.load import Played, play, server, upstream

pytestmark = pytest.mark.slow


@pytest.fixture(params=["sqlite", "postgres"])
def where(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """Yield the name of an empty store."""
    if request.param == "sqlite":
        yield str(tmp_path / "s.db")
        return
    if (why := missing()) is not None:
        pytest.skip(why)
    own = PostgresServer()
    yield own.database("load")
    own.stop()


async def check(where: str, folder: Path, played: Played) -> None:
    """Check that each conversation has just its own words and all acknowledged decisions, and replays to one state."""
    policy = load_policy(folder / "bank.yaml")
    store = open_store(where)
    guard = Guard(policy, store=store)
    try:
        assert {own.conversation for own in await store.conversations()} == played.said.keys()
        for id, said in played.said.items():
            events = await store.read("", id)
            assert chain_fault(events) is None
            heard = [own.content["user"] for own in events if own.kind == "heard" and own.content.get("user")]
            assert heard == said, id
            decided = [own.content for own in events if own.kind == "decided"]
            ids = [own["decision"] for own in decided]
            assert set(played.decisions[id]) <= set(ids) and len(set(ids)) == len(ids), id
            assert {own["arguments"]["to"] for own in decided} <= {f"P{id[1:]}"}
            again = [policy.replay(json.loads(own["record"])).kind for own in decided[:5]]
            assert again == [own["kind"] for own in decided[:5]]
            talk = guard.conversation(id)
            state = await talk.requests(), await talk.entries(), await talk.pending()
            replayed = guard.new_state()
            for own in events:
                replayed.apply(own.seq, own.kind, own.content)
            assert state[0] == (*replayed.ledger.requests.values(),)
            assert state[1] == (*replayed.ledger.active.values(),) and len(state[2]) == len(replayed.pending)
    finally:
        await guard.aclose()


def test_500_conversations_of_20_turns_are_all_kept_apart(where: str, tmp_path: Path) -> None:
    with upstream() as (_, model), server(tmp_path, model, where) as (_, url):
        played = asyncio.run(play([url], 500, 20, 50))
    assert (len(played.seconds), played.again) == (10_000, 0) and played.retried == 500 * 2
    asyncio.run(check(where, tmp_path, played))
    own = sorted(played.seconds)
    print(f"\n{len(own) / played.took:.0f} a second, p50 {own[5_000]:.3f} s, p99 {own[9_900]:.3f} s")


def test_a_server_of_three_that_is_killed_loses_nothing_acknowledged(where: str, tmp_path: Path) -> None:
    async def run(urls: list[str], kill: object) -> Played:
        work = asyncio.create_task(play(urls, 60, 20, 30))
        await asyncio.sleep(4)
        assert not work.done(), "the load is too small"
        kill()  # type: ignore[operator]
        return await work

    with ExitStack() as stack:
        _, model = stack.enter_context(upstream())
        servers = [stack.enter_context(server(tmp_path, model, where)) for _ in range(3)]
        played = asyncio.run(run([url for _, url in servers], servers[1][0].kill))
    assert len(played.seconds) == 60 * 20 and played.again > 0
    asyncio.run(check(where, tmp_path, played))
