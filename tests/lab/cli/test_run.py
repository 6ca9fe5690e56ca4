"""`holdtrue run` as a person uses it."""

from __future__ import annotations

import json
import re
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from holdtrue.cli.main import main
from holdtrue.models.chat import Reply, Request
from holdtrue.record import Usage
from holdtrue_lab.kinds.assignment.simulation.model import SimulatedModel, open_simulated
from tests.lab.kit.served import serve
from tests.patience import HANG_S

SIM = ("run", "drift", "--model", "sim/forget:0.4", "--extractor", "templates", "--turns", "2")
MAIN = (sys.executable, "-c", "from holdtrue.cli.main import main; main()")


def call(monkeypatch: pytest.MonkeyPatch, *args: object) -> int:
    """The command's exit code."""
    monkeypatch.setattr(sys, "argv", ["holdtrue", *map(str, args)])
    with pytest.raises(SystemExit) as caught:
        main()
    return int(caught.value.code or 0)


@pytest.fixture(autouse=True)
def in_a_folder_of_its_own(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)


def test_a_run_says_where_its_results_are(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert call(monkeypatch, *SIM, "--generate", 3, "--method", "direct, project", "--out", "out") == 0
    output = capsys.readouterr()
    assert "12 of 12 turns are in out; see: holdtrue report out" in output.out
    assert "direct" in output.out
    assert "project" in output.out
    assert output.err == ""
    assert {path.name for path in (tmp_path / "out").iterdir()} >= {"settings.json", "journal.jsonl", "calls.jsonl"}


def test_one_model_reads_and_another_answers(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    args = ("run", "drift", "--model", "sim/perfect", "--turns", "2", "--generate", 3, "--method", "direct", "--quiet")
    assert call(monkeypatch, *args, "--reader", "sim/drop:1@1", "--out", "out") == 0
    records = [json.loads(line)["record"] for line in (tmp_path / "out" / "journal.jsonl").read_text().splitlines()]
    assert {record["reader"] for record in records} == {"llm+sim/drop:1@1"}
    calls = [json.loads(line) for line in (tmp_path / "out" / "calls.jsonl").read_text().splitlines()]
    assert {each["model"] for each in calls} == {"sim/perfect", "sim/drop:1@1"}
    asked = (*args[:2], "--model", "sim/perfect", "--generate", 3)
    assert call(monkeypatch, *asked, "--reader", "magic", "--out", "none") == 2
    assert "no model 'magic'" in capsys.readouterr().err
    assert call(monkeypatch, *asked, "--reader", "sim/perfect", "--extractor", "templates", "--out", "none") == 2
    assert "--reader names a model, and --extractor templates asks none" in capsys.readouterr().err
    assert not (tmp_path / "none").exists()


def test_verbose_tells_for_each_conversation_which_solver_and_why(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    args = (*SIM, "--generate", 3, "--method", "direct, project", "--out", "out")
    assert call(monkeypatch, *args, "--verbose") == 0
    output = capsys.readouterr().err.splitlines()
    assert len(output) == 6
    assert all(": sat: " in line and line.endswith(" values, formulas of at most 20,000 clauses") for line in output)
    assert {line.split(": ")[0].split(", ")[1] for line in output} == {"direct", "project"}
    assert call(monkeypatch, *args, "--verbose") == 0
    assert capsys.readouterr().err == "", "turns that are there already were decided before"


def test_the_same_command_finds_its_own_folder_again(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    for _ in range(2):
        assert call(monkeypatch, *SIM, "--generate", 3, "--method", "direct", "--quiet") == 0
        assert capsys.readouterr().out.startswith("6 of 6 turns are in runs/drift-sim_forget_0.4-stated-templates-")
    [folder] = (tmp_path / "runs").iterdir()
    assert (folder / "journal.jsonl").read_text().count("\n") == 6


def test_a_run_in_which_nothing_was_read_says_so_and_what_to_do(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    args = (*SIM, "--generate", 3, "--method", "direct", "--quiet")
    assert call(monkeypatch, *args, "--out", "fine") == 0
    assert capsys.readouterr().err == ""

    async def mumble(self: SimulatedModel, request: Request) -> Reply:
        return Reply("I would rather talk about the weather.", Usage(1, 1))

    with monkeypatch.context() as deaf:
        deaf.setattr(SimulatedModel, "complete", mumble)
        assert call(monkeypatch, *args, "--extractor", "llm", "--out", "deaf") == 0
        (line,) = capsys.readouterr().err.splitlines()
        assert re.match(
            r"0 of [1-9]\d* sentences were read: no answer was checked .* --extractor templates .*--turns", line
        )
        assert call(monkeypatch, *args, "--out", "unreadable_answers") == 0
        assert capsys.readouterr().err == "", "the sentences were read, whatever became of the answers"


def test_a_smaller_limit_on_a_finished_folder_says_what_else_the_table_counts(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    args = (*SIM, "--generate", 3, "--method", "direct", "--out", "out")
    assert call(monkeypatch, *args) == 0
    assert "6 of 6 turns are in out; see" in capsys.readouterr().out
    assert call(monkeypatch, *args, "--limit", 2) == 0
    told = capsys.readouterr().out
    assert "4 of 4 turns are in out, beside 2 turns that this command does not ask for; see" in told
    assert "6/6" in told


def test_problems_can_come_from_a_folder(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert call(monkeypatch, "generate", "drift", "--out", "made", "--count", 6, "--turns", 2) == 0
    args = ("run", "drift", "--model", "sim/perfect", "--extractor", "gold", "--method", "project", "--out", "out")
    assert call(monkeypatch, *args, "--problems", "made", "--limit", 3) == 0
    output = capsys.readouterr().out
    assert "6 of 6 turns are in out" in output
    assert "oracle: project" in output
    assert json.loads(Path("out/settings.json").read_text())["problems"] == 6


def test_the_environment_s_server_is_a_setting_of_served_models_only(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    monkeypatch.setattr("holdtrue.models.retry_policy.FIRST_WAIT_S", 0.0)
    assert call(monkeypatch, *SIM, "--generate", 1, "--out", "sim") == 0
    served = ("run", "drift", "--generate", 1, "--extractor", "templates", "--model", "openai/m", "--out", "served")
    assert call(monkeypatch, *served) == 4
    urls = [json.loads((tmp_path / name / "settings.json").read_text())["base_url"] for name in ("sim", "served")]
    assert urls == [None, "http://127.0.0.1:9/v1"]


def test_a_run_goes_on_where_its_server_is_now(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    def ask(url: str, limit: int) -> str:
        monkeypatch.setenv("OPENAI_BASE_URL", url)
        args = ("run", "drift", "--generate", 3, "--turns", 2, "--extractor", "templates", "--model", "openai/m")
        assert call(monkeypatch, *args, "--method", "direct", "--limit", limit, "--out", "out", "--quiet") == 0
        assert json.loads((tmp_path / "out/settings.json").read_text())["base_url"] == url
        return capsys.readouterr().err

    with serve(open_simulated("perfect")) as first, serve(open_simulated("perfect")) as second:
        assert ask(first.url, 1) == ""
        begun = first.asked.copy()
        output = f"openai/m was at {first.url}, and is at {second.url} now; the run in out goes on.\n"
        assert ask(second.url, 3) == output
        assert ask(second.url, 3) == "", "what was told once is settled"
        assert first.asked == begun and not first.asked & second.asked, "no call is paid for twice"
        assert (first.asked.total(), second.asked.total()) == (2, 4)


@pytest.mark.parametrize(
    ("args", "fault"),
    [
        ((*SIM,), "either --problems DIR or --generate N"),
        ((*SIM, "--generate", 3, "--problems", "x"), "either --problems DIR or --generate N"),
        ((*SIM, "--problems", "nowhere"), "--turns is for --generate"),
        (("run", "drift", "--model", "sim/perfect", "--problems", "nowhere"), "no problems here"),
        ((*SIM, "--generate", 3, "--method", "magic"), "unknown method 'magic'"),
        ((*SIM, "--generate", 3, "--extractor", "magic"), "unknown extractor 'magic'"),
        ((*SIM, "--generate", 3, "--protocol", "magic"), "unknown protocol 'magic'"),
        ((*SIM[:3], "magic/model", "--generate", 3), "no model 'magic/model'"),
        ((*SIM, "--generate", 0), "greater than or equal to 1"),
        (("run", "drift", "--generate", 3), "Missing option"),
    ],
)
def test_wrong_usage_is_told(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], args: tuple[object, ...], fault: str
) -> None:
    assert call(monkeypatch, *args) == 2
    assert fault in capsys.readouterr().err


def test_other_settings_are_refused_with_the_difference(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert call(monkeypatch, *SIM, "--generate", 3, "--method", "direct", "--out", "out") == 0
    assert call(monkeypatch, *SIM, "--generate", 3, "--method", "direct", "--out", "out", "--temperature", 0.5) == 2
    assert "temperature: was 0.0, now 0.5" in capsys.readouterr().err


def test_a_failed_conversation_is_told_and_tried_again(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    complete = SimulatedModel.complete

    async def trip(self: SimulatedModel, request: Request) -> Reply:
        if "Domain: seating" in request.messages[-1].content:
            raise ValueError("it broke")
        return await complete(self, request)

    args = (*SIM, "--generate", 3, "--method", "direct", "--out", "out")
    with monkeypatch.context() as broken:
        broken.setattr(SimulatedModel, "complete", trip)
        assert call(monkeypatch, *args) == 1
    output = capsys.readouterr()
    assert "failed: seating_000, direct, turn 1: ValueError: it broke" in output.err
    assert "UNFINISHED: 2 of 3 conversations; 1 failed" in output.out
    assert call(monkeypatch, *args) == 0
    assert "6 of 6 turns" in capsys.readouterr().out


def test_a_token_limit_is_told(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    args = (*SIM, "--generate", 3, "--method", "direct", "--out", "out", "--max-connections", 1)
    assert call(monkeypatch, *args, "--token-limit", 400) == 3
    output = capsys.readouterr()
    assert "Stopped at the limit of 400 tokens; raise --token-limit to go on." in output.err
    assert "UNFINISHED" in output.out
    assert call(monkeypatch, *args) == 0


def test_a_server_that_is_not_there_stops_the_run_and_says_how_to_go_on(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{free.getsockname()[1]}/v1"
    args = ("run", "drift", "--generate", 1, "--turns", 1, "--model", "openai/m", "--extractor", "templates")
    # The client waits between its tries; without the waits the test is quick.
    monkeypatch.setattr("holdtrue.models.retry_policy.FIRST_WAIT_S", 0.0)
    assert call(monkeypatch, *args, "--base-url", url, "--out", "out") == 4
    output = capsys.readouterr().err
    assert "Stopped. What was done is in out; the same command goes on from there." in output
    assert f"holdtrue: openai/m at {url}" in output


def test_a_model_that_cannot_be_opened_leaves_no_folder(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    assert call(monkeypatch, "run", "drift", "--generate", 1, "--model", "openai/m", "--out", "out") == 4
    assert capsys.readouterr().err.startswith("holdtrue: openai/m needs a key")
    assert not (tmp_path / "out").exists()


def test_ctrl_c_stops_the_run_and_says_how_to_go_on(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"http://127.0.0.1:{silent.getsockname()[1]}/v1"
        args = ("run", "drift", "--generate", "1", "--model", "openai/m", "--extractor", "templates", "--out", "out")
        command = (*MAIN, *args, "--base-url", url)
        with subprocess.Popen(command, cwd=tmp_path, stderr=subprocess.PIPE, text=True) as process:
            connection, _ = silent.accept()  # the first call is under way
            process.send_signal(signal.SIGINT)
            output = process.communicate(timeout=HANG_S)[1]
            connection.close()
    assert process.returncode == 130
    assert output == "Interrupted. What was done is in out; the same command goes on from there.\n"


def test_sigterm_stops_the_run_says_how_to_go_on_and_loses_nothing(tmp_path: Path) -> None:
    args = ("run", "drift", "--generate", "60", "--turns", "6", "--model", "sim/forget:0.4", "--extractor", "templates")
    command = (*MAIN, *args, "--max-connections", "1", "--method", "direct", "--show-turns", "--out", "out")
    with subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        first = process.stdout.readline()  # a turn is in the journal
        process.send_signal(signal.SIGTERM)
        output = process.communicate(timeout=60)[1]
    assert first.startswith("[1/360]")
    assert process.returncode == 143
    assert output == "Terminated. What was done is in out; the same command goes on from there.\n"
    kept = (tmp_path / "out" / "journal.jsonl").read_bytes()
    assert kept.endswith(b"\n") and 1 <= kept.count(b"\n") < 360
    again = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=300)
    assert again.returncode == 0 and "360 of 360 turns are in out" in again.stdout
    whole = (tmp_path / "out" / "journal.jsonl").read_bytes()
    assert whole.startswith(kept) and whole.count(b"\n") == 360


def test_sigterm_stops_a_run_that_waits_for_a_server_also_where_ctrl_c_is_ignored(tmp_path: Path) -> None:
    ignoring = (sys.executable, "-c", "import signal; signal.signal(signal.SIGINT, signal.SIG_IGN); "
                "from holdtrue.cli.main import main; main()")  # fmt: skip
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"http://127.0.0.1:{silent.getsockname()[1]}/v1"
        args = ("run", "drift", "--generate", "1", "--model", "openai/m", "--extractor", "templates", "--out", "out")
        command = (*ignoring, *args, "--base-url", url)
        with subprocess.Popen(command, cwd=tmp_path, stderr=subprocess.PIPE, text=True) as process:
            connection, _ = silent.accept()  # the first call is under way
            process.send_signal(signal.SIGTERM)
            output = process.communicate(timeout=60)[1]
            connection.close()
    assert process.returncode == 143
    assert output == "Terminated. What was done is in out; the same command goes on from there.\n"
