"""Tests that acknowledged events survive kill -9, a full disk and a loss of power."""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections import defaultdict
from pathlib import Path
from random import Random

import pytest

from holdtrue.guard.store.event import chain_fault
from holdtrue.guard.store.sqlite import SqliteStore
from tests.guard.conversation.shop import guard
from tests.slow import first_of

KINDS = {"heard": "heard", "allow": "decided", "saw": "saw"}
SCRIPT = [sys.executable, "-m", "tests.guard.store.killed"]


def acknowledged(lines: list[str]) -> dict[str, int]:
    """Return how many events of each conversation were acknowledged."""
    found: dict[str, int] = defaultdict(int)
    for line in lines:
        name, kind, _ = line.split(" ")
        assert kind in KINDS, line
        found[name] += 1
    return found


async def check_kept(path: Path, promised: dict[str, int]) -> int:
    """Check that all that was acknowledged is there, in an unbroken chain, and that the conversations go on."""
    store = SqliteStore(path)
    own = guard(store=store)
    for kept in await store.conversations("acme"):
        events = await store.read("acme", kept.conversation)
        assert chain_fault(events) is None
        talk = own.conversation(kept.conversation, "acme")
        await talk.heard(assistant="Welcome back.")
    counts = {kept.conversation: kept.events - 1 for kept in await store.conversations("acme")}
    await store.aclose()
    lost = {name: (number, counts.get(name, 0)) for name, number in promised.items() if counts.get(name, 0) < number}
    assert not lost
    return sum(counts.values())


@pytest.mark.parametrize("durability", ["process", "power"])
@pytest.mark.parametrize("moment", first_of(range(200), 2))
def test_nothing_acknowledged_is_lost_when_the_process_is_killed(tmp_path: Path, durability: str, moment: int) -> None:
    path = tmp_path / "s.db"
    process = subprocess.Popen([*SCRIPT, str(path), durability, "100000", "5"], stdout=subprocess.PIPE)
    assert process.stdout is not None
    assert process.stdout.readline() == b"ready\n"
    time.sleep(Random(f"{durability} {moment}").uniform(0.0, 0.25))
    process.send_signal(signal.SIGKILL)
    rest = process.stdout.read().decode()
    process.wait()
    process.stdout.close()
    lines = rest.split("\n")[:-1]
    asyncio.run(check_kept(path, acknowledged(lines)))


def test_a_full_disk_refuses_and_loses_nothing(tmp_path: Path) -> None:
    """A limit on the file's size has the effect of a full disk."""
    path = tmp_path / "s.db"
    limited = (
        "import resource, runpy, signal, sys\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (300_000, 300_000))\n"
        "sys.argv = ['killed', *sys.argv[1:]]\n"
        "runpy.run_module('tests.guard.store.killed', run_name='__main__')\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", limited, str(path), "process", "100000", "5"], capture_output=True, text=True, timeout=60
    )
    assert done.returncode != 0
    assert "StoreError" in done.stderr and "cannot be written" in done.stderr
    lines = [line for line in done.stdout.splitlines() if line != "ready" and " ask " not in line]
    assert asyncio.run(check_kept(path, acknowledged(lines))) > 20


needs_strace = pytest.mark.skipif(shutil.which("strace") is None, reason="strace is not installed")
_CALL = re.compile(r"(?P<name>openat|pwrite64|fdatasync|fsync|write|ftruncate)\((?P<rest>.*)\) += (?P<result>-?\d+)")


def traced(path: Path, durability: str, talks: int) -> list[tuple[str, str, str]]:
    """Return the system calls of a process that writes, in the order in which they ended."""
    trace = path.with_name("trace")
    calls = "trace=openat,pwrite64,fdatasync,fsync,write,ftruncate"
    command = [
        "strace",
        "-f",
        "-e",
        calls,
        "-s",
        "80",
        "-o",
        str(trace),
        *SCRIPT,
        str(path),
        durability,
        "4",
        str(talks),
    ]
    subprocess.run(command, check=True, capture_output=True, timeout=120)
    begun: dict[str, str] = {}
    found = []
    for line in trace.read_text(encoding="utf-8", errors="replace").splitlines():
        pid, _, text = line.partition(" ")
        if "<unfinished ...>" in text:
            begun[pid] = text.replace("<unfinished ...>", "").strip()
            continue
        earlier = begun.pop(pid, "")
        resumed = re.match(r"<\.\.\. \w+ resumed>", text.strip())
        text = text if resumed is None else f"{earlier}{text.strip()[resumed.end() :]}"
        match = _CALL.search(text)
        if match is not None:
            found.append((match["name"], match["rest"], match["result"]))
    return found


