"""Transcripts show each broken constraint at the turn that broke it, with the turn that stated it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
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
    result = CliRunner().invoke(app, ["report", str(out), "--turns"])
    assert result.exit_code == 0
    assert [line for line in result.stdout.splitlines() if "BROKEN" in line] == [
        line for line in live.stdout.splitlines() if "BROKEN" in line
    ]


def run_of(model: str, out: Path, *args: str) -> str:
    """Play three turns of two problems, and return the transcript."""
    run = ["run", "drift", "--generate", "2", "--turns", "3", "--seed", "3", "--model", model, "--quiet"]
    played = CliRunner().invoke(app, [*run, "--extractor", "templates", "--out", str(out), *args])
    assert played.exit_code == 0, played.output
    return CliRunner().invoke(app, ["report", str(out), "--turns"]).stdout


def test_refusals_are_told_counted_and_drawn_in_a_channel_of_their_own(tmp_path: Path) -> None:
    out = tmp_path / "run"
    result = run_of("sim/refuse:0.6@1", out, "--method", "direct,drift_repair_project")
    assert "NO ANSWER (refused; wrong)" in result and "KEPT (consistent; right)" in result
    assert "There is no answer: the model refused: I cannot help with that." in result
    rows = json.loads(CliRunner().invoke(app, ["report", str(out), "--json"]).stdout)["runs"][0]["rows"]
    for row in rows:
        channels = row["channels"]
        assert channels["refused"]["turns"] == row["outcomes"]["refused"] == row["wrong"]
        if row["wrong"]:
            assert sum(each["share"] for each in channels.values()) == pytest.approx(1)
    assert any(row["wrong"] for row in rows)
    page = tmp_path / "page.html"
    assert CliRunner().invoke(app, ["report", str(out), "--html", str(page), "--latex", str(tmp_path)]).exit_code == 0
    html = page.read_text(encoding="utf-8")
    assert "No answer: the model refused: I cannot help with that." in html and "wrong: refused" in html
    assert "refused" in (tmp_path / "channels.tex").read_text(encoding="utf-8")


def test_a_draft_that_the_limit_cut_is_wrong_though_it_was_right(tmp_path: Path) -> None:
    result = run_of("sim/cut:1", tmp_path / "run", "--method", "direct")
    assert result.count("NO ANSWER (unparsed; wrong)") == 6 and "KEPT" not in result
    assert "the reply was cut at the limit of 2,048 tokens" in result


def test_what_nobody_read_is_never_called_kept(tmp_path: Path) -> None:
    """Templates cannot read the varied wording."""
    out, script = tmp_path / "run", tmp_path / "script.json"
    values = {name: place for place, name in enumerate(("Ann", "Bob", "Cy"), start=1)}
    script.write_text(json.dumps([{"text": json.dumps({"solution": values}), "match": ""}]))
    run_of(f"script/{script}", out, "--method", "direct", "--phrasing", "varied")
    result = CliRunner().invoke(app, ["report", str(out), "--turns"]).stdout
    for turn in result.split("\n\n"):
        if "not read" in turn or "Nothing was read" in turn:
            assert "KEPT (" not in turn
    assert "not read" in result.lower()
    rows = json.loads(CliRunner().invoke(app, ["report", str(out), "--json"]).stdout)["runs"][0]["rows"]
    assert rows[0]["unread"]["value"] > 0
