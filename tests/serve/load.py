"""Load for servers: an upstream that answers by the request itself, servers as processes, and many conversations."""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import aiohttp
from aiohttp import web

MOST = 1000
POLICY = f"""
policy: bank
now: 2026-03-02T09:00:00
unfounded: tell
tools:
  definitions:
    - name: pay
      parameters:
        type: object
        properties: {{to: {{type: string}}, amount: {{type: integer}}}}
        required: [to, amount]
  writes: [pay]
rules:
  - {{id: most, on: pay, hold: "call.amount <= {MOST}", say: At most {MOST} is paid.}}
  - {{id: some, on: pay, hold: "call.amount > 0", say: Something is paid.}}
  - {{id: once, on: pay, hold: "!done.pay.exists(p, p.amount == call.amount)", say: No amount is paid twice.}}
"""
_ASKED = re.compile(r"Pay (\d+) to (\S+)\.")


async def _complete(request: web.Request) -> web.Response:
    """Answer a request for a payment with a call, and its result with a text."""
    body = await request.json()
    last = body["messages"][-1]
    found = _ASKED.search(str(last.get("content"))) if last["role"] == "user" else None
    message: dict[str, Any] = {"role": "assistant", "content": "It is paid."}
    if found is not None:
        arguments = json.dumps({"to": found[2], "amount": int(found[1])})
        id = f"call_{found[2]}_{found[1]}"
        call = {"id": id, "type": "function", "function": {"name": "pay", "arguments": arguments}}
        message = {"role": "assistant", "content": None, "tool_calls": [call]}
    ended = "tool_calls" if found else "stop"
    choice = {"index": 0, "message": message, "finish_reason": ended}
    usage = {"prompt_tokens": 9, "completion_tokens": 4, "total_tokens": 13}
    own = {"id": "x", "object": "chat.completion", "created": 1, "model": "m", "choices": [choice], "usage": usage}
    return web.json_response(own)


def serve_upstream() -> None:
    """Serve the upstream in this process, and print its address."""

    async def main() -> None:
        app = web.Application(client_max_size=2**26)
        app.router.add_post("/v1/chat/completions", _complete)
        runner = web.AppRunner(app, access_log=None)
        await runner.setup()
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        print(f"http://127.0.0.1:{runner.addresses[0][1]}", flush=True)
        await asyncio.Event().wait()

    asyncio.run(main())


@contextmanager
def process(*command: str, log: Path | None = None) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """Start a process that prints its address, yield both, and end it."""
    with (log or Path(os.devnull)).open("a") as errors:
        own = subprocess.Popen([sys.executable, *command], stdout=subprocess.PIPE, stderr=errors, text=True)
    assert own.stdout is not None
    with own.stdout as out:
        url = out.readline().strip()
    assert url.startswith("http"), log and log.read_text()
    try:
        yield own, url
    finally:
        own.send_signal(signal.SIGTERM)
        own.wait(60)


def upstream() -> Any:
    return process("-c", "from tests.serve.load import serve_upstream; serve_upstream()")


def server(folder: Path, to: str, store: str | None) -> Any:
    """Start `holdtrue serve` with the policy of the bank."""
    policy = folder / "bank.yaml"
    policy.write_text(POLICY)
    more = () if store is None else ("--store", store)
    command = ("-m", "holdtrue", "serve", "--policy", str(policy), "--upstream", to, "--most-requests", "2000", *more)
    return process(*command, log=folder / "log")


def cpu_s(pid: int) -> float:
    """Return the CPU time of a process so far in seconds."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@dataclass
class Played:
    """The result of a load: seconds of requests, words, acknowledged decisions, how many requests were sent again."""

    seconds: list[float] = field(default_factory=list)
    said: dict[str, list[str]] = field(default_factory=dict)
    decisions: dict[str, list[str]] = field(default_factory=dict)
    retried: int = 0
    again: int = 0
    took: float = 0.0


@asynccontextmanager
async def _session() -> AsyncIterator[aiohttp.ClientSession]:
    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0)) as own:
        yield own


async def play(
    urls: Sequence[str],
    conversations: int,
    turns: int,
    at_once: int = 50,
    *,
    first: int = 0,
    words: bool = False,
    too_large: bool = True,
) -> Played:
    """Play conversations, `at_once` at a time. Each request goes to the next server; a failed one is sent again.

    Every other turn asks for a payment. If `too_large`, every fifth is too large. With `words`, no turn asks for one.
    """
    played, begun, gate = Played(), time.perf_counter(), asyncio.Semaphore(at_once)

    async def ask(session: aiohttp.ClientSession, id: str, number: int, messages: list[Any]) -> dict[str, Any]:
        body = json.dumps({"model": "m", "messages": messages})
        headers = {"Holdtrue-Conversation": id, "Content-Type": "application/json"}
        for attempt in range(200):
            url = urls[(number + attempt) % len(urls)]
            start = time.perf_counter()
            try:
                async with session.post(f"{url}/v1/chat/completions", data=body, headers=headers) as answer:
                    found = await answer.json()
                    if answer.status == 200:
                        played.seconds.append(time.perf_counter() - start)
                        own: dict[str, Any] = found
                        return own
                    assert answer.status in (502, 503), (answer.status, found)
            except aiohttp.ClientError:
                pass
            played.again += 1
            await asyncio.sleep(0.02)
        raise AssertionError("no server answered")

    async def converse(session: aiohttp.ClientSession, place: int) -> None:
        id, messages = f"c{place}", list[Any]()
        said, decisions = played.said.setdefault(id, []), played.decisions.setdefault(id, [])
        async with gate:
            for turn in range(turns):
                if words or turn % 2 == 0:
                    amount = place % 9 + turn * 10 + 1 + (MOST if too_large and turn % 10 == 8 else 0)
                    text = f"Turn {turn} of P{place}." if words else f"Pay {amount} to P{place}."
                    messages.append({"role": "user", "content": text})
                    said.append(text)
                found = await ask(session, id, place + turn, messages)
                message = found["choices"][0]["message"]
                messages.append(message)
                verdict = found.get("holdtrue", {"calls": [], "verdict": "passed"})
                decisions += [own["id"] for own in verdict["calls"]]
                played.retried += verdict.get("attempts", 1) > 1
                for call in message.get("tool_calls") or ():
                    messages.append({"role": "tool", "tool_call_id": call["id"], "content": "paid"})

    async with _session() as session:
        await asyncio.gather(*(converse(session, place) for place in range(first, first + conversations)))
    played.took = time.perf_counter() - begun
    return played
