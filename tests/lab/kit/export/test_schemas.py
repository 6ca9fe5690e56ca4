"""The printed schema of a file fits the files that are written."""

from __future__ import annotations

import asyncio
import json
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from holdtrue.cli.main import app
from holdtrue.conversation.session import Session
from holdtrue.errors import SettingsError
from holdtrue.models.scripted import ScriptModel
from holdtrue_lab.kit.export.schemas import schema_names, schema_of
from holdtrue_lab.kit.settings import JOURNAL_FILE, SETTINGS_FILE
from tests.lab.kit.test_tables_of_all_suites import MAKERS

needs_jsonschema = pytest.mark.skipif(find_spec("jsonschema") is None, reason="jsonschema is not installed")


def check(value: Any, name: str) -> None:
    """Check a value by a schema, with a library that knows nothing of holdtrue."""
    validator = import_module("jsonschema").Draft202012Validator
    validator.check_schema(schema_of(name))
    validator(schema_of(name)).validate(value)


def of(line: dict[str, Any]) -> str:
    return f"journal.{line['kind']}"


@needs_jsonschema
@pytest.mark.parametrize("suite", MAKERS)
def test_journals_of_every_suite_fit(tmp_path: Path, suite: str) -> None:
    for folder in MAKERS[suite](tmp_path):
        for line in (folder / JOURNAL_FILE).read_text(encoding="utf-8").splitlines():
            check(json.loads(line), of(json.loads(line)))


@needs_jsonschema
def test_a_run_fits_and_what_is_changed_does_not(folders: list[Path]) -> None:
    check(json.loads((folders[0] / SETTINGS_FILE).read_text(encoding="utf-8")), "settings")
    line = json.loads((folders[0] / JOURNAL_FILE).read_text(encoding="utf-8").splitlines()[0])
    check(line, of(line))
    for broken in ({**line, "turn": "one"}, {name: own for name, own in line.items() if name != "record"}):
        with pytest.raises(import_module("jsonschema").ValidationError):
            check(broken, of(line))


@needs_jsonschema
def test_a_saved_session_fits(tmp_path: Path) -> None:
    session = Session(
        "seating", ["Ann", "Bob"], model=ScriptModel(['{"Ann": 1, "Bob": 2}']), method="direct", extractor="templates"
    )
    asyncio.run(session.turn("Ann must sit at position 1."))
    session.save(tmp_path / "own.json")
    saved = json.loads((tmp_path / "own.json").read_text(encoding="utf-8"))
    check(saved, f"session.{Session.answers}")
    assert set(saved) == set(schema_of(f"session.{Session.answers}")["properties"])


def test_there_is_a_schema_of_each_kind_and_an_unknown_name_is_told() -> None:
    listed = CliRunner().invoke(app, ["export", "schema"])
    assert tuple(listed.stdout.split()) == schema_names()
    printed = CliRunner().invoke(app, ["export", "schema", "journal.claims"])
    assert json.loads(printed.stdout) == schema_of("journal.claims")
    with pytest.raises(SettingsError, match="no schema 'nothing'"):
        schema_of("nothing")
