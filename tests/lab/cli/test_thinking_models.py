"""Runs ask models that think first: slow ones, ones that refuse unknown fields, and ones that a limit cuts."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from holdtrue.cli.main import app
from holdtrue.errors import ModelUnreachable, SettingsError
from tests.models.fake_modes import completion, error, http
from tests.models.fake_server import Mode, Turn, serving

RUNNER = CliRunner()
KNOWN = ("model", "messages", "max_completion_tokens", "reasoning_effort", "chat_template_kwargs", "response_format")
"""The fields that the server takes. It knows no temperature, no seed, and no older name of the limit."""
THOUGHT = "First I look at what was agreed."
SUITES = {
    "drift": (["--turns", "2"], ["--generate", "1", "--turns", "2", "--method", "direct,mus_repair"]),
    "cross_query": (["--count", "4"], ["--cases", "{0}", "--limit", "1", "--method", "direct"]),
    "belief": (["--count", "2"], ["--dialogues", "{0}", "--limit", "1"]),
    "cegvr": (["--count", "2"], ["--problems", "{0}", "--limit", "1", "--seeds", "1", "--k", "2", "--rounds", "2"]),
    "verge": (["--count", "2"], ["--items", "{0}", "--limit", "1", "--method", "direct,verge"]),
}


def thinker(*, needs: int = 0, takes_s: float = 0.0) -> Mode:
    """A model that thinks for `needs` tokens, takes some time, and answers with an empty object."""

    async def mode(turn: Turn) -> None:
        for name in turn.body:
            if name not in KNOWN:
                await turn.send(error(400, f"Unsupported parameter: '{name}'", param=name))
                return
        await asyncio.sleep(takes_s)
        most = turn.body["max_completion_tokens"]
        is_cut = most < needs
        spent = {"reasoning_tokens": min(needs, most)}
        usage = {"prompt_tokens": 9, "completion_tokens": min(needs + 5, most), "completion_tokens_details": spent}
        message = {"reasoning_content": THOUGHT}
        text, reason = ("", "length") if is_cut else ("{}", "stop")
        await turn.send(http(completion(text, reason, message=message, usage=usage)))

    return mode


def run(suite: str, url: str, folder: Path, *more: str) -> Any:
    made, options = SUITES[suite]
    if "{0}" in options:
        done = RUNNER.invoke(app, ["generate", suite, *made, "--out", f"{folder / 'made'}"])
        assert done.exit_code == 0, done.output
    given = [own.format(folder / "made") for own in options]
    command = ["run", suite, *given, "--model", "openai/m", "--base-url", url, "--out", f"{folder / 'run'}", "-q"]
    return RUNNER.invoke(app, [*command, *more])


def calls(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / "run" / "calls.jsonl").read_text().splitlines()]


@pytest.mark.parametrize("suite", SUITES)
def test_every_suite_plays_and_keeps_thoughts(suite: str, tmp_path: Path) -> None:
    with serving(thinker(needs=7)) as fake:
        more = ("--reasoning-effort", "low", "--thinking", "on", "--request", '{"temperature": null}')
        done = run(suite, fake.url, tmp_path, *more)
    assert done.exit_code == 0, done.output
    played = calls(tmp_path)
    assert played and all((own["thoughts"], own["thinking_tokens"]) == (THOUGHT, 7) for own in played)
    good = [own for own in fake.bodies if {*own} <= {*KNOWN}]
    assert len(good) == len(played), "no call was made twice"
    assert all(own["reasoning_effort"] == "low" for own in good)
    assert all(own["chat_template_kwargs"] == {"enable_thinking": True} for own in good)
    entries = [json.loads(line) for line in (tmp_path / "run" / "journal.jsonl").read_text().splitlines()]
    assert '"thinking_tokens": 7' in json.dumps(entries)


def test_a_reply_that_a_limit_cut_names_the_setting(tmp_path: Path) -> None:
    with serving(thinker(needs=500)) as fake:
        done = run("drift", fake.url, tmp_path, "--max-tokens", "100", "--method", "direct")
    assert done.exit_code == 0
    assert "replies were cut: --max-tokens above 100 lets them end, or --reasoning-effort" in done.stderr


def test_a_late_server_is_asked_once_and_the_setting_is_named(tmp_path: Path) -> None:
    """A second stands for 1,000, so the server needs 200 seconds."""
    with serving(thinker(takes_s=0.2)) as fake:
        late = run("drift", fake.url, tmp_path, "--timeout-s", "0.18", "--max-connections", "1")
        assert isinstance(late.exception, ModelUnreachable) and "--timeout-s" in str(late.exception)
        assert sum({*own} <= {*KNOWN} for own in fake.bodies) == 1
        done = run("drift", fake.url, tmp_path, "--timeout-s", "20")
    assert done.exit_code == 0, done.output


@pytest.mark.parametrize(
    ("more", "says"),
    [
        (["--request", "[1]"], "JSON object"),
        (["--request", "{"], "--request: no JSON"),
        (["--request", '{"model": "x"}'], "model: set by the run itself"),
        (["--thinking", "maybe"], "there are on, off"),
        (["--timeout-s", "0"], "timeout_s must be a number of seconds above 0"),
    ],
)
def test_a_wrong_setting_is_told(more: list[str], says: str, tmp_path: Path) -> None:
    done = run("drift", "http://127.0.0.1:9/v1", tmp_path, *more)
    assert isinstance(done.exception, SettingsError) and says in str(done.exception)


def test_a_study_asks_with_the_options_before_its_name(tmp_path: Path) -> None:
    few = ["--count", "2", "--k", "1", "--rounds", "1", "--seeds", "1", "--out", f"{tmp_path / 'study'}"]
    with serving(thinker(needs=3)) as fake:
        command = ["study", "--reasoning-effort", "high", "--timeout-s", "30", "cegvr", "--model", "openai/m"]
        done = RUNNER.invoke(app, [*command, "--base-url", fake.url, *few])
    assert done.exit_code == 0, done.output
    assert fake.bodies and all(own["reasoning_effort"] == "high" for own in fake.bodies)
    settings = json.loads((tmp_path / "study" / "run" / "settings.json").read_text())
    assert settings["extra_body"] == {"reasoning_effort": "high"}
