from __future__ import annotations

import io
import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from holdtrue.cli.main import app
from holdtrue.errors import SettingsError
from holdtrue.kinds.labels.prompts import prompt_templates
from holdtrue.models.chat import Request, user
from holdtrue.models.scripted import ScriptModel
from holdtrue_claims.cli import WatchedModel
from holdtrue_lab.suites.cross_query.card import share_out
from holdtrue_lab.suites.cross_query.files import load_cases
from holdtrue_lab.suites.cross_query.generate import generate


def test_generates_and_validates_a_benchmark(tmp_path: Path) -> None:
    options = ["generate", "cross_query", "--seed", "3", "--count", "6", "--out", str(tmp_path)]
    shown = CliRunner().invoke(app, options)
    assert shown.exit_code == 0, shown.output
    cases = generate(3, share_out(6))
    queries = sum(len(case.queries) for case in cases)
    assert shown.output == f"6 cases with {queries} queries in {tmp_path}: 6 in train, 0 in dev, 0 in test\n"
    assert load_cases(tmp_path) == cases
    assert json.loads((tmp_path / "prompt_templates_v2.json").read_text("utf-8")) == prompt_templates()

    again = CliRunner().invoke(app, options)
    assert isinstance(again.exception, SettingsError) and str(tmp_path) in str(again.exception)

    found = CliRunner().invoke(app, ["validate", str(tmp_path)])
    assert found.exit_code == 0, found.output
    assert found.output == f"6 cases, {queries} of {queries} labels proved again by z3: nothing is wrong\n"

    full = tmp_path / "benchmark_full_v2.json"
    full.write_text(full.read_text("utf-8").replace('"label": "UNKNOWN"', '"label": "ENTAILED"', 1), "utf-8")
    spoilt = CliRunner().invoke(app, ["validate", str(tmp_path)])
    assert spoilt.exit_code == 1
    assert ": the label is ENTAILED, and UNKNOWN is proved\n" in spoilt.output
    assert f"{queries - 1} of {queries} labels proved again by z3: " in spoilt.output


def test_a_file_is_no_folder(tmp_path: Path) -> None:
    path = tmp_path / "benchmark_full_v2.json"
    path.write_text("{}")
    result = CliRunner().invoke(app, ["validate", str(path)])
    assert isinstance(result.exception, SettingsError) and f"{path}: no folder" in str(result.exception)


def test_a_solver_needs_some_time(tmp_path: Path) -> None:
    assert CliRunner().invoke(app, ["validate", str(tmp_path), "--timeout-s", "0"]).exit_code == 2


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize("watched", [True, False])
async def test_calls_are_told_on_a_terminal_only(watched: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    shown = Terminal() if watched else io.StringIO()
    monkeypatch.setattr("sys.stderr", shown)
    model = WatchedModel(ScriptModel(["Yes.", "No."]))
    replies = [(await model.complete(Request((user("So?"),), purpose))).text for purpose in ("judge", "retell")]
    await model.aclose()
    assert (replies, model.name) == (["Yes.", "No."], "script")
    lines = [line.strip() for line in shown.getvalue().split("\r")]
    assert lines == (["", "call 1: judge", "call 2: retell", "", ""] if watched else [""])
