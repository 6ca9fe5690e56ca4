"""Logs of calls: paid calls are kept in spite of all faults, and never paid for again."""

from __future__ import annotations

import asyncio
import errno
import os
import signal
import sqlite3
import subprocess
import sys
import tempfile
import textwrap
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdtrue.audit.chat_reader import SharedCallLog
from holdtrue.errors import InfrastructureError, JournalError, ModelRefused, RecordError
from holdtrue.models.cache import CallLog, LoggedModel
from holdtrue.models.chat import Message, Reply, Request, user
from holdtrue.models.scripted import ScriptModel
from holdtrue.record import ReplyKind, Usage
from tests.models.disk import no_file_beyond
from tests.recorder import Recorder

ONE = Request((user("one"),), "answer")
TWO = Request((user("two"),), "answer")


class Slow:
    """A model that counts its calls, and lets all of them wait for `go`."""

    name = "script/slow"

    def __init__(self) -> None:
        self.calls = 0
        self.go = asyncio.Event()

    async def complete(self, request: Request) -> Reply:
        self.calls += 1
        await self.go.wait()
        return Reply(f"reply {self.calls}", Usage(1, 1, 1, 0.0))

    async def aclose(self) -> None:
        pass


async def test_a_known_request_is_not_paid_for_again(tmp_path: Path) -> None:
    paid = Recorder(lambda request: f"to {request.messages[0].content}")
    log = CallLog(tmp_path / "calls.jsonl")
    model = LoggedModel(paid, log)
    replies = [await model.complete(request) for request in (ONE, TWO, ONE)]
    assert [reply.text for reply in replies] == ["to one", "to two", "to one"]
    assert replies[0] == replies[2]
    assert paid.requests == [ONE, TWO]
    assert log.usage == Usage(2, 20, 10, 0.0)
    log.close()
    log.close()


