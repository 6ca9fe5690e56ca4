"""The command `holdtrue run`."""

from __future__ import annotations

import json
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from holdtrue.cli.main import main
from holdtrue.models.chat import Reply, Request
from holdtrue.record import Usage
from holdtrue_lab.kinds.assignment.simulation.model import SimulatedModel, open_simulated
from tests.lab.kit.served import serve
from tests.patience import HANG_S

RUN = ("run", "drift", "--model", "sim/forget:0.4")
SIM = (*RUN, "--extractor", "templates", "--turns", "2")
MAIN = "from holdtrue.cli.main import main; main()"


class Said(NamedTuple):
    """The exit code of a command, and its output."""

    code: int
    out: str
    err: str


Call = Callable[..., Said]


@pytest.fixture
def call(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Call:
    """Return a function that runs the command in an empty folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)

    def run(*args: object) -> Said:
        monkeypatch.setattr(sys, "argv", ["holdtrue", *map(str, args)])
        with pytest.raises(SystemExit) as caught:
            main()
        return Said(int(caught.value.code or 0), *capsys.readouterr())

    return run


def test_one_model_reads_and_another_answers(call: Call) -> None:
    asked = ("run", "drift", "--model", "sim/perfect", "--generate", 3)
    given = ("--turns", 2, "--method", "direct", "--quiet", "--reader", "sim/drop:1@1", "--out", "out")
    assert call(*asked, *given).code == 0
    records = [json.loads(line)["record"] for line in Path("out/journal.jsonl").read_text().splitlines()]
    assert {record["reader"] for record in records} == {"llm+sim/drop:1@1"}
    calls = [json.loads(line) for line in Path("out/calls.jsonl").read_text().splitlines()]
    assert {each["model"] for each in calls} == {"sim/perfect", "sim/drop:1@1"}
    for more, fault in (
        (("--reader", "magic"), "no model 'magic'"),
        (
            ("--reader", "sim/perfect", "--extractor", "templates"),
            "--reader names a model, and --extractor templates asks none",
        ),
    ):
        said = call(*asked, *more, "--out", "none")
        assert said.code == 2 and fault in said.err
    assert not Path("none").exists()


def test_verbose_tells_for_each_conversation_which_solver_and_why(call: Call) -> None:
    args = (*SIM, "--generate", 3, "--method", "direct, project", "--out", "out", "--verbose")
    output = call(*args).err.splitlines()
    assert len(output) == 6
    assert all(": sat: " in line and line.endswith(" values, formulas of at most 20,000 clauses") for line in output)
    assert {line.split(": ")[0].split(", ")[1] for line in output} == {"direct", "project"}
    assert call(*args).err == "", "turns that are there already were decided before"


def test_the_same_command_finds_its_own_folder_again(call: Call) -> None:
    for _ in range(2):
        said = call(*SIM, "--generate", 3, "--method", "direct", "--quiet")
        assert said.out.startswith("6 of 6 turns are in runs/drift-sim_forget_0.4-stated-templates-")
    [folder] = Path("runs").iterdir()
    assert (folder / "journal.jsonl").read_text().count("\n") == 6


def test_a_run_in_which_nothing_was_read_says_so_and_what_to_do(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    async def mumble(self: SimulatedModel, request: Request) -> Reply:
        return Reply("I would rather talk about the weather.", Usage(1, 1))

    args = (*SIM, "--generate", 3, "--method", "direct", "--quiet")
    monkeypatch.setattr(SimulatedModel, "complete", mumble)
    (line,) = call(*args, "--extractor", "llm", "--out", "deaf").err.splitlines()
    assert re.match(
        r"0 of [1-9]\d* sentences were read: no answer was checked .* --extractor templates .*--turns", line
    )
    assert call(*args, "--out", "unreadable_answers").err == "", "the sentences were read, whatever became of answers"


def test_a_smaller_limit_on_a_finished_folder_says_what_else_the_table_counts(call: Call) -> None:
    args = (*SIM, "--generate", 3, "--method", "direct", "--out", "out")
    assert "6 of 6 turns are in out; see" in call(*args).out
    told = call(*args, "--limit", 2).out
    assert "4 of 4 turns are in out, beside 2 turns that this command does not ask for; see" in told
    assert "6/6" in told


def test_problems_can_come_from_a_folder(call: Call) -> None:
    assert call("generate", "drift", "--out", "made", "--count", 6, "--turns", 2).code == 0
    args = ("run", "drift", "--model", "sim/perfect", "--extractor", "gold", "--method", "project", "--out", "out")
    output = call(*args, "--problems", "made", "--limit", 3).out
    assert "6 of 6 turns are in out" in output and "oracle: project" in output
    assert json.loads(Path("out/settings.json").read_text())["problems"] == 6


def test_the_environment_s_server_is_a_setting_of_served_models_only(
    call: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    monkeypatch.setattr("holdtrue.models.retry_policy.FIRST_WAIT_S", 0.0)
    assert call(*SIM, "--generate", 1, "--out", "sim").code == 0
    served = ("run", "drift", "--generate", 1, "--extractor", "templates", "--model", "openai/m", "--out", "served")
    assert call(*served).code == 4
    urls = [json.loads(Path(name, "settings.json").read_text())["base_url"] for name in ("sim", "served")]
    assert urls == [None, "http://127.0.0.1:9/v1"]


def test_a_run_goes_on_where_its_server_is_now(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    def ask(url: str, limit: int) -> str:
        monkeypatch.setenv("OPENAI_BASE_URL", url)
        args = ("run", "drift", "--generate", 3, "--turns", 2, "--extractor", "templates", "--model", "openai/m")
        said = call(*args, "--method", "direct", "--limit", limit, "--out", "out", "--quiet")
        assert said.code == 0
        assert json.loads(Path("out/settings.json").read_text())["base_url"] == url
        return said.err

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
def test_wrong_usage_is_told(call: Call, args: tuple[object, ...], fault: str) -> None:
    said = call(*args)
    assert said.code == 2 and fault in said.err


def test_other_settings_are_refused_with_the_difference(call: Call) -> None:
    args = (*SIM, "--generate", 3, "--method", "direct", "--out", "out")
    assert call(*args).code == 0
    said = call(*args, "--temperature", 0.5)
    assert said.code == 2 and "temperature: was 0.0, now 0.5" in said.err


def test_a_failed_conversation_is_told_and_tried_again(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    complete = SimulatedModel.complete

    async def trip(self: SimulatedModel, request: Request) -> Reply:
        if "Domain: seating" in request.messages[-1].content:
            raise ValueError("it broke")
        return await complete(self, request)

    args = (*SIM, "--generate", 3, "--method", "direct", "--out", "out")
    with monkeypatch.context() as broken:
        broken.setattr(SimulatedModel, "complete", trip)
        said = call(*args)
    assert said.code == 1
    assert "failed: seating_000, direct, turn 1: ValueError: it broke" in said.err
    assert "UNFINISHED: 2 of 3 conversations; 1 failed" in said.out
    again = call(*args)
    assert again.code == 0 and "6 of 6 turns" in again.out


def test_a_token_limit_is_told(call: Call) -> None:
    args = (*SIM, "--generate", 3, "--method", "direct", "--out", "out", "--max-connections", 1)
    said = call(*args, "--token-limit", 400)
    assert said.code == 3 and "UNFINISHED" in said.out
    assert "Stopped at the limit of 400 tokens; raise --token-limit to go on." in said.err
    assert call(*args).code == 0


def test_a_server_that_is_not_there_stops_the_run_and_says_how_to_go_on(
    call: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{free.getsockname()[1]}/v1"
    args = ("run", "drift", "--generate", 1, "--turns", 1, "--model", "openai/m", "--extractor", "templates")
    # The client waits between its tries; without the waits the test is quick.
    monkeypatch.setattr("holdtrue.models.retry_policy.FIRST_WAIT_S", 0.0)
    said = call(*args, "--base-url", url, "--out", "out")
    assert said.code == 4
    assert "Stopped. What was done is in out; the same command goes on from there." in said.err
    assert f"holdtrue: openai/m at {url}" in said.err


def test_a_model_that_cannot_be_opened_leaves_no_folder(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    said = call("run", "drift", "--generate", 1, "--model", "openai/m", "--out", "out")
    assert said.code == 4 and said.err.startswith("holdtrue: openai/m needs a key")
    assert not Path("out").exists()


STOPPED = "{}. What was done is in out; the same command goes on from there.\n"
WAITING = (*RUN[:2], "--generate", "1", "--model", "openai/m", "--extractor", "templates", "--out", "out")
IGNORING = "import signal; signal.signal(signal.SIGINT, signal.SIG_IGN); "


@pytest.mark.parametrize(
    ("before", "sent", "code", "word"),
    [("", signal.SIGINT, 130, "Interrupted"), (IGNORING, signal.SIGTERM, 143, "Terminated")],
)
def test_a_run_that_waits_for_a_server_is_stopped_and_says_how_to_go_on(
    tmp_path: Path, before: str, sent: signal.Signals, code: int, word: str
) -> None:
    """SIGTERM also ends a run that ignores Ctrl-C."""
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"http://127.0.0.1:{silent.getsockname()[1]}/v1"
        command = (sys.executable, "-c", f"{before}{MAIN}", *WAITING, "--base-url", url)
        with subprocess.Popen(command, cwd=tmp_path, stderr=subprocess.PIPE, text=True) as process:
            connection, _ = silent.accept()  # the first call is under way
            process.send_signal(sent)
            output = process.communicate(timeout=HANG_S)[1]
            connection.close()
    assert process.returncode == code
    assert output == STOPPED.format(word)


def test_sigterm_stops_the_run_says_how_to_go_on_and_loses_nothing(tmp_path: Path) -> None:
    args = (*RUN, "--generate", "60", "--turns", "6", "--extractor", "templates", "--max-connections", "1")
    command = (sys.executable, "-c", MAIN, *args, "--method", "direct", "--show-turns", "--out", "out")
    with subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        first = process.stdout.readline()  # a turn is in the journal
        process.send_signal(signal.SIGTERM)
        output = process.communicate(timeout=60)[1]
    assert first.startswith("[1/360]")
    assert process.returncode == 143
    assert output == STOPPED.format("Terminated")
    kept = (tmp_path / "out" / "journal.jsonl").read_bytes()
    assert kept.endswith(b"\n") and 1 <= kept.count(b"\n") < 360
    again = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=300)
    assert again.returncode == 0 and "360 of 360 turns are in out" in again.stdout
    whole = (tmp_path / "out" / "journal.jsonl").read_bytes()
    assert whole.startswith(kept) and whole.count(b"\n") == 360
