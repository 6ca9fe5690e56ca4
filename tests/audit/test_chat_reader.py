"""Conversations without constraints are read in an audit as `check --chat` reads them, and a model is paid once."""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from holdtrue.audit.audit_run import in_process, plan_audit, run_audit
from holdtrue.audit.chat_reader import paid_in
from holdtrue.audit.shard_job import AuditSettings, Counts, ReadingMeans
from holdtrue.budget import Budget
from holdtrue.cli.main import app
from holdtrue.conversation.logged_chat import check_chat, exchanges_in
from holdtrue.errors import InputError, ModelUnreachable, SettingsError
from holdtrue.language.readers import TemplateExtractor
from holdtrue.models.gate import TokenLimitReached
from holdtrue.world.registry import find_domain
from tests.audit.logs import row, write_lines
from tests.audit.test_audit_run import COMMAND, children, rows
from tests.models.fake_modes import completion, error, http
from tests.models.fake_server import Fake, Turn, serving
from tests.patience import HANG_S

NAMES = ["Ann", "Bob", "Cy", "Dee"]
PER_CALL = 14
"""The tokens of a call to the fake server."""


def chat(at: int, *, own_words: bool = True, names: list[str] | None = None) -> dict[str, Any]:
    """Return a conversation with two answers. In every third, the second answer breaks the first message."""
    people = names or NAMES
    wish = "must sit at position 1." if own_words else "simply has to be given place 1, I think."
    seats = (2, 1, 3, 4) if at % 3 == 0 else (1, 2, 3, 4)
    right, given = (json.dumps(dict(zip(people, own, strict=True))) for own in ((1, 2, 3, 4), seats))
    messages = [
        {"role": "user", "content": f"Hello. {people[0]} {wish}"},
        {"role": "assistant", "content": right},
        {"role": "user", "content": f"{people[1]} must sit next to {people[0]}."},
        {"role": "assistant", "content": f"Of course: {given}"},
    ]
    return {"id": f"c{at}", "domain": "seating", "entities": people, "messages": messages}


def audited(log: Path, out: Path, settings: AuditSettings, means: ReadingMeans, block: int = 4_000) -> Counts:
    return run_audit(plan_audit([str(log)], settings, str(out), block=block), str(out), in_process, means=means)


@dataclass
class Asked:
    """Calls to the fake model: how many were under way at a time at most."""

    under_way: int = 0
    most: int = 0


@contextmanager
def reading_server(asked: Asked, wait_s: float = 0.0) -> Iterator[Fake]:
    """Serve a model that reads 'given place 1' in each message."""

    async def mode(turn: Turn) -> None:
        asked.under_way += 1
        asked.most = max(asked.most, asked.under_way)
        await asyncio.sleep(wait_s)
        sentence = turn.body["messages"][-1]["content"].rpartition("Sentence: ")[2]
        found = re.search(r"(\w+) simply has to be given place (\d)", sentence)
        stated = [{"type": "at_position", "args": [found[1], int(found[2])]}] if found else []
        asked.under_way -= 1
        await turn.send(http(completion(json.dumps({"constraints": stated}))))

    with serving(mode) as fake:
        yield fake


