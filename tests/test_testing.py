"""Conversations are played against a policy by `holdtrue.testing`, in pytest and without."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from holdtrue.errors import RecordError
from holdtrue.testing import play
from tests.adapters.desk import CALLS, FOLDER, ROWS, STOPPED, IdealReader
from tests.serve.messages import message_of
from tests.test_docs_examples import blocks, printed, promised
from tests.test_surface import HEAVY, modules_after

POLICY = FOLDER / "policy.yaml"


def test_the_desk_is_played_as_its_rows_expect() -> None:
    played = play(POLICY, FOLDER / "conversation.jsonl", IdealReader())
    played.check()
    assert [(own.row["tool"], own.row["arguments"]) for own in played.stopped] == STOPPED


async def test_a_difference_is_told_with_its_place_and_reasons() -> None:
    """The test runs in an event loop, where a conversation is played, too."""
    rows = [{**own, "expected": "allow"} if own["role"] == "call" else own for own in ROWS[:4]]
    with pytest.raises(AssertionError, match=r"^1 of 2 decisions differ:") as caught:
        play(POLICY, rows[:3]).check()
    said = str(caught.value)
    assert "row 3: expected allow (more than was paid), got block: refund(" in said
    assert "call.amount is 300.00 EUR" in said
    with pytest.raises(AssertionError, match="no call of the conversation has an expected"):
        play(POLICY, [{"role": "user", "text": "Hi"}, {"role": "call", "tool": "get_booking", "arguments": {}}]).check()


def test_recorded_messages_show_in_mode_observe_what_would_have_been_stopped() -> None:
    messages = [{"role": "user", "content": ROWS[0]["text"]}]
    for number, own in enumerate(CALLS[:3]):
        answer = {"role": "tool", "tool_call_id": f"c{number}", "content": json.dumps(own["result"])}
        messages += [message_of(own, f"c{number}"), answer]
    played = play(POLICY, messages, IdealReader(), mode="observe", now="2026-12-24T12:00:00")
    assert [own.kind for own in played.decisions] == ["allow", "block", "block"]
    assert [own.rules for own in played.decisions] == [(), ("R1", "R3"), ("R3", "R5")]
    assert not any(own.stops for own in played.decisions)


@pytest.mark.parametrize(
    ("row", "says"),
    [
        ({"role": "judge"}, "row 2: role: 'judge' is none of user, assistant, call"),
        ({"role": "user"}, "row 2: text is missing"),
        ({"role": "call", "tool": "refund", "expected": "maybe"}, "row 2: expected: 'maybe' is none of allow, stop"),
    ],
)
def test_an_unreadable_row_is_named(row: dict[str, object], says: str) -> None:
    with pytest.raises(RecordError, match=re.escape(says)):
        play(POLICY, [ROWS[1], row])


CASES = """
import pytest

@pytest.mark.holdtrue_cases("cases/*.jsonl", policy="policy.yaml"{more})
def test_cases(guard_conversation):
    guard_conversation.check()

def test_by_hand(guard_conversation):
    rows = [{{"role": "call", "tool": "get_booking", "arguments": {{"booking": "A"}}, "expected": "allow"}}]
    guard_conversation("policy.yaml", rows).check()
"""


def test_the_plugin_makes_a_test_of_each_file(tmp_path: Path) -> None:
    def run(more: str = "") -> str:
        (tmp_path / "test_own.py").write_text(CASES.format(more=more))
        plugin = ["-p", "holdtrue.testing", "-p", "no:cacheprovider", "--strict-markers", "-q", "-rA"]
        command = [sys.executable, "-m", "pytest", *plugin, "test_own.py"]
        return subprocess.run(command, cwd=tmp_path, capture_output=True, text=True).stdout

    for own in ("policy.yaml", "tools.json"):
        shutil.copy(FOLDER / own, tmp_path)
    assert "no file is" in run()
    (tmp_path / "cases").mkdir()
    for name, rows in (("right", ROWS[:3]), ("wrong", ROWS[:4])):
        (tmp_path / "cases" / f"{name}.jsonl").write_text("".join(json.dumps(own) + "\n" for own in rows))
    said = run()
    assert "PASSED test_own.py::test_cases[right]" in said and "PASSED test_own.py::test_by_hand" in said
    assert "FAILED test_own.py::test_cases[wrong]" in said and "wrong.jsonl:4: expected stop (the user wants" in said
    assert "now: a moment" in run(", now='soon'")


def test_the_page_is_right(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    case, (marked, *others) = Path("cases/too_much.jsonl"), blocks("docs/testing.md", "python")
    case.parent.mkdir()
    Path("policy.yaml").write_text(blocks("docs/testing.md", "yaml")[0])
    Path("test_refunds.py").write_text(marked)
    case.write_text(blocks("docs/testing.md", "json")[0])
    command = [sys.executable, "-m", "pytest", "-p", "holdtrue.testing", "-q"]
    assert "1 passed" in subprocess.run(command, capture_output=True, text=True).stdout
    code = "\n".join(others)
    assert [own in promised(code) for own in printed(code).splitlines()] == [True] * 3
    case.write_text(case.read_text().replace("block", "allow"))
    with pytest.raises(AssertionError) as caught:
        play("policy.yaml", case).check()
    assert str(caught.value) == blocks("docs/testing.md", "text")[0].strip()


def test_the_plugin_loads_nothing_heavy() -> None:
    assert not modules_after("import holdtrue.testing") & {*HEAVY} - modules_after("import pytest")
