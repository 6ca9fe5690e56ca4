"""Runs of suite `guard` over a small folder: played, killed, resumed, observed, and reported."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from holdtrue.cli.main import app
from holdtrue.errors import HoldtrueError, SettingsError
from holdtrue_lab.kinds.decisions.entry import DecisionEntry, DecisionKind
from holdtrue_lab.kinds.decisions.method import DECISION_PRESETS
from holdtrue_lab.kit.journal import read_entries
from holdtrue_lab.kit.report import all_tables, open_report
from holdtrue_lab.suites.guard import SUITE
from tests.lab.kit.runs import contents
from tests.lab.suites.guard.library import (
    CONVERSATIONS,
    DONE,
    LABELS,
    NOVEL,
    POLICY,
    conversation,
    gave,
    lends,
    looks_up,
    policy,
    user,
    write,
)
from tests.lab.suites.guard.recomputed import count, lines, told
from tests.patience import HANG_S

FACTS, TALK, TOOL = {"R1", "R2"}, {"S1"}, {"T1"}
POLICIES = ("guard", "guard_unsaid_unknown")


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write(tmp_path_factory.mktemp("library"))


@pytest.fixture(scope="module")
def folder(data: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a run with all methods."""
    out = tmp_path_factory.mktemp("guard") / "run"
    holdtrue(*command(data, out))
    return out


def command(data: Path, out: Path, *more: str) -> list[str]:
    return ["run", "guard", "--data", f"{data}", "--policy", f"{policy(data)}", "--out", f"{out}", "-q", *more]


def holdtrue(*words: object) -> str:
    result = CliRunner().invoke(app, [str(word) for word in words], terminal_width=200)
    assert result.exit_code == 0, (result.output, result.exception)
    return result.output


def played(folder: Path, method: str = "guard") -> dict[tuple[str, int], DecisionEntry]:
    return {
        (entry.problem, entry.turn): entry
        for entry in read_entries(folder)
        if isinstance(entry, DecisionEntry) and entry.method == method
    }


def decided(folder: Path, method: str = "guard") -> dict[tuple[str, int], tuple[str, tuple[str, ...]]]:
    return {
        key: (entry.record.detail.decision.value, entry.record.detail.rules)
        for key, entry in played(folder, method).items()
    }


def rows(folder: Path) -> dict[str, dict[str, Any]]:
    [run] = json.loads(holdtrue("report", folder, "--json"))["runs"]
    return {row["arm"]["method"]: row for row in run["rows"]}


def test_every_method_that_hears_nobody_is_played_unless_others_are_named() -> None:
    assert SUITE.methods.split(",") == [name for name, own in DECISION_PRESETS.items() if own.reader == "none"]


def test_every_call_that_writes_is_decided_on_and_no_model_is_asked(data: Path, tmp_path: Path) -> None:
    said = holdtrue(*command(data, tmp_path))
    assert "1 of 8 conversations are left out: they have no call that writes." in said
    assert "40 of 40 turns" in said
    assert (tmp_path / "calls.jsonl").read_bytes() == b""
    kept = json.loads((tmp_path / "settings.json").read_text(encoding="utf-8"))
    assert (kept["model"], kept["protocol"], kept["play"]["mode"]) == ("no model", "enforce", "enforce")
    assert kept["play"]["policy"].startswith("library ")


def test_the_policy_decides_with_facts_and_effects_of_what_came_before(folder: Path) -> None:
    assert decided(folder) == {
        ("task1-0", 1): ("allow", ()),
        ("task1-1", 1): ("ask", ("R1-not-lent",)),
        ("task2-0", 1): ("block", ("R1-not-lent",)),
        ("task2-1", 1): ("allow", ()),
        ("task2-1", 2): ("block", ("R1-not-lent",)),
        ("task3-0", 1): ("block", ("R2",)),
        ("task3-1", 1): ("block", ("schema",)),
        ("special-0", 1): ("block", ("R2",)),
    }


def test_what_nobody_said_may_also_be_unknown(folder: Path) -> None:
    found = decided(folder, "guard_unsaid_unknown")
    assert found["special-0", 1] == ("ask", ("R2",)), "it may be for school"
    assert found["task3-0", 1] == ("block", ("R2",)), "a year is too long for school, too"
    [assumed] = [entry.record.detail.assumptions for key, entry in played(folder).items() if key[0] == "special-0"]
    assert assumed


def test_controls_decide_alike_and_name_no_rule(folder: Path) -> None:
    for method, kind in {"allow_all": "allow", "block_writes": "block", "ask_always": "ask"}.items():
        assert set(decided(folder, method).values()) == {(kind, ())}
        assert all(entry.record.detail.record is None for entry in played(folder, method).values())


