"""The page about measuring a guard is correct."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import get_args

import pytest
from typer.testing import CliRunner

from holdtrue.cli.main import app
from holdtrue_lab.kinds.decisions.entry import DecisionKind, Standing
from holdtrue_lab.kinds.decisions.method import DECISION_PRESETS, GUARD, DecisionSettings
from holdtrue_lab.suites.guard.files import CONVERSATIONS, LABELS, RULES, TOOLS, load_labels
from tests.lab.suites.guard.library import POLICY, write
from tests.lab.suites.guard.test_dialogues import DIALOGUE, MUTANTS
from tests.lab.suites.guard.test_dialogues import write as write_dialogues
from tests.test_docs_examples import ROOT, blocks
from tests.test_query_pages import first_column

PAGE = "docs/guard-suite.md"
PAGE_TEXT = (ROOT / PAGE).read_text(encoding="utf-8")


def _codes(title: str) -> list[str]:
    """All code in the first column of the table under that title row."""
    rows = PAGE_TEXT[PAGE_TEXT.index(title) :].partition("\n\n")[0].splitlines()[2:]
    return [name for row in rows for name in re.findall(r"`([^`]+)`", row.split("|")[1])]


def test_the_commands_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write(tmp_path / "conversations")
    (tmp_path / "dialogues").mkdir()
    write_dialogues(tmp_path / "dialogues", [DIALOGUE], MUTANTS)
    Path("policy.yaml").write_text(POLICY.replace("tools.json", "conversations/tools.json"), encoding="utf-8")
    shown = "".join(blocks(PAGE, "console")).splitlines()
    for line in shown:
        words = line.partition("  #")[0].removeprefix("$ holdtrue ").split()
        result = CliRunner().invoke(app, words)
        assert result.exit_code == 0, (line, result.output, result.exception)
    assert len(shown) == 8 and Path("guard.html").exists() and Path("rules.jsonl").exists()
    prediction, label, _ = (json.loads(block) for block in blocks(PAGE, "json"))
    [first, *_] = Path("guard.jsonl").read_text(encoding="utf-8").splitlines()
    assert json.loads(first).keys() == prediction.keys()
    Path(LABELS).write_text(json.dumps(label), encoding="utf-8")
    [placed] = load_labels(tmp_path)[str(label["task_id"]), label["trial"], label["message"]]
    assert (placed.label.broken, placed.label.undecided, placed.label.executed) == (("M2",), ("D1",), True)


def test_every_option_on_the_page_is_one_and_no_other_is_there() -> None:
    help_text = CliRunner().invoke(app, ["run", "guard", "--help"], terminal_width=200).stdout
    own = set(re.findall(r"^ *(--[a-z-]+)", help_text, re.MULTILINE))
    shared = {"--plan", "--out", "--show-turns", "--quiet", "--verbose", "--help"}
    assert own - shared == set(_codes("| option of `run` | meaning"))
    assert f"({DecisionSettings().timeout_s:g})" in PAGE_TEXT


def test_the_page_names_every_method_standing_decision_and_file() -> None:
    assert first_column(PAGE, "| method | decided by") == list(DECISION_PRESETS)
    assert first_column(PAGE, "| standing | meaning") == list(get_args(Standing))
    assert _codes("| file | content") == [CONVERSATIONS, TOOLS, LABELS, RULES]
    assert f"`{GUARD}` where it is left out" in PAGE_TEXT
    assert [kind.value for kind in DecisionKind] == ["allow", "block", "ask", "confirm"]
