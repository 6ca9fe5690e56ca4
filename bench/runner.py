"""CPU time a call: a bare openai client against the runner, on the same requests.

A server in another process answers chat completions after 50 ms with a complete answer. The runner plays
method `direct` with the oracle reader, so each turn is one call; its requests are then sent again by a bare
client, as many at a time. Rounds alternate, and the best of each counts: what else the machine does only adds.

    python bench/runner.py [--problems 300] [--connections 32] [--rounds 3]
"""

from __future__ import annotations

import argparse
import asyncio
import json
import multiprocessing
import re
import tempfile
import time
from collections.abc import Iterator, Sequence
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from holdtrue.kinds.assignment.method import find_method
from holdtrue.models.chat import Reply, Request
from holdtrue.models.openai_compatible import OpenAIModel
from holdtrue_lab.kinds.assignment.playing import AssignmentSettings
from holdtrue_lab.kit.plan import Plan
from holdtrue_lab.kit.planning import make_plan
from holdtrue_lab.kit.runner import run
from holdtrue_lab.suites.drift import SUITE
from holdtrue_lab.suites.drift.generate import generate

DELAY_S = 0.05
LIMIT_MS = 1.5


def answer(prompt: str) -> dict[str, Any]:
    """A complete answer that knows nothing of what was asked: the first values, in order."""
    domain = re.findall(r"^Domain: (.*)$", prompt, re.MULTILINE)[-1]
    entities = re.findall(r"^Entities: (.*)$", prompt, re.MULTILINE)[-1].split(", ")
    if domain == "seating":
        return {entity: seat for seat, entity in enumerate(entities, start=1)}
    if domain == "scheduling":
        return {entity: {"start": slot, "duration": 1} for slot, entity in enumerate(entities, start=1)}
    categories = re.findall(r"^Category (.*): (.*)$", prompt, re.MULTILINE)
    return {e: {name: values.split(", ")[i] for name, values in categories} for i, e in enumerate(entities)}


async def respond(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Answer the requests of one connection, one after the other."""
    while head := await read_head(reader):
        length = int(re.search(rb"content-length: (\d+)", head.lower())[1])  # type: ignore[index]
        body = json.loads(await reader.readexactly(length))
        await asyncio.sleep(DELAY_S)
        message = {"role": "assistant", "content": json.dumps({"solution": answer(body["messages"][-1]["content"])})}
        completion = {
            "id": "1",
            "object": "chat.completion",
            "created": 1,
            "model": body["model"],
            "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
            "usage": {"prompt_tokens": 500, "completion_tokens": 50, "total_tokens": 550},
        }
        reply = json.dumps(completion).encode()
        start = f"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {len(reply)}\r\n\r\n"
        writer.write(start.encode() + reply)
    writer.close()


async def read_head(reader: asyncio.StreamReader) -> bytes:
    try:
        return await reader.readuntil(b"\r\n\r\n")
    except (asyncio.IncompleteReadError, ConnectionError):
        return b""


def serve(ready: Connection) -> None:
    async def forever() -> None:
        server = await asyncio.start_server(respond, "127.0.0.1", 0)
        ready.send(server.sockets[0].getsockname()[1])
        await server.serve_forever()

    asyncio.run(forever())


class Recorder:
    """The model, and every request that it was sent."""

    def __init__(self, model: OpenAIModel) -> None:
        self.requests: list[Request] = []
        self._model = model

    @property
    def name(self) -> str:
        return self._model.name

    async def complete(self, request: Request) -> Reply:
        self.requests.append(request)
        return await self._model.complete(request)

    async def aclose(self) -> None:
        await self._model.aclose()


async def play(plan: Plan, base_url: str, requests: list[Request]) -> None:
    """The runner, in a new folder; collects its requests."""
    model = Recorder(OpenAIModel("bench", base_url=base_url))
    with tempfile.TemporaryDirectory() as folder:
        standing = await run(plan, model, Path(folder))
    await model.aclose()
    requests[:] = model.requests
    if standing.turns != plan.turns or standing.failures:
        raise SystemExit(f"the run is not whole: {standing}")


async def send(requests: Sequence[Request], base_url: str, connections: int) -> None:
    """The same requests by a bare client."""
    from openai import AsyncOpenAI

    client = AsyncOpenAI(base_url=base_url, api_key="none")
    left = iter(requests)

    async def work(left: Iterator[Request]) -> None:
        for request in left:
            parameters: dict[str, Any] = {
                "model": "bench",
                "messages": [message.to_json() for message in request.messages],
                "temperature": request.temperature,
                "seed": request.seed,
                "max_tokens": request.max_tokens,
            }
            if request.schema is not None:
                schema = {"name": "reply", "schema": dict(request.schema), "strict": True}
                parameters["response_format"] = {"type": "json_schema", "json_schema": schema}
            completion = await client.chat.completions.create(**parameters)
            if not completion.choices[0].message.content:
                raise SystemExit("an empty reply")

    await asyncio.gather(*(work(left) for _ in range(connections)))
    await client.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--problems", type=int, default=300)
    parser.add_argument("--connections", type=int, default=32)
    parser.add_argument("--rounds", type=int, default=3)
    given = parser.parse_args()
    plan = make_plan(
        SUITE,
        generate(1, given.problems, turns=7),
        [find_method("direct")],
        AssignmentSettings(extractor="gold"),
        source="bench",
        model="openai/bench",
        max_connections=given.connections,
    )
    ours, ready = multiprocessing.Pipe()
    server = multiprocessing.get_context("spawn").Process(target=serve, args=(ready,), daemon=True)
    server.start()
    base_url = f"http://127.0.0.1:{ours.recv()}/v1"
    requests: list[Request] = []
    runner: list[float] = []
    bare: list[float] = []
    for number in range(given.rounds + 1):
        for name, times in (("runner", runner), ("bare", bare)):
            wall, cpu = time.perf_counter(), time.process_time()
            asyncio.run(
                play(plan, base_url, requests) if name == "runner" else send(requests, base_url, given.connections)
            )
            wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
            words = f"{name:6} {len(requests)} calls, {1000 * cpu / len(requests):.3f} ms CPU a call, {wall:.1f} s"
            print(words if number else f"{words} (warming up: not counted)")
            if number:
                times.append(1000 * cpu / len(requests))
    server.terminate()
    more = min(runner) - min(bare)
    print(f"bare {min(bare):.3f} ms, runner {min(runner):.3f} ms, difference {more:.3f} ms (limit {LIMIT_MS})")


if __name__ == "__main__":
    main()