def test_arguments_that_are_no_json_are_never_allowed(folder: Path) -> None:
    for method in POLICIES:
        assert played(folder, method)["task3-1", 1].record.detail.decision is DecisionKind.BLOCK


def test_every_decision_is_replayed_from_its_record(folder: Path) -> None:
    for method in POLICIES:
        found = played(folder, method).values()
        assert [entry.score.replayed for entry in found if entry.score is not None] == [True] * 8
    assert {row["replayed"]["hits"] for row in rows(folder).values() if row["arm"]["method"] in POLICIES} == {8}


@pytest.mark.parametrize("method", SUITE.methods.split(","))
def test_the_report_says_what_plain_reading_of_journal_and_labels_says(data: Path, folder: Path, method: str) -> None:
    assert told(rows(folder)[method]) == count(folder, data / "labels.jsonl", method, FACTS, TALK, TOOL)


def test_the_guard_is_right_where_its_rules_are_those_of_the_labels(folder: Path) -> None:
    found = rows(folder)
    guard, control = found["guard"], found["allow_all"]
    assert guard["help"]["caught"]["value"] == 1.0 and control["help"]["caught"]["value"] == 0.0
    assert guard["help"]["asked"]["value"] == 1.0
    assert guard["standings"] == {"broken": 3, "undecided": 1, "sound": 4, "open": 0}


def test_observing_stops_nothing_and_gives_the_same_tables(data: Path, folder: Path, tmp_path: Path) -> None:
    holdtrue(*command(data, tmp_path / "observed", "--mode", "observe"))
    tables = [
        {table.name: table.lines for table in all_tables(open_report([each])) if table.name != "records"}
        for each in (folder, tmp_path / "observed")
    ]
    assert tables[0] == tables[1] and "results" in tables[0]
    assert all(entry.record.delivered is not None for entry in played(tmp_path / "observed").values())
    stopped = [key for key, entry in played(folder).items() if entry.record.delivered is None]
    assert stopped == [key for key, (kind, _) in decided(folder).items() if kind != "allow"]
    assert {entry.score.replayed for entry in played(tmp_path / "observed").values() if entry.score} == {True}


def test_the_moment_can_be_given(data: Path, tmp_path: Path) -> None:
    holdtrue(*command(data, tmp_path, "--now", "2024-05-15T22:00:00", "--method", "guard"))
    assert decided(tmp_path)["task1-0", 1] == ("block", ("R3",)), "the desk is closed"
    detail = played(tmp_path)["task1-0", 1].record.detail
    assert detail.record is not None and "2024-05-15T22:00:00" in json.dumps(detail.record)


def test_what_is_left_open_and_results_of_no_call_are_told(tmp_path: Path) -> None:
    open_one = conversation(1, 0, [gave("c0", DONE), *looks_up(NOVEL), *lends("b1"), user("Bye.")])
    data = write(tmp_path / "data", [open_one, conversation(2, 0, lends("b1", result=None))], None)
    rule = "obligations:\n  - {id: lent, hold: done.lend_book.size() > 0, say: A book is lent.}\n"
    policy(data).write_text(policy(data).read_text(encoding="utf-8") + rule, encoding="utf-8")
    words = ["run", "guard", "--data", data, "--policy", data / "policy.yaml", "--out", tmp_path / "out", "-q"]
    said = holdtrue(*words, "--method", "guard")
    assert "At the end of 1 of 2 conversations obligations are unmet or undecided: lent (1)." in said
    assert "1 results belong to no call, such as in" in said and "messages[0]" in said


def test_a_run_goes_on_where_it_ended(data: Path, folder: Path, tmp_path: Path) -> None:
    holdtrue(*command(data, tmp_path / "run", "--limit", "2"))
    before = (tmp_path / "run" / "journal.jsonl").read_bytes()
    holdtrue(*command(data, tmp_path / "run"))
    assert (tmp_path / "run" / "journal.jsonl").read_bytes().startswith(before)
    assert contents(tmp_path / "run") == contents(folder)


def many(folder: Path, copies: int) -> Path:
    """Return the same conversations many times, under other tasks."""
    named = [(f"{each['task']}.{copy}", each) for copy in range(copies) for each in CONVERSATIONS]
    labels = [{**each, "task_id": f"{each['task_id']}.{copy}"} for copy in range(copies) for each in LABELS]
    return write(folder, [{**each, "task": task} for task, each in named], labels)