def writes_and_syncs(calls: list[tuple[str, str, str]]) -> list[str]:
    """Return what happened to the log, and what was acknowledged, in order."""
    logs = {result for name, rest, result in calls if name == "openat" and "s.db-wal" in rest}
    found = []
    for name, rest, _ in calls:
        if rest.split(",")[0] in logs and name != "openat":
            found.append("write" if name in ("pwrite64", "write") else "sync")
        elif name == "write" and rest.startswith('1, "talk-'):
            found.append("acknowledge")
    return found


@needs_strace
def test_power_syncs_the_log_after_every_write_and_before_it_acknowledges(tmp_path: Path) -> None:
    steps = writes_and_syncs(traced(tmp_path / "s.db", "power", 1))
    assert steps.count("acknowledge") == 12
    written_since, synced_since = False, False
    for step in steps:
        if step == "acknowledge":
            assert written_since and synced_since
            written_since = synced_since = False
        elif step == "write":
            written_since, synced_since = True, False
        else:
            synced_since = True


@needs_strace
def test_what_waits_together_is_synced_together(tmp_path: Path) -> None:
    steps = writes_and_syncs(traced(tmp_path / "s.db", "power", 5))
    assert steps.count("acknowledge") == 60
    assert 12 <= steps.count("sync") < 60


@needs_strace
def test_without_power_the_log_is_not_synced_for_each_commit(tmp_path: Path) -> None:
    steps = writes_and_syncs(traced(tmp_path / "s.db", "process", 1))
    assert steps.count("acknowledge") == 12
    first, last = steps.index("acknowledge"), len(steps) - steps[::-1].index("acknowledge")
    assert "sync" not in steps[first:last]


def test_power_keeps_all_that_was_acknowledged_when_the_log_is_cut_to_its_last_sync(tmp_path: Path) -> None:
    """After a loss of power, the log may end behind the last sync, or contain garbage there.

    Every event is acknowledged before the next one is given. So the log's length at that moment is its length at the
    sync.
    """
    sizes = written(tmp_path / "s.db")
    log = (tmp_path / "s.db-wal").read_bytes()
    assert len(sizes) == 60 and len(log) >= sizes[-1]
    for number in range(3, 60, 5):
        for rest in (b"", os.urandom(2_000)):
            target = tmp_path / f"cut-{number}-{len(rest)}"
            target.mkdir()
            shutil.copy(tmp_path / "s.db", target / "s.db")
            (target / "s.db-wal").write_bytes(log[: sizes[number]] + rest)
            promised = {f"talk-{place}": (number + 5 - place) // 5 for place in range(5)}
            asyncio.run(check_kept(target / "s.db", promised))


def written(path: Path) -> list[int]:
    """Write 60 events by a process that ends without closing its store; return the log's length after each."""
    code = (
        "import asyncio, os, sys\n"
        "from holdtrue.guard.store.sqlite import SqliteStore\n"
        "from holdtrue.guard.store.event import NewEvent\n"
        "async def play(path):\n"
        "    store = SqliteStore(path, durability='power')\n"
        "    for number in range(60):\n"
        "        event = NewEvent('heard', {'assistant': str(number), 'at': '2026-03-02T09:00:00'}, 'now')\n"
        "        await store.append('acme', f'talk-{number % 5}', number // 5, [event])\n"
        "        print(os.path.getsize(path + '-wal'), flush=True)\n"
        "    os._exit(0)\n"
        "asyncio.run(play(sys.argv[1]))\n"
    )
    done = subprocess.run([sys.executable, "-c", code, str(path)], check=True, capture_output=True, text=True)
    return [int(line) for line in done.stdout.split()]
