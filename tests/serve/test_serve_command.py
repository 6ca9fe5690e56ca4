"""The command `holdtrue serve` as a process: its settings, its signals, its log, and several processes on one store."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("aiohttp", reason="the extra serve is not installed")

from httpx2 import get, post

from tests.adapters.desk import FOLDER
from tests.serve.load import POLICY
from tests.serve.messages import add_key
from tests.serve.servers import served, wait_until
from tests.serve.upstream import Fake, Reply

LOOK_UP = Reply([("call", ("get_booking", {"booking": "HN4T8R"}))])
DELETE = Reply([("call", ("delete_all", {"table": "bookings"}))])
WORDS = "Hello, my booking is HN4T8R."
ASKED: dict[str, Any] = {"model": "m", "messages": [{"role": "user", "content": WORDS}]}


def run(*more: str, **environment: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "holdtrue", "serve", *more]
    return subprocess.run(command, capture_output=True, text=True, env={**os.environ, **environment}, timeout=100)


@contextmanager
def started(folder: Path, *more: str, policy: Path = FOLDER / "policy.yaml", **environment: str) -> Iterator[Any]:
    """Start a server, and yield its process and its address. Its log goes into the file `log`."""
    command = [sys.executable, "-m", "holdtrue", "serve", "--policy", str(policy), *more]
    with (folder / "log").open("a") as log:
        process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=log, text=True, env={**os.environ, **environment}
        )
        assert process.stdout is not None
        with process.stdout as out:
            url = out.readline().strip()
        try:
            yield process, url
        finally:
            process.send_signal(signal.SIGTERM)
            assert process.wait(60) in (0, -signal.SIGTERM)


def ask(url: str, conversation: str = "c", body: dict[str, Any] | None = None, **headers: str) -> Any:
    headers = {"Holdtrue-Conversation": conversation, **headers}
    return post(f"{url}/v1/chat/completions", json=body or ASKED, headers=headers, timeout=60)


def test_a_server_holds_answers_keeps_keys_and_tells_without_contents(tmp_path: Path) -> None:
    key = add_key(tmp_path / "keys", "acme")
    fake = Fake([LOOK_UP, *[DELETE] * 3])
    with served(fake.app()) as upstream:
        more = ("--upstream", f"{upstream}/v1", "--store", f"{tmp_path}/s.db", "--key-file", f"{tmp_path}/keys")
        with started(tmp_path, *more, HOLDTRUE_UPSTREAM_KEY="sk-up") as (_, url):
            assert ask(url).status_code == 401 and get(f"{url}/metrics").status_code == 401
            found = ask(url, Authorization=f"Bearer {key}").json()["holdtrue"]
            assert [own["decision"] for own in found["calls"]] == ["allow"]
            stopped = ask(url, "d", Authorization=f"Bearer {key}").json()
            assert stopped["holdtrue"]["verdict"] == "refused" and "tool_calls" not in str(stopped["choices"])
            metrics = get(f"{url}/metrics", headers={"x-api-key": key}).text
            assert 'holdtrue_requests_total{protocol="chat",status="200",verdict="refused"} 1' in metrics
    assert all(own["authorization"] == "Bearer sk-up" for own in fake.headers), "the key of a caller stays here"
    shown = subprocess.run(
        [sys.executable, "-m", "holdtrue", "ledger", "list", f"{tmp_path}/s.db"], capture_output=True, text=True
    )
    assert [line.split()[:2] for line in shown.stdout.splitlines()] == [["acme", "c"], ["acme", "d"]]
    log = (tmp_path / "log").read_text()
    lines = [json.loads(line) for line in log.splitlines()]
    assert "HN4T8R" not in log and key not in log
    told = [own for own in lines if own["logger"] == "holdtrue.serve.requests" and own["status"] == 200]
    assert [(own["conversation"], own["verdict"], own["attempts"]) for own in told] == [
        ("c", "passed", 1),
        ("d", "refused", 3),
    ]


def test_a_new_policy_is_taken_in_on_a_signal_and_a_faulty_one_is_not(tmp_path: Path) -> None:
    policy = tmp_path / "policy.yaml"
    for own in FOLDER.iterdir():
        (tmp_path / own.name).write_bytes(own.read_bytes())
    text = policy.read_text()

    def digest(url: str) -> str:
        found: str = get(f"{url}/health").json()["policy"]
        return found

    def told(count: int) -> bool:
        return (tmp_path / "log").read_text().count("policy") >= count

    with served(Fake([LOOK_UP] * 2).app()) as upstream, started(tmp_path, "--upstream", upstream, policy=policy) as own:
        process, url = own
        first = digest(url)
        assert ask(url).status_code == 200
        policy.write_text(text + "\n  - {no: rule\n")
        process.send_signal(signal.SIGHUP)
        wait_until(lambda: told(1))
        assert digest(url) == first
        policy.write_text(text.replace("policy: refund-desk", "policy: refund-desk-2"))
        process.send_signal(signal.SIGHUP)
        wait_until(lambda: digest(url) != first)
        assert ask(url, body={**ASKED, "messages": [*ASKED["messages"], *ASKED["messages"]]}).status_code == 200


def test_several_processes_hold_one_conversation_together(tmp_path: Path) -> None:
    result = {"role": "tool", "content": "no booking"}
    with served(Fake([LOOK_UP] * 6).app()) as upstream:
        more = ("--upstream", upstream, "--store", f"{tmp_path}/s.db")
        with started(tmp_path, *more) as (_, one), started(tmp_path, *more) as (_, other):
            messages, ids = [*ASKED["messages"]], list[str]()
            for place in range(6):
                found = ask((one, other)[place % 2], body={**ASKED, "messages": messages}).json()
                ids += [own["id"] for own in found["holdtrue"]["calls"]]
                message = found["choices"][0]["message"]
                messages += [message, {**result, "tool_call_id": message["tool_calls"][0]["id"]}]
                messages.append({"role": "user", "content": f"Once more, number {place}."})
    shown = [sys.executable, "-m", "holdtrue", "ledger", "show", f"{tmp_path}/s.db", "c", "--json"]
    lines = [json.loads(line) for line in subprocess.run(shown, capture_output=True, text=True).stdout.splitlines()]
    heard = [json.loads(own["body"]).get("user") for own in lines if own["kind"] == "heard"]
    assert [own for own in heard if own] == [WORDS, *(f"Once more, number {place}." for place in range(5))]
    assert [json.loads(own["body"])["decision"] for own in lines if own["kind"] == "decided"] == ids
    assert len(ids) == 6 and len(set(ids)) == 6


@pytest.mark.parametrize(
    ("more", "says"),
    [
        (["--upstream", "localhost:1"], "--upstream is an address such as"),
        (["--upstream", "http://h", "--host", "0.0.0.0"], "without --key-file everybody"),
        (["--upstream", "http://h", "--on-block", "shout"], "unknown value of on_block"),
        (["--upstream", "http://h", "--hold-claims"], "needs --model"),
        (["--upstream", "http://h", "--key-file", "none"], "the keys cannot be read"),
    ],
)
def test_a_wrong_setting_is_told(more: list[str], says: str) -> None:
    done = run("--policy", str(FOLDER / "policy.yaml"), *more)
    assert done.returncode == 2 and says in done.stderr


def test_settings_are_checked_without_serving(tmp_path: Path) -> None:
    good = run("--policy", str(FOLDER / "policy.yaml"), "--upstream", "http://h/v1", "--check-config")
    assert good.returncode == 0 and "The settings can be used" in good.stdout
    assert run("--policy", f"{tmp_path}/none", "--check-config").returncode == 2
    faulty = tmp_path / "faulty.yaml"
    faulty.write_text(POLICY + '  - {id: never, on: pay, hold: "call.amount < 0 && call.amount > 5", say: Never.}\n')
    found = run("--policy", str(faulty), "--check-config")
    assert found.returncode == 2 and "never" in found.stderr
