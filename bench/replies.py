"""What comes of every way in which a chat server can answer, how long it takes, and how long it blocks the event loop.

The server runs in a process of its own. Each mode is asked once with one retry; limits are those of the tests.

    python -m bench.replies [--mode NAME ...]

Wall seconds of one call; the longest block of the loop in milliseconds, and the longest by
the processor time that this process used in it, which a busy machine does not lengthen; growth of the peak of
resident memory in MB.
"""

from __future__ import annotations

import argparse
import asyncio
import logging
import multiprocessing
import resource
import time
from dataclasses import dataclass
from multiprocessing.connection import Connection

from holdtrue.errors import HoldtrueError
from holdtrue.models import retry_policy
from holdtrue.models.chat import Reply
from tests.models.fake_modes import modes
from tests.models.fake_server import Fake, serving
from tests.models.test_replies import play

LIMIT_MS = 100


@dataclass(slots=True)
class Result:
    """What came of one call, after how long; the longest block of the loop, and this process's own time in it."""

    came: Reply | HoldtrueError
    elapsed_s: float
    blocked_s: float
    busy_s: float


async def watched(mode: str, fake: Fake) -> Result:
    """Play a mode, while a second task watches how long the loop lets it wait."""
    blocked = busy = 0.0

    async def watch() -> None:
        nonlocal blocked, busy
        while True:
            before, worked = time.perf_counter(), time.process_time()
            await asyncio.sleep(0.005)
            blocked = max(blocked, time.perf_counter() - before - 0.005)
            busy = max(busy, time.process_time() - worked)

    watching = asyncio.create_task(watch())
    await asyncio.sleep(0)
    start = time.perf_counter()
    came = await play(mode, fake)
    elapsed_s = time.perf_counter() - start
    await asyncio.sleep(0.01)
    watching.cancel()
    return Result(came, elapsed_s, blocked, busy)


def serve(mode: str, pipe: Connection) -> None:
    with serving(modes()[mode]) as fake:
        pipe.send(fake.url)
        pipe.recv()


def peak_mb() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def measure(mode: str) -> tuple[Result, float]:
    ours, theirs = multiprocessing.Pipe()
    server = multiprocessing.get_context("fork").Process(target=serve, args=(mode, theirs))
    server.start()
    url = ours.recv()
    before = peak_mb()
    result = asyncio.run(watched(mode, Fake(url)))
    grown = peak_mb() - before
    ours.send(None)
    server.join()
    return result, grown


def outcome(result: Result) -> str:
    came = result.came
    if isinstance(came, Reply):
        return came.kind + (f" ({came.note})" if came.note else "")
    return f"{type(came).__name__}: {str(came).partition('/v1: ')[2]}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mode", action="append", choices=list(modes()))
    chosen = parser.parse_args().mode or list(modes())
    retry_policy.FIRST_WAIT_S = 0.01
    logging.disable()
    print("| mode | what came of it | wall s | longest block ms | of the processor ms | memory MB |")
    print("|---|---|---|---|---|---|")
    longest = 0.0
    measure("parts")  # loads what the first call loads
    for mode in chosen:
        result, grown = measure(mode)
        longest = max(longest, result.busy_s * 1000)
        said = outcome(result).replace("|", "/")[:90]
        blocks = f"{result.blocked_s * 1000:.0f} | {result.busy_s * 1000:.0f}"
        print(f"| {mode} | {said} | {result.elapsed_s:.2f} | {blocks} | {grown:.0f} |", flush=True)
    print(f"\nlongest block: {longest:.0f} ms of the processor; the aim is {LIMIT_MS} ms on an idle core")


if __name__ == "__main__":
    main()