async def test_a_reopened_log_answers_the_same(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "calls.jsonl"
    reply = Reply("ünï\n\u2028 \ud800", Usage(1, 3, 4, 0.25), ReplyKind.CUT, None, {"fault": "forgot"})
    log = CallLog(path)
    made = await LoggedModel(Recorder(lambda request: reply), log).complete(ONE)
    usage = log.usage
    log.close()
    again = CallLog(path)
    found = await LoggedModel(ScriptModel([], name="script/recorder"), again).complete(ONE)
    assert found == made == reply
    assert again.usage == usage
    again.close()


@given(
    st.lists(st.tuples(st.text(max_size=20), st.text(max_size=20), st.floats(0, 1e6)), max_size=5),
    st.integers(min_value=0),
)
@settings(deadline=None, max_examples=40)
def test_a_log_torn_anywhere_keeps_all_its_whole_lines(calls: list[tuple[str, str, float]], cut: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "calls.jsonl"
        log = CallLog(path)
        kept = []
        for number, (asked, said, latency_s) in enumerate(calls):
            request = Request((Message("user", asked),), "answer", sample=number)
            reply = Reply(said, Usage(1, number, 2 * number, latency_s))
            log.append(request.key('a "model"'), 'a "model"', request, reply)
            kept.append((request, reply, path.stat().st_size))
        log.close()
        size = cut % (path.stat().st_size + 1)
        os.truncate(path, size)
        log = CallLog(path)
        whole = [(request, reply) for request, reply, end in kept if end <= size]
        assert len(log) == len(whole)
        assert all(log.find(request.key('a "model"')) == reply for request, reply in whole)
        assert log.usage.prompt_tokens == sum(reply.usage.prompt_tokens for _, reply in whole)
        log.append("0" * 32, "m", ONE, Reply("after", Usage(1)))
        log.close()
        log = CallLog(path)
        after = log.find("0" * 32)
        assert after is not None and after.text == "after"
        log.close()


async def test_the_same_request_at_the_same_moment_is_paid_for_once(tmp_path: Path) -> None:
    slow, log = Slow(), CallLog(tmp_path / "calls.jsonl")
    model = LoggedModel(slow, log)
    waiting = [asyncio.create_task(model.complete(ONE)) for _ in range(20)]
    await asyncio.sleep(0)
    slow.go.set()
    replies = await asyncio.gather(*waiting)
    assert slow.calls == 1
    assert {reply.text for reply in replies} == {"reply 1"}
    assert len(log) == 1
    log.close()


async def test_when_the_one_who_pays_is_cancelled_another_pays(tmp_path: Path) -> None:
    slow, log = Slow(), CallLog(tmp_path / "calls.jsonl")
    model = LoggedModel(slow, log)
    payer, other, third = (asyncio.create_task(model.complete(ONE)) for _ in range(3))
    await asyncio.sleep(0)
    payer.cancel()
    await asyncio.sleep(0)
    slow.go.set()
    assert (await other).text == (await third).text == "reply 2"
    assert payer.cancelled()
    log.close()


async def test_one_who_waits_can_be_cancelled_without_harm_to_the_payer(tmp_path: Path) -> None:
    slow, log = Slow(), CallLog(tmp_path / "calls.jsonl")
    model = LoggedModel(slow, log)
    payer, waiting = (asyncio.create_task(model.complete(ONE)) for _ in range(2))
    await asyncio.sleep(0)
    waiting.cancel()
    await asyncio.sleep(0)
    slow.go.set()
    assert (await payer).text == "reply 1"
    assert waiting.cancelled()
    log.close()


async def test_a_failed_call_fails_for_all_who_wait_and_is_not_logged(tmp_path: Path) -> None:
    log = CallLog(tmp_path / "calls.jsonl")
    model = LoggedModel(ScriptModel([]), log)
    results = await asyncio.gather(model.complete(ONE), model.complete(ONE), return_exceptions=True)
    assert all(isinstance(result, ModelRefused) for result in results)
    assert len(log) == 0
    log.close()


async def test_a_call_that_ends_the_task_of_its_payer_is_paid_for_by_another(tmp_path: Path) -> None:
    class Ending(Slow):
        async def complete(self, request: Request) -> Reply:
            reply = await super().complete(request)
            if reply.text == "reply 1":
                raise SystemExit
            return reply

    log, ending = CallLog(tmp_path / "calls.jsonl"), Ending()
    model = LoggedModel(ending, log)

    async def pay() -> None:
        with pytest.raises(SystemExit):
            await model.complete(ONE)

    payer = asyncio.create_task(pay())
    await asyncio.sleep(0)
    waiting = asyncio.create_task(model.complete(ONE))
    await asyncio.sleep(0)
    ending.go.set()
    await payer
    assert (await waiting).text == "reply 2"
    log.close()


def test_a_killed_process_loses_only_calls_in_flight(tmp_path: Path) -> None:
    path = tmp_path / "calls.jsonl"
    script = """
        import asyncio, sys
        from pathlib import Path
        from holdtrue.models.cache import CallLog, LoggedModel
        from holdtrue.models.chat import Request, user
        from holdtrue.models.scripted import ScriptModel

        async def main():
            model = LoggedModel(ScriptModel(lambda request: "yes"), CallLog(Path(sys.argv[1])))
            for number in range(10**6):
                await model.complete(Request((user(str(number)),), "answer"))
                print(number, flush=True)

        asyncio.run(main())
    """
    command = [sys.executable, "-c", textwrap.dedent(script), str(path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        answered = [process.stdout.readline() for _ in range(50)]
        process.send_signal(signal.SIGKILL)
        answered += process.stdout.readlines()
    log = CallLog(path)
    assert len(log) >= sum(line.endswith("\n") for line in answered)
    assert all(log.find(Request((user(str(n)),), "answer").key("script")) for n in range(50))
    log.close()


def test_a_line_that_is_no_call_is_an_error_with_its_number(tmp_path: Path) -> None:
    path = tmp_path / "calls.jsonl"
    log = CallLog(path)
    log.append(ONE.key("m"), "m", ONE, Reply("yes", Usage(1)))
    log.close()
    latency = path.read_bytes().replace(b'"latency_s":0.0', b'"latency_s":0.0.0')
    for wrong in (b"{}\n", b"\n", path.read_bytes()[:-10] + b"\n", latency):
        damaged = tmp_path / "damaged.jsonl"
        damaged.write_bytes(path.read_bytes() + wrong)
        with pytest.raises(RecordError, match="line 2"):
            CallLog(damaged)


def test_a_call_damaged_in_its_middle_is_an_error_when_it_is_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "calls.jsonl"
    log = CallLog(path)
    log.append(ONE.key("m"), "m", ONE, Reply("yes", Usage(1)))
    log.close()
    path.write_bytes(path.read_bytes().replace(b'"yes"', b'"yes,'))
    log = CallLog(path)
    with pytest.raises(RecordError, match="damaged"):
        log.find(ONE.key("m"))
    log.close()


def test_a_log_that_cannot_be_opened_is_a_journal_error(tmp_path: Path) -> None:
    with pytest.raises(JournalError, match="cannot be opened"):
        CallLog(tmp_path)


def test_a_disk_that_refuses_to_be_read_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "calls.jsonl"
    log = CallLog(path)
    log.append(ONE.key("m"), "m", ONE, Reply("yes", Usage(1)))

    def refuse(*given: object) -> Iterator[object]:
        raise OSError(errno.EIO, "Input/output error")

    with monkeypatch.context() as broken:
        broken.setattr("holdtrue.models.call_lines.decode", refuse)
        with pytest.raises(InfrastructureError, match="the call log cannot be read: Input/output error"):
            log.find(ONE.key("m"))
        broken.setattr("holdtrue.models.cache.scan", refuse)
        with pytest.raises(JournalError, match="cannot be opened: Input/output error"):
            CallLog(path)
    log.close()


def test_a_disk_that_refuses_to_cut_half_a_line_spoils_no_other_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "calls.jsonl"
    log = CallLog(path)

    def refuse(size: int) -> None:
        raise OSError(errno.EIO, "Input/output error")

    with monkeypatch.context() as broken:
        broken.setattr(log._file, "truncate", refuse)
        with no_file_beyond(100), pytest.raises(JournalError, match="cannot be written: File too large"):
            log.append(ONE.key("m"), "m", ONE, Reply("yes", Usage(1)))
        with pytest.raises(JournalError, match="cannot be written: Input/output error"):
            log.append(TWO.key("m"), "m", TWO, Reply("yes", Usage(1)))
    log.append(TWO.key("m"), "m", TWO, Reply("yes", Usage(1)))
    log.close()
    log = CallLog(path)
    assert len(log) == 1
    log.close()


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
