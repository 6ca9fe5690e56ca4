"""Views are asked for once a message, kept at once, and gone on with."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from holdtrue.cli.main import app
from holdtrue.errors import ModelRefused, RecordError
from holdtrue.lab.kinds.readings.views import ask_views, read_views
from holdtrue.language.slots.slot_weights import read_weights
from holdtrue.models.scripted import ScriptModel
from tests.lab.suites.reading.dialogues import DIALOGUES, load_dialogues, write

MESSAGES = sum(len(own["turns"]) for own in DIALOGUES)
NOTHING = '{"events":[]}'


async def test_what_was_asked_before_is_not_asked_again(tmp_path: Path) -> None:
    dialogues, path = load_dialogues(write(tmp_path)), tmp_path / "views"
    with pytest.raises(ModelRefused):
        await ask_views(ScriptModel([NOTHING] * 4), dialogues, path, "en-US", lambda number, of: None)
    assert len(read_views(path)) == 4
    path.write_bytes(path.read_bytes()[:-10])  # killed in the middle of a line
    told: list[tuple[int, int]] = []
    found = await ask_views(
        ScriptModel([NOTHING] * (MESSAGES - 3)), dialogues, path, "en-US", lambda number, of: told.append((number, of))
    )
    assert len(found) == MESSAGES and told[-1] == (MESSAGES, MESSAGES)
    assert read_views(path) == found


def test_a_line_that_is_no_view_is_named(tmp_path: Path) -> None:
    path = tmp_path / "views"
    path.write_text('{"dialogue": "one"}\n', encoding="utf-8")
    with pytest.raises(RecordError, match="1"):
        read_views(path)


def test_the_command_fits_and_its_weights_can_be_played(tmp_path: Path) -> None:
    data = write(tmp_path)
    script = tmp_path / "script.txt"
    script.write_text((json.dumps({"text": NOTHING}) + "\n") * (2 * MESSAGES), encoding="utf-8")
    model, out = f"script/{script}", tmp_path / "study"

    def holdtrue(*words: object) -> str:
        result = CliRunner().invoke(app, [str(word) for word in words], terminal_width=200)
        assert result.exit_code == 0, (result.output, result.exception)
        return result.stdout

    said = holdtrue("study", "reading", "--data", data, "--model", model, "--out", out)
    assert "leave one service out" in said and "9 in gold" in said
    weights = read_weights((out / "weights.json").read_text(encoding="utf-8"))
    assert f"{MESSAGES} messages of 3 dialogues" in weights.provenance and model in weights.provenance
    more = ("--model", model, "--weights", out / "weights.json", "--out", tmp_path / "run", "-q")
    holdtrue("run", "reading", "--data", data, "--method", "llm", *more)
    assert "llm" in holdtrue("report", tmp_path / "run")
    assert "391" not in holdtrue("study", "reading", "--data", data, "--out", tmp_path / "rules")
