"""Guarded conversations: writing events down, reading them again, and deciding late in a long conversation.

    python -m bench.conversations [--events 6000]

Events are written by 100 conversations at once, beside a naive twin in the same run that commits each event by itself.
The conversation that is read again and decided in has messages of which half settle one argument, and a call that is
made and answered every fifth turn.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import sqlite3
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from holdtrue.guard import (
    Guard,
    GuardedConversation,
    MemoryStore,
    Operation,
    RequestContext,
    RequestReading,
    SqliteStore,
    make_policy,
)
from holdtrue.guard.store.event import NewEvent

TALKS = 100
EVENTS_S, REPLAY_MS, RATIO = 5_000.0, 20.0, 2.0
"""The limits: events a second at `power`, for replaying 1,000 events, and of a late decision to an early one."""
AT = "2026-03-02T09:00:00Z"
BODY = {
    "at": "2026-03-02T09:00:00",
    "user": "I need a dentist in Leeds next Tuesday at half past two.",
    "taken": [{"do": "set", "act": "Clinic", "argument": "day", "value": "2026-03-10", "quote": "next Tuesday"}],
}
TEXT = {"type": "string"}
BOOK = {
    "name": "Clinic.Book",
    "parameters": {
        "type": "object",
        "properties": {"day": {**TEXT, "format": "date"}, "guests": {"type": "integer"}, "name": TEXT},
        "required": ["day"],
    },
}


class Script:
    """A reader that settles one argument in every second message."""

    name = "script"

    async def read_requests(self, acts: Any, message: str, context: RequestContext) -> RequestReading:
        if context.turn % 2:
            return RequestReading()
        return RequestReading((Operation("set", "Clinic", argument="guests", value=1 + context.turn % 9),))


def policy() -> Any:
    limits = [{"id": "often", "on": "Clinic.Book", "most": 10_000}]
    return make_policy("clinic", now=AT[:-1], tools={"definitions": [BOOK], "writes": ["Clinic.Book"]}, limits=limits)


async def written_s(path: Path, durability: Any, events: int) -> tuple[float, float]:
    """Return the seconds, and the seconds of CPU time, of writing events by 100 conversations at once."""
    store = SqliteStore(path, durability=durability)
    each = events // TALKS

    async def one(name: str) -> None:
        for number in range(each):
            await store.append("t", name, number, (NewEvent("heard", BODY, AT),))

    wall, cpu = time.perf_counter(), time.process_time()
    await asyncio.gather(*(one(f"c{place}") for place in range(TALKS)))
    found = time.perf_counter() - wall, time.process_time() - cpu
    await store.aclose()
    return found


def twin_s(path: Path, events: int) -> float:
    """Return the seconds of the naive twin: each event by a commit of its own, synced."""
    own = sqlite3.connect(path, isolation_level=None)
    own.execute("PRAGMA journal_mode = WAL")
    own.execute("PRAGMA synchronous = FULL")
    own.execute("CREATE TABLE event (seq INTEGER PRIMARY KEY, body TEXT)")
    started = time.perf_counter()
    for _ in range(events):
        own.execute("INSERT INTO event (body) VALUES (?)", (str(BODY),))
    found = time.perf_counter() - started
    own.close()
    return found


async def talked(turns: int, store: MemoryStore) -> GuardedConversation:
    talk = Guard(policy(), reader=Script(), store=store).conversation("c")
    for turn in range(1, turns + 1):
        await talk.heard(assistant=f"And what about that, number {turn}?", user=f"well, that is a good question {turn}")
        if turn % 5 == 0:
            call = arguments(turn)
            decision = await talk.check("Clinic.Book", call, mend=False)
            await talk.saw("Clinic.Book", call, {"booking": turn}, call=decision.id)
    return talk


def arguments(turn: int, more: int = 0) -> Mapping[str, Any]:
    last = turn if turn % 2 == 0 else turn - 1
    return {"day": "2026-03-10", "guests": 1 + last % 9 + more}


def median_ms(operation: Callable[[], Any], times: int) -> float:
    samples = []
    for _ in range(times):
        started = time.process_time()
        operation()
        samples.append(time.process_time() - started)
    return 1000 * statistics.median(samples)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--events", type=int, default=6_000)
    events = parser.parse_args().events
    loop = asyncio.new_event_loop()
    late = []
    with tempfile.TemporaryDirectory(dir=os.environ.get("BENCH_DIR")) as folder:
        naive = twin_s(Path(folder) / "twin.db", 300) / 300
        for durability in ("process", "power"):
            wall, cpu = loop.run_until_complete(written_s(Path(folder) / f"{durability}.db", durability, events))
            speed, ratio = events / wall, naive / (wall / events)
            print(
                f"written at {durability:8} {speed:9,.0f} events/s   {1e6 * cpu / events:6.1f} us CPU an event   "
                f"{ratio:5.1f} x the twin, a commit an event"
            )
            if durability == "power" and speed < EVENTS_S:
                late.append(f"at power under {EVENTS_S:,.0f} events/s")
    store = MemoryStore()
    loop.run_until_complete(talked(715, store))
    kept = len(loop.run_until_complete(store.read("", "c")))
    own = policy()
    replay = median_ms(lambda: loop.run_until_complete(_opened(own, store)), 15) * 1000 / kept
    print(f"replayed {kept:,} events; for 1,000 {replay:6.2f} ms CPU")
    times = {}
    for turns in (12, 1_002):  # After the last call something is said again, which the next call breaks.
        talk = loop.run_until_complete(talked(turns, MemoryStore()))
        wrong = arguments(turns, 20)
        times[turns] = median_ms(lambda talk=talk, wrong=wrong: loop.run_until_complete(_check(talk, wrong)), 60)  # type: ignore[misc]
        print(f"decided after {turns:5,} turns {times[turns]:6.3f} ms CPU")
    ratio = times[1_002] / times[12]
    print(f"late to early {ratio:5.2f}")
    loop.close()
    late += [f"replay over {REPLAY_MS:g} ms"] * (replay > REPLAY_MS) + [f"late over {RATIO:g} x early"] * (
        ratio > RATIO
    )
    print("all within their limits" if not late else f"not within the limits: {'; '.join(late)}")
    return 1 if late else 0


async def _opened(own: Any, store: MemoryStore) -> None:
    await Guard(own, reader=Script(), store=store).conversation("c").entries()


async def _check(talk: GuardedConversation, call: Mapping[str, Any]) -> None:
    assert (await talk.check("Clinic.Book", call, mend=False)).kind == "block"


if __name__ == "__main__":
    sys.exit(main())
