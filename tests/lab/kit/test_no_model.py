"""A run of a suite without a model: no option names one, and no method can call one."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

from holdtrue.cli.main import app
from holdtrue.errors import ModelError
from holdtrue.models import user
from holdtrue.models.chat import Request
from holdtrue_lab import register_suite
from holdtrue_lab.kit import registry
from holdtrue_lab.kit.no_model import NO_MODEL, NoModel
from tests.toys.sums import SUITE


@pytest.fixture(autouse=True)
def registered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry.SUITES, "loaded", {})
    monkeypatch.setattr(registry.KINDS, "loaded", {})
    register_suite(replace(SUITE, model=None))


async def test_asking_no_model_is_a_fault() -> None:
    with pytest.raises(ModelError, match="a request for 'answer' was made in a run that asks no model"):
        await NoModel().complete(Request((user("1 + 1 = ?"),), purpose="answer"))
    await NoModel().aclose()


def test_the_command_has_no_option_about_models(tmp_path: Path) -> None:
    run = ["run", "adding", "--most", "1", "--method", "seven", "--out", str(tmp_path), "-q"]
    result = CliRunner().invoke(app, run)
    assert result.exit_code == 0, result.output
    assert "4 of 4 turns" in result.output
    assert f'"model": "{NO_MODEL}"' in (tmp_path / "settings.json").read_text(encoding="utf-8")
    assert (tmp_path / "calls.jsonl").read_bytes() == b""
    shown = CliRunner().invoke(app, ["run", "adding", "--help"], terminal_width=200).output
    asking = ("--model", "--base-url", "--temperature", "--max-tokens", "--samples", "--seed", "--token-limit")
    assert [option for option in asking if option in shown] == []
    assert CliRunner().invoke(app, [*run, "--model", "sim/perfect"]).exit_code == 2


def test_a_method_that_asks_all_the_same_ends_the_run(tmp_path: Path) -> None:
    result = CliRunner().invoke(app, ["run", "adding", "--most", "1", "--method", "ask", "--out", str(tmp_path)])
    assert isinstance(result.exception, ModelError)
