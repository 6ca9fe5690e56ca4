"""The page about exports documents every field of the files, and its commands run."""

from __future__ import annotations

import json
import re
import sqlite3
from pathlib import Path

import pytest
from typer.testing import CliRunner

from holdtrue.cli.main import app
from holdtrue.guard.store.sqlite import SqliteStore
from holdtrue.models.call_lines import encode
from holdtrue.models.chat import Reply, Request, user
from holdtrue.record import Usage
from holdtrue_lab.kit.export.schemas import schema_names

PAGE = Path("docs/export.md").read_text(encoding="utf-8")


def section(title: str) -> set[str]:
    """Return the names in the first column of the table under a title."""
    text = re.split(r"^#+ ", PAGE.partition(f"# {title}\n")[2], maxsplit=1, flags=re.MULTILINE)[0]
    rows = (line.split("|")[1] for line in text.splitlines() if line.startswith("| `"))
    return {name for row in rows for name in re.findall(r"`([^`]+)`", row)}


def test_a_line_of_calls_has_the_fields_that_are_told() -> None:
    request = Request((user("hi"),), "answer", likelihood=True)
    line = json.loads(encode("k", "m", request, Reply("yes", Usage(1, 1, 1, 0.1), logprob=-0.5)))
    assert section("A line of calls.jsonl") == set(line)
    told = PAGE.partition("`settings` | object")[2].splitlines()[0]
    assert all(f"`{name}`" in told for name in line["settings"])


def test_a_store_has_the_columns_that_are_told(tmp_path: Path) -> None:
    SqliteStore(tmp_path / "talks.db")
    with sqlite3.connect(tmp_path / "talks.db") as base:
        columns = {row[1] for row in base.execute("PRAGMA table_info(event)")}
    base.close()
    assert section("A guard's store") == columns


def test_the_schemas_that_are_told_are_there() -> None:
    told = re.findall(r"holdtrue export schema ([\w.]+)", PAGE)
    assert {name.partition(".")[0] for name in told if name != "lists"} == {
        name.partition(".")[0] for name in schema_names()
    }


def test_the_commands_of_the_page_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("drift.bib").write_text("@misc{own, title = {Own}}", encoding="utf-8")
    for name in ("first", "second"):
        run = ["run", "drift", "--generate", "3", "--turns", "2", "--model", "sim/perfect", "--method", "direct", "-q"]
        assert CliRunner().invoke(app, [*run, "--out", f"runs/{name}"]).exit_code == 0
    lines = re.findall(r"^\$ holdtrue (.*)$", PAGE, re.MULTILINE)
    assert len(lines) == 5
    for line in lines:
        done = CliRunner().invoke(app, line.split())
        assert done.exit_code == 0, (line, done.output, done.exception)
