"""Measure what a call costs the server that stands before a model, beside the model's server alone.

    python -m bench.proxy [PROXY]

The upstream, the server and the callers are processes of their own, and the upstream answers at once. CPU time is that
of the server. PROXY is the address of another proxy before the same kind of upstream, such as litellm's, with its
process: `http://127.0.0.1:4000,PID`.
"""

from __future__ import annotations

import asyncio
import os
import sys
import tempfile
from pathlib import Path

from tests.serve.load import Played, cpu_s, play, server, upstream

CONVERSATIONS, TURNS, AT_ONCE = 60, 20, 10
LIMITS_MS = {"passed through": 2.0, "decided and stored": 3.5}


def told(name: str, played: Played, cpu: float) -> None:
    own, count = sorted(played.seconds), len(played.seconds)
    p50, p99 = own[count // 2], own[int(count * 0.99)]
    limit = f", limit {LIMITS_MS[name]:g}" if name in LIMITS_MS else ""
    print(
        f"{name}: {1000 * cpu / count:.2f} ms of the server's CPU a call{limit}; p50 {1000 * p50:.1f} ms, "
        f"p99 {1000 * p99:.1f} ms, {count / played.took:.0f} calls a second, {played.retried} stopped"
    )


def measure(name: str, url: str, pid: int, first: int, *, words: bool = False, too_large: bool = False) -> None:
    """Play conversations with a server and tell the figures. Those before only warm it up."""
    asyncio.run(play([url], AT_ONCE, 4, AT_ONCE, first=first + 10_000, words=words))
    begun = cpu_s(pid)
    played = asyncio.run(play([url], CONVERSATIONS, TURNS, AT_ONCE, first=first, words=words, too_large=too_large))
    told(name, played, cpu_s(pid) - begun)


def main() -> None:
    print(f"load average {os.getloadavg()[0]:.1f}")
    with tempfile.TemporaryDirectory() as folder, upstream() as (model, address):
        measure("the upstream alone", address, model.pid, 0)
        if len(sys.argv) > 1:
            url, _, pid = sys.argv[1].partition(",")
            measure("another proxy", url, int(pid), 0, words=True)
        with server(Path(folder), address, f"{folder}/s.db") as (own, url):
            measure("passed through", url, own.pid, 0, words=True)
            measure("decided and stored", url, own.pid, 100_000)
            measure("decided and stored, some stopped", url, own.pid, 200_000, too_large=True)


if __name__ == "__main__":
    main()
