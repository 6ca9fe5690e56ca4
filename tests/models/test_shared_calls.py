"""A log of calls that several processes write to: every reply is kept, and every token counted once."""

from __future__ import annotations

import asyncio
import os
import signal
import sqlite3
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from holdtrue.audit.chat_reader import SharedCallLog
from holdtrue.errors import InfrastructureError, JournalError
from holdtrue.models.cache import LoggedModel
from holdtrue.models.chat import Reply, Request, user
from holdtrue.record import ReplyKind, Usage
from tests.recorder import Recorder

ONE = Request((user("one"),), "answer")
REPLY = Reply("yes", Usage(1, 7, 2, 0.5), ReplyKind.ANSWER, "a note", {"a": "b"}, -0.25)


def test_what_was_said_is_there_for_the_next_and_counted(tmp_path: Path) -> None:
    log = SharedCallLog(tmp_path / "deep" / "calls.sqlite")
    assert log.find("k") is None and log.usage == Usage(0)
    log.append("k", "m", ONE, REPLY)
    log.close()
    log.close()
    again = SharedCallLog(tmp_path / "deep" / "calls.sqlite")
    assert again.find("k") == REPLY and again.usage == Usage(1, 7, 2, 0.5) and again.tokens == 9
    again.close()


def test_the_first_of_two_replies_is_kept_and_both_were_paid_for(tmp_path: Path) -> None:
    one, other = (SharedCallLog(tmp_path / "calls.sqlite") for _ in range(2))
    one.append("k", "m", ONE, REPLY)
    other.append("k", "m", ONE, Reply("no", Usage(1, 7, 3)))
    assert [own.find("k") for own in (one, other)] == [REPLY, REPLY]
    assert one.usage.calls == 2 and one.tokens == other.tokens == 19
    one.close()
    other.close()


def test_a_logged_model_asks_nothing_twice(tmp_path: Path) -> None:
    log, model = SharedCallLog(tmp_path / "calls.sqlite"), Recorder(lambda _: "hi")
    for _ in range(3):
        assert asyncio.run(LoggedModel(model, log).complete(ONE)).text == "hi"
    assert len(model.requests) == log.usage.calls == 1
    log.close()


def test_odd_characters_come_back_as_they_went(tmp_path: Path) -> None:
    log = SharedCallLog(tmp_path / "calls.sqlite")
    for at, text in enumerate(("\ud800", "\x00", "a\nb\u2028", "", "\U0001f600")):
        log.append(f"{at}", "m\ud800", Request((user(text),), "answer"), Reply(text, Usage(1, 1, 1)))
        found = log.find(f"{at}")
        assert found is not None and found.text == text
    log.close()


def test_a_file_of_something_else_is_told_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "calls.sqlite"
    path.write_text("what somebody wrote, and it is long enough to be no empty file" * 30, encoding="utf-8")
    with pytest.raises(JournalError, match="cannot be opened"):
        SharedCallLog(path)
    assert path.read_text(encoding="utf-8").startswith("what somebody wrote")


def test_a_damaged_reply_is_told(tmp_path: Path) -> None:
    log = SharedCallLog(tmp_path / "calls.sqlite")
    log.append("k", "m", ONE, REPLY)
    with sqlite3.connect(tmp_path / "calls.sqlite") as base:
        base.execute("UPDATE call SET line = '{}'")
    base.close()
    with pytest.raises(JournalError, match="damaged"):
        log.find("k")
    log.close()


def test_a_closed_log_is_an_error_of_the_world_around_it(tmp_path: Path) -> None:
    log = SharedCallLog(tmp_path / "calls.sqlite")
    log.close()
    with pytest.raises(InfrastructureError):
        log.find("k")
    with pytest.raises(JournalError):
        log.append("k", "m", ONE, REPLY)


WRITER = """
    import sys
    from pathlib import Path
    from holdtrue.models.chat import Reply, Request, user
    from holdtrue.audit.chat_reader import SharedCallLog
    from holdtrue.record import Usage
    log = SharedCallLog(Path(sys.argv[1]))
    for at in range(int(sys.argv[3])):
        key = f"{sys.argv[2]}-{at}"
        log.append(key, "m", Request((user(key),), "answer"), Reply(key, Usage(1, 2, 1)))
        print(key, flush=True)
"""


def written_by(path: Path, name: str, count: int) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", textwrap.dedent(WRITER), str(path), name, str(count)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def test_many_processes_lose_and_miscount_nothing_even_if_one_is_killed(tmp_path: Path) -> None:
    path = tmp_path / "calls.sqlite"
    writers = [written_by(path, name, 40) for name in "abc"]
    with written_by(path, "killed", 10**6) as killed:
        assert killed.stdout is not None
        said = [killed.stdout.readline() for _ in range(20)]
        os.kill(killed.pid, signal.SIGKILL)
        said += killed.stdout.readlines()
    for own in writers:
        with own:
            assert own.stdout is not None
            said += own.stdout.readlines()
        assert own.returncode == 0
    log = SharedCallLog(path)
    keys = [line.strip() for line in said if line.endswith("\n")]
    assert {log.find(key) is not None for key in keys} == {True} and len(keys) >= 140
    assert len(keys) <= log.usage.calls <= len(keys) + 1 and log.tokens == 3 * log.usage.calls
    log.close()