@pytest.mark.parametrize("kills", [1, pytest.param(6, marks=pytest.mark.slow)])
def test_a_run_that_is_killed_comes_to_the_same(tmp_path: Path, kills: int) -> None:
    data = many(tmp_path / "many", 3 * kills)
    words = [sys.executable, "-m", "holdtrue", *command(data, tmp_path / "killed")]
    journal, chance = tmp_path / "killed" / "journal.jsonl", random.Random(7)
    kept = b""
    for _ in range(kills):
        with subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
            _wait_for_more(process, journal, len(kept) + chance.randrange(60_000))
            os.kill(process.pid, signal.SIGKILL)
        now = journal.read_bytes()
        assert now.startswith(kept), "what was written down stays"
        kept = now[: now.rfind(b"\n") + 1]
    holdtrue(*command(data, tmp_path / "killed"))
    holdtrue(*command(data, tmp_path / "whole"))
    assert journal.read_bytes().startswith(kept)
    assert contents(tmp_path / "killed") == contents(tmp_path / "whole")


def _wait_for_more(process: subprocess.Popen[bytes], journal: Path, size: int) -> None:
    """Wait until the journal has this size, or the process has ended."""
    import time

    end = time.monotonic() + HANG_S
    while process.poll() is None and (not journal.exists() or journal.stat().st_size < size):
        assert time.monotonic() < end
        time.sleep(0.002)


def test_another_policy_is_another_run(data: Path, tmp_path: Path) -> None:
    first, other = policy(data), policy(write(tmp_path / "other"))
    other.write_text(first.read_text(encoding="utf-8").replace("21", "28"), encoding="utf-8")
    words = ["run", "guard", "--data", f"{data}", "--out", f"{tmp_path / 'run'}", "-q", "--limit", "1", "--policy"]
    holdtrue(*words, first)
    refused = CliRunner().invoke(app, [*words, f"{other}"])
    assert isinstance(refused.exception, SettingsError) and "  policy: was " in str(refused.exception)


def test_predictions_hold_every_decision(folder: Path, tmp_path: Path) -> None:
    path = tmp_path / "guard.jsonl"
    holdtrue("report", folder, "--predictions", path)
    written = {(each["task"], each["trial"], each["message"]): each for each in lines(path)}
    assert written[2, 0, 3] == {"task": 2, "trial": 0, "message": 3, "decision": "block", "rules": ["R1"]}
    assert ("special", 0, 3) in written and len(lines(path)) == 8


def test_what_does_not_fit_is_told(data: Path, tmp_path: Path) -> None:
    holdtrue(*command(write(tmp_path / "fine"), tmp_path / "out"))
    cases = {
        ("--mode", "watch"): "watch",
        ("--solver-timeout-s", "0"): "timeout_s",
        ("--now", "tomorrow"): "--now: ",
        ("--policy", "nowhere.yaml"): "nowhere.yaml",
        ("--data", "nowhere"): "nowhere",
        ("--method", "magic"): "unknown method 'magic'; there are guard",
    }
    for more, fault in cases.items():
        result = CliRunner().invoke(app, command(data, tmp_path / "refused", *more))
        assert result.exit_code != 0 and isinstance(result.exception, HoldtrueError | SystemExit)
        assert fault in result.output + str(result.exception), more
    assert not (tmp_path / "refused").exists()


def test_without_a_call_that_writes_there_is_nothing_to_play(tmp_path: Path) -> None:
    data = write(tmp_path / "reads", [conversation(1, 0, looks_up({"id": "b1", "lent": False}))], None)
    result = CliRunner().invoke(app, command(data, tmp_path / "out"))
    assert "1 conversations were read, and their 1 calls are all of tools that only read" in str(result.exception)


def test_a_method_of_one_s_own_is_a_table_of_a_plan(data: Path, tmp_path: Path) -> None:
    plan = tmp_path / "plan.toml"
    plan.write_text('[[method]]\nname = "careful"\nunsaid = "unknown"\n', encoding="utf-8")
    holdtrue(*command(data, tmp_path / "run", "--plan", f"{plan}"))
    holdtrue(*command(data, tmp_path / "preset", "--method", "guard_unsaid_unknown"))
    assert decided(tmp_path / "run", "careful") == decided(tmp_path / "preset", "guard_unsaid_unknown")
    assert replace(DECISION_PRESETS["guard_unsaid_unknown"], name="careful").is_control is False


def test_ids_that_users_wrote_count_as_they_were_written(tmp_path: Path) -> None:
    talks = [
        conversation(1, 0, [user("Lend me b1, please."), *looks_up(NOVEL), *lends("b1")]),
        conversation(2, 0, [user("Lend me that one."), *looks_up(NOVEL), *lends("b1"), user("So b1 it is.")]),
    ]
    data = write(tmp_path / "data", talks, None)
    words = command(data, tmp_path / "run", "--method", "guard")
    rule = '  - {id: W1, on: lend_book, hold: call.book in written, say: "Lend what was asked for by its id."}\n'
    policy(data).write_text(POLICY + rule, encoding="utf-8")
    holdtrue(*words)
    assert decided(tmp_path / "run") == {("task1-0", 1): ("allow", ()), ("task2-0", 1): ("block", ("W1",))}
