"""`holdtrue policy import`, and the counterexamples of what it imports, as a person uses them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from holdtrue.cli.main import app
from holdtrue.errors import InputError, SettingsError
from tests.guard.imported.desk import TOOLS

pytest.importorskip("cedarpy", reason="cedarpy is not installed, which reads Cedar")
POLICY = """\
permit(principal, action, resource);
@id("free") forbid(principal, action == Action::"refund", resource) when { context.input.note == "free" };
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "tools.json").write_text(json.dumps(TOOLS), encoding="utf-8")
    (tmp_path / "desk.cedar").write_text(POLICY, encoding="utf-8")
    return tmp_path


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["policy", *arguments])


def test_a_policy_is_written_and_explained(folder: Path) -> None:
    done = run("import", "desk.cedar", "--tools", "tools.json", "--out", "desk.yaml")
    assert (done.exit_code, done.output) == (0, "")
    assert (folder / "desk.yaml").read_text(encoding="utf-8").startswith("policy: desk\nabout: Imported from Cedar.\n")
    shown = run("explain", "desk.yaml", "--counterexample", "free", "--timeout-s", "60")
    assert shown.exit_code == 1
    assert "free on refund: without call.note it is undecided, where it should be broken" in shown.stdout
    (own,) = json.loads(run("explain", "desk.yaml", "--counterexample", "free", "--json", "--timeout-s", "60").stdout)
    assert own["missing"] == "call.note" and own["example"]["tool"] == "refund"


def test_what_is_not_carried_is_told_by_line(folder: Path) -> None:
    (folder / "desk.cedar").write_text(f"{POLICY}{POLICY.replace('.note', '.noote')}", encoding="utf-8")
    done = run("import", "desk.cedar", "--tools", "tools.json")
    assert done.exit_code == 3
    assert done.stderr.startswith("desk.cedar: line 4: forbid free: refund has no 'noote'; it has order, amount")
    assert "not_checked:\n- id: free\n  say: Line 4.\n" in done.stdout


def test_wrong_uses_say_what_to_do(folder: Path) -> None:
    (folder / "bad.json").write_text("[", encoding="utf-8")
    assert isinstance(run("import", "desk.cedar", "--tools", "bad.json").exception, InputError)
    assert isinstance(run("import", "tools.json", "--tools", "tools.json").exception, InputError)
    run("import", "desk.cedar", "--tools", "tools.json", "--out", "desk.yaml")
    assert isinstance(run("explain", "desk.yaml").exception, SettingsError)
    assert isinstance(run("explain", "desk.yaml", "--counterexample", "x").exception, InputError)
    assert run("import", "desk.cedar", "--tools", "tools.json", "--from", "dogwood").exit_code == 0
