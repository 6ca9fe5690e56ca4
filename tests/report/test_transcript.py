"""Turns in words: exactly what was broken, at the turn that broke it, with the turn that made it."""

from __future__ import annotations

from pathlib import Path

from typer.testing import CliRunner

from holdtrue.cli.main import app


def test_a_run_is_told_turn_by_turn_and_again_from_its_journal(tmp_path: Path) -> None:
    out = tmp_path / "run"
    run = ["run", "drift", "--generate", "3", "--turns", "3", "--seed", "3", "--model", "sim/forget:1"]
    run += ["--method", "direct,drift_repair_project", "--max-connections", "1", "--show-turns", "--out", str(out)]
    live = CliRunner().invoke(app, run)
    assert live.exit_code == 0
    assert "[1/18] " in live.stdout and "[18/18] " in live.stdout
    assert "BROKEN (drift; wrong)" in live.stdout and "The answer breaks C00" in live.stdout
    assert "then repair, fallback: " in live.stdout and "KEPT (consistent; right)" in live.stdout
    again = CliRunner().invoke(app, run)
    assert again.stdout == live.stdout, "a finished run is told again from its journal, without asking anybody"
    told = CliRunner().invoke(app, ["report", str(out), "--turns"])
    assert told.exit_code == 0
    assert [line for line in told.stdout.splitlines() if "BROKEN" in line] == [
        line for line in live.stdout.splitlines() if "BROKEN" in line
    ]
