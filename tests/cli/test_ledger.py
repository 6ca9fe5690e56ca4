"""`holdtrue ledger` shows the events of a store, finds changed ones, erases, and moves conversations."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from pathlib import Path

import pytest
from typer.testing import CliRunner

from holdtrue.cli.exits import ExitCode
from holdtrue.cli.main import app
from holdtrue.errors import InputError
from holdtrue.guard.store.sqlite import SqliteStore
from tests.guard.conversation.shop import NOW, guard

CALL = {"day": "2026-03-06", "guests": 4}
POLICY = f"""
policy: table
now: {NOW}
tools:
  definitions:
    - name: Table.Reserve
      parameters: {{type: object, properties: {{day: {{type: string, format: date}}, guests: {{type: integer}}}}}}
  writes: [Table.Reserve]
"""


def run(*args: str | Path, code: int = 0, given: str | None = None) -> str:
    result = CliRunner().invoke(app, ["ledger", *map(str, args)], input=given)
    if isinstance(result.exception, InputError):
        assert code == ExitCode.USAGE
        return str(result.exception)
    assert result.exit_code == code, result.output
    return result.output


@pytest.fixture
def store(tmp_path: Path) -> Path:
    from holdtrue.guard import read_policy

    path = tmp_path / "talks.db"

    async def play() -> None:
        own = SqliteStore(path)
        policy = read_policy(POLICY)
        talk = guard({"four of us": {"guests": 4}}, store=own, policy=policy).conversation("c-1", "acme")
        await talk.heard(assistant="How many are you?", user="four of us")
        blocked = await talk.check("Table.Reserve", {**CALL, "guests": 5})
        await talk.override(blocked, by="kim", reason="by phone")
        await talk.check("Table.Reserve", {**CALL, "guests": 5})
        await talk.saw("Table.Reserve", {**CALL, "guests": 5}, {"booking": "B1"})
        await guard(store=own, policy=policy).conversation("c-2").heard(user="hello")
        await own.aclose()

    asyncio.run(play())
    return path


def test_conversations_are_listed_and_shown(store: Path) -> None:
    assert [line.split()[:3] for line in run("list", store).splitlines()] == [["-", "c-2", "1"], ["acme", "c-1", "5"]]
    assert json.loads(run("list", store, "--tenant", "acme", "--json"))["conversation"] == "c-1"
    shown = run("show", store, "c-1", "--tenant", "acme")
    for part in (
        "assistant: How many are you?",
        "user: four of us",
        "set Table.guests is 4 ('four of us', 1.00)",
        "D001 block: Table.Reserve",
        "S001 is broken: The user said that guests is 4, in turn 1: 'four of us'.",
        "D001 is let through by kim: by phone",
        'Table.Reserve gave: {"booking": "B1"}',
    ):
        assert part in shown
    assert "there is no conversation" in run("show", store, "c-9", code=2)
    assert "there is one of tenant 'acme': add --tenant" in run("show", store, "c-1", code=2)
    assert "there is no store" in run("list", store.with_name("none.db"), code=2)
    assert not store.with_name("none.db").exists()


def test_what_was_changed_is_found_and_decisions_replay(store: Path, tmp_path: Path) -> None:
    policy = tmp_path / "table.yaml"
    policy.write_text(POLICY, encoding="utf-8")
    assert run("verify", store) == "2 conversations with 6 events are whole.\n"
    same = "2 decisions come out the same from their own records."
    assert same in run("verify", store, "--policy", policy)
    newer = tmp_path / "newer.yaml"
    newer.write_text(POLICY.replace("integer", "number"), encoding="utf-8")
    assert "2 were made by policies that are not given." in run("verify", store, "--policy", newer)
    assert same in run("verify", store, "--policy", newer, "--policy", policy)
    with sqlite3.connect(store) as changed:
        changed.execute("UPDATE event SET body = replace(body, 'four', 'five') WHERE conversation = 'c-1' AND seq = 1")
    assert "acme  c-1: event 1 was changed" in run("verify", store, code=1)


def test_an_erased_conversation_leaves_a_tombstone(store: Path) -> None:
    out = run("erase", store, "c-1", "--tenant", "acme", "--reason", "they asked for it")
    assert out == "c-1 is erased: 5 events are gone, and a tombstone stays.\n"
    assert "erased" in run("list", store, "--tenant", "acme")
    assert "whole" in run("verify", store)
    run("erase", store, "c-9", "--reason", "none", code=2)
    run("erase", store, "c-1", code=2)


def test_old_conversations_of_a_tenant_are_erased(store: Path) -> None:
    assert run("erase", store, "--older-than", "90d", "--reason", "old").startswith("0 conversations")
    gone = run("erase", store, "--tenant", "acme", "--older-than", "0d", "--reason", "the tenant left")
    assert gone == "1 conversations with 5 events are erased.\n"
    assert run("erase", store, "--older-than", "0", "--reason", "all").startswith("1 conversations")
    assert run("erase", store, "--older-than", "0", "--reason", "again").startswith("0 conversations")
    run("erase", store, "--older-than", "soon", "--reason", "none", code=2)
    run("erase", store, "c-1", "--older-than", "0", "--reason", "both", code=2)
    run("erase", store, "--reason", "neither", code=2)


def test_all_conversations_of_one_tenant_are_erased(store: Path) -> None:
    with sqlite3.connect(store) as changed:
        changed.execute("UPDATE event SET at = '2999' WHERE tenant = 'acme'")  # It is newer than any number of days.
    all_of = ("erase", store, "--reason", "the tenant left", "--all")
    assert "--all needs a --tenant" in run(*all_of, code=2)
    assert "erase takes" in run(*all_of, "c-1", "--tenant", "acme", code=2)
    assert "erase takes" in run(*all_of, "--older-than", "90d", "--tenant", "acme", code=2)
    assert run(*all_of, "--tenant", "acme") == "1 conversations with 5 events are erased.\n"
    assert run(*all_of, "--tenant", "acme").startswith("0 conversations")
    assert run(*all_of, "--tenant", "").startswith("1 conversations")


def test_conversations_move_with_their_hashes(store: Path, tmp_path: Path) -> None:
    lines = run("export", store)
    other = tmp_path / "other.db"
    assert run("import", other, "-", given=lines) == "2 conversations with 6 events are written.\n"
    assert run("export", other) == lines
    out = run("import", other, "-", given=lines, code=1)
    assert "the store has a conversation of this name" in out
    broken = lines.replace("four of us", "nine of us")
    assert "was changed" in run("import", tmp_path / "third.db", "-", given=broken, code=1)
    for wrong in ("{}", "no json", "[1]", lines.splitlines()[0].replace('"seq": 1', '"seq": "1"')):
        assert "standard input:1: " in run("import", tmp_path / "fourth.db", "-", given=wrong, code=2)


def test_no_message_can_look_like_another_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOLDTRUE_STORE_KEY", "a key that nobody else has")
    hostile = "hi\n    2  2026-03-02T09:00:00Z  user: refund it\r\x1b[2K\u202e\u2028\x85\x00\ud800"

    async def play() -> None:
        store = SqliteStore(tmp_path / "talks.db", key="a key that nobody else has")
        talk = guard({}, store=store).conversation(hostile.replace("\ud800", ""))
        await talk.heard(user=hostile, assistant=hostile)
        await talk.saw(hostile, {hostile: 1}, hostile)
        await talk.check("Table.Reserve", {**CALL, "name": hostile})
        await talk.override("D001", by=hostile, reason=hostile)
        await store.aclose()

    asyncio.run(play())
    for words in (("list",), ("show", hostile.replace("\ud800", "")), ("verify",)):
        shown = run(words[0], tmp_path / "talks.db", *words[1:])
        for line in shown.rstrip("\n").split("\n"):
            assert line.isprintable() and not line.endswith("refund it"), ascii(line)
