"""The page about conversations and its example are correct."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from holdtrue.cli.main import app
from tests.test_docs_examples import ROOT, blocks, printed, promised

PAGE = "docs/conversations.md"
DOMAIN, CHAT = ROOT / "examples" / "shift_rota.py", ROOT / "examples" / "shift_rota_chat.jsonl"


def test_the_python_examples_print_what_their_comments_say(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    examples = [code.replace('"rota.json"', repr(str(tmp_path / "rota.json"))) for code in blocks(PAGE, "python")]
    assert len(examples) == 9
    for code in examples:
        assert printed(code).splitlines() == [line for line in promised(code) if not line.startswith("print(")]


def test_the_command_prints_what_the_page_shows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    command, _, shown = blocks(PAGE, "console")[0].partition("\n")
    result = CliRunner().invoke(app, command.removeprefix("$ holdtrue ").split())
    assert result.stdout == shown and result.exit_code == 1


def test_the_chat_on_the_page_about_check_is_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    chat = blocks("docs/check.md", "json")[1]
    arguments = ["check", "--chat", "-", "--domain", f"{DOMAIN}:ROTA", "--extractor", "templates", "--json"]
    (turn,) = [json.loads(line) for line in CliRunner().invoke(app, arguments, input=chat).stdout.splitlines()]
    assert turn["violated"] == ["C001"]
    page = (ROOT / "docs" / "check.md").read_text(encoding="utf-8")
    assert all(f"`{field}`" in page for field in turn if field != "id")


def test_the_example_is_a_short_domain_and_six_turns_with_one_withdrawal() -> None:
    assert len(DOMAIN.read_text(encoding="utf-8").splitlines()) <= 60
    roles = [json.loads(line)["role"] for line in CHAT.read_text(encoding="utf-8").splitlines()]
    assert roles.count("user") == roles.count("assistant") == 6
    arguments = ["check", "--chat", str(CHAT), "--domain", f"{DOMAIN}:ROTA", "--extractor", "templates", "--json"]
    turns = [json.loads(line) for line in CliRunner().invoke(app, arguments).stdout.splitlines()]
    assert [event["kind"] for turn in turns for event in turn["events"]].count("withdrawn") == 1
    assert {turn["outcome"] for turn in turns} == {"consistent", "drift"}