async def slowly_checked(value: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the verdicts of `check --chat` on a conversation."""
    instance = find_domain("seating").instance(value["entities"], {})
    played = check_chat(
        exchanges_in(value["messages"]), instance, TemplateExtractor(), name=value["id"], budget=Budget(timeout_s=5)
    )
    return [own.to_json() async for own in played]


def test_the_verdicts_are_those_of_check_and_say_that_rules_read(tmp_path: Path) -> None:
    talks = [chat(at, own_words=at % 4 > 0) for at in range(12)]
    log = write_lines(tmp_path / "log.jsonl", [*talks])
    counts = audited(log, tmp_path / "out", AuditSettings(explain="all"), ReadingMeans())
    found = rows(tmp_path / "out")
    wanted = [own for value in talks for own in asyncio.run(slowly_checked(value))]
    assert len(found) == len(wanted) == 24 and counts.bad == 0
    for own, told in zip(found, wanted, strict=True):
        assert own["reader"] == "rules" and json.loads(own["coverage"]) == told["coverage"]
        assert (json.loads(own["events"]) if own["events"] else []) == told["events"]
        assert (own["nearest"] and json.loads(own["nearest"])) == told["nearest"]
        for name in ("id", "ledger", "answer", "outcome", "triggers", "violated", "missing", "mus", "reason"):
            assert own[name] == told[name], name
    assert counts.outcomes["drift"] == 3 and counts.partly_read == 6
    assert {own["conversation"] for own in found} == {own["id"] for own in talks}


def test_a_log_may_have_turns_and_conversations_in_any_order(tmp_path: Path) -> None:
    hostile = [
        {"id": "x", "domain": "seating", "entities": NAMES, "messages": "none"},
        {"id": "x", "domain": "seating", "messages": []},
        {"id": "x", "domain": "nowhere", "entities": NAMES, "messages": []},
        {"id": "x", "domain": "seating", "entities": NAMES, "messages": [{"role": "user", "content": "Hi."}]},
        {"id": "x", "domain": "seating", "entities": NAMES, "messages": [{"role": "robot", "content": "Hi."}]},
    ]
    log = write_lines(tmp_path / "log.jsonl", [row(1), chat(0), *hostile, row(2), chat(1), "no turn", row(3)])
    counts = audited(log, tmp_path / "out", AuditSettings(), ReadingMeans(), 10**6)
    found, bad = rows(tmp_path / "out"), rows(tmp_path / "out", "bad_rows")
    assert [own["row"] for own in found] == [1, 2, 2, 8, 9, 9, 11]
    assert sorted(own["row"] for own in bad) == [3, 4, 5, 6, 7, 10] and counts.rows == 11
    assert not [own for own in bad if "cannot be checked" in own["reason"]]
    assert [own["reader"] for own in found] == [None, "rules", "rules", None, "rules", "rules", None]


@pytest.mark.parametrize(("explain", "explained"), [("none", []), ("first", ["c0/2"]), ("all", ["c0/2", "c0/3"])])
def test_only_what_is_asked_for_is_explained(tmp_path: Path, explain: Any, explained: list[str]) -> None:
    own = chat(0)
    own["messages"] += own["messages"][-1:]
    log = write_lines(tmp_path / "log.jsonl", [own])
    audited(log, tmp_path / "out", AuditSettings(explain=explain), ReadingMeans())
    assert [each["id"] for each in rows(tmp_path / "out") if each["nearest"]] == explained


def test_a_model_reads_many_conversations_at_a_time_and_is_paid_once(tmp_path: Path) -> None:
    talks = [chat(at, own_words=False, names=[f"{own}{at % 10}" for own in NAMES]) for at in range(30)]
    log, asked = write_lines(tmp_path / "log.jsonl", [*talks]), Asked()
    settings = AuditSettings(reader="openai/reader")
    with reading_server(asked, wait_s=0.01) as fake:
        counts = audited(log, tmp_path / "out", settings, ReadingMeans(fake.url, 6), 10**6)
    paid = paid_in(str(tmp_path / "out"))
    assert counts.outcomes == {"consistent": 50, "drift": 10} and asked.most == 6
    different = {json.dumps(own, sort_keys=True) for own in fake.bodies}
    assert len(different) == len(fake.bodies) == paid["calls"], "what was asked once is not asked again"
    assert paid["prompt_tokens"] + paid["completion_tokens"] == PER_CALL * paid["calls"]
    assert {own["reader"] for own in rows(tmp_path / "out")} == {"openai/reader"}
    assert json.loads((tmp_path / "out" / "summary.json").read_text())["calls"] == paid["calls"]


def test_reading_stops_at_the_limit_and_goes_on_without_paying_twice(tmp_path: Path) -> None:
    talks = [chat(at, own_words=False, names=[f"{own}{at}" for own in NAMES]) for at in range(12)]
    log, settings = write_lines(tmp_path / "log.jsonl", [*talks]), AuditSettings(reader="openai/reader")
    with reading_server(Asked()) as fake:
        audited(log, tmp_path / "whole", settings, ReadingMeans(fake.url))
        wanted = len(fake.bodies)
        limit = PER_CALL * (wanted // 2)
        with pytest.raises(TokenLimitReached):
            audited(log, tmp_path / "out", settings, ReadingMeans(fake.url, 1, limit))
        assert len(fake.bodies) == wanted + wanted // 2, "no call begins beyond the limit"
        audited(log, tmp_path / "out", settings, ReadingMeans(fake.url, 4))
    assert len(fake.bodies) == 2 * wanted
    assert rows(tmp_path / "out") == rows(tmp_path / "whole")


def test_a_server_that_fails_ends_the_audit_and_none_of_the_rows_is_to_blame(tmp_path: Path) -> None:
    log = write_lines(tmp_path / "log.jsonl", [chat(at, own_words=False) for at in range(3)])
    out = tmp_path / "out"
    with pytest.raises(ModelUnreachable):
        audited(log, out, AuditSettings(reader="openai/reader"), ReadingMeans("http://127.0.0.1:9/v1"))
    assert rows(out) == rows(out, "bad_rows") == []


@pytest.mark.parametrize(
    ("reader", "url"),
    [("openai/m", "127.0.0.1:9500/v1"), ("openai/m", "ftp://x"), ("openai/m", "http://"), ("script/none.json", None)],
)
def test_a_reader_that_cannot_be_had_is_the_fault_of_no_row(tmp_path: Path, reader: str, url: str | None) -> None:
    log, out = write_lines(tmp_path / "log.jsonl", [chat(at, own_words=False) for at in range(3)]), tmp_path / "out"
    with pytest.raises(SettingsError):
        audited(log, out, AuditSettings(reader=reader), ReadingMeans(url))
    assert rows(out) == rows(out, "bad_rows") == []


def test_tokens_of_replies_in_which_nothing_is_said_count_towards_the_limit(tmp_path: Path) -> None:
    talks = [chat(at, own_words=False, names=[f"{own}{at}" for own in NAMES]) for at in range(20)]

    async def mode(turn: Turn) -> None:
        await turn.send(http(completion(None)))

    log, out = write_lines(tmp_path / "log.jsonl", [*talks]), tmp_path / "out"
    with serving(mode) as fake, pytest.raises(TokenLimitReached):
        audited(log, out, AuditSettings(reader="openai/m"), ReadingMeans(fake.url, 1, 2 * PER_CALL))
    paid = paid_in(str(out))
    assert 2 * PER_CALL <= paid["prompt_tokens"] + paid["completion_tokens"] == PER_CALL * len(fake.bodies)


def test_a_request_that_is_turned_down_is_the_fault_of_its_row_alone(tmp_path: Path) -> None:
    talks = [chat(at, own_words=False, names=[f"{own}{at}" for own in NAMES]) for at in range(3)]

    async def mode(turn: Turn) -> None:
        text = turn.body["messages"][-1]["content"]
        answer = http(completion('{"constraints": []}'))
        await turn.send(error(400, "this is too long", code="context_length_exceeded") if "Ann1" in text else answer)

    log = write_lines(tmp_path / "log.jsonl", [*talks])
    with serving(mode) as fake:
        counts = audited(log, tmp_path / "out", AuditSettings(reader="openai/reader"), ReadingMeans(fake.url))
    assert counts.rows == 3 and {own["row"] for own in rows(tmp_path / "out")} >= {1, 3}


def test_processes_of_a_pool_share_what_was_paid_for_and_the_limit(tmp_path: Path) -> None:
    talks = [chat(at, own_words=False, names=[f"{own}{at}" for own in NAMES]) for at in range(40)]
    log, out = write_lines(tmp_path / "log.jsonl", [*talks]), tmp_path / "out"
    with reading_server(Asked()) as fake:
        words = [
            "audit",
            str(log),
            str(out),
            "--reader",
            "openai/reader",
            "--base-url",
            fake.url,
            "--shard-mb",
            "0.005",
        ]
        stopped = CliRunner().invoke(app, [*words, "--workers", "2", "--token-limit", "200"])
        assert stopped.exit_code == 3 and "raise --token-limit" in stopped.stderr, stopped.stderr
        assert 200 <= PER_CALL * len(fake.bodies) <= 200 + 8 * PER_CALL
        whole = CliRunner().invoke(app, [*words, "--workers", "2"])
    assert whole.exit_code == 1, whole.stderr
    paid = paid_in(str(out))
    assert paid["calls"] == len(fake.bodies) and f"asked {paid['calls']:,} times" in whole.stdout
    different = {json.dumps(own, sort_keys=True) for own in fake.bodies}
    assert len(rows(out)) == 80 and len(different) == len(fake.bodies)


def test_readers_that_cannot_read_here_are_told(tmp_path: Path) -> None:
    log = write_lines(tmp_path / "log.jsonl", [chat(1)])
    for words, said in (
        (["--reader", "nobody"], "no model 'nobody'"),
        (["--reader", "sim/none"], "simulated"),
        (["--reader", "openai/x", "--engine", "ray"], "--engine pool"),
        (["--reader", "openai/x", "--policy", "examples/airline/policy.yaml"], "--policy"),
    ):
        result = CliRunner().invoke(app, ["audit", str(log), str(tmp_path / "out"), *words])
        assert isinstance(result.exception, InputError) and said in str(result.exception), (words, result.exception)


def test_a_line_that_only_python_reads_is_a_conversation_like_any_other(tmp_path: Path) -> None:
    odd = json.dumps({**chat(0), "cost": float("nan")})
    log = write_lines(tmp_path / "log.jsonl", [odd, chat(0)])
    audited(log, tmp_path / "out", AuditSettings(explain="all"), ReadingMeans())
    first, second = ([own for own in rows(tmp_path / "out") if own["row"] == row] for row in (1, 2))
    assert [{**own, "row": 2} for own in first] == second and len(second) == 2


@pytest.mark.slow
def test_who_is_killed_while_a_model_reads_pays_for_little_twice(tmp_path: Path) -> None:
    talks = [chat(at, own_words=False, names=[f"{own}{at}" for own in NAMES]) for at in range(40)]
    log, out = write_lines(tmp_path / "log.jsonl", [*talks]), tmp_path / "out"
    with reading_server(Asked(), wait_s=0.02) as fake:
        settings = AuditSettings(reader="openai/reader", timeout_s=HANG_S)
        audited(log, tmp_path / "whole", settings, ReadingMeans(fake.url, 8))
        once = len(fake.bodies)
        fake.bodies.clear()
        words = [*COMMAND, str(log), str(out), "--shard-mb", "0.005", "--workers", "2", "--connections", "4", "--json"]
        words += ["--reader", "openai/reader", "--base-url", fake.url, "--timeout-s", str(HANG_S)]
        with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as running:
            while len(fake.bodies) < once // 3:
                time.sleep(0.005)
                assert running.poll() is None
            os.kill(children(running.pid)[-1], signal.SIGKILL)
            said = running.communicate()[0]
        asked = len(fake.bodies)
    assert json.loads(said)["rows"] == 40 and rows(out) == rows(tmp_path / "whole")
    # After the loss of a process, both processes' calls under way are asked again.
    assert once <= asked <= once + 4 + 4
