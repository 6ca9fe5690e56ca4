"""Standard input and files are read alike, whatever is in them."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from holdtrue.cli.logged_input import logged_turns, open_input
from holdtrue.cli.main import app
from holdtrue.errors import RecordError

BYTES = b"\xef\xbb\xbfMia \xe2\x88\x80 \xff."


def test_standard_input_is_read_as_a_file_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "told.txt").write_bytes(BYTES)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(BYTES), encoding="ascii", errors="strict"))
    with open_input(str(tmp_path / "told.txt")) as file, open_input("-") as given:
        assert file.read() == given.read() == "Mia ∀ \udcff."


def test_input_that_cannot_be_read_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", None)  # as Python has it where the descriptor is closed
    for file, says in (("-", "is closed"), ("", "without a name"), (str(tmp_path), "Is a directory")):
        with pytest.raises(RecordError, match=says):
            open_input(file)


@pytest.mark.parametrize("name", ["log.jsonl", "log.json", "-"])
@pytest.mark.parametrize("text", ["", "\n", " \n\t\n\n", "\ufeff", "[]", " [ ]\n"])
def test_a_log_without_a_turn_is_an_error(
    name: str, text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "log.jsonl").write_text(text, "utf-8")
    (tmp_path / "log.json").write_text(text, "utf-8")
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
    if name == "log.jsonl" and "[" in text:
        assert len(list(logged_turns(name, lines=False))) == 1, "a line, which is no logged turn"
        return
    called = "standard input" if name == "-" else name
    with pytest.raises(RecordError, match=f"^{called}: no logged turn is in it: there is nothing to verify$"):
        list(logged_turns(name, lines=False))


@pytest.mark.parametrize("command", ["check", "explain"])
@pytest.mark.parametrize("text", ["", "\n \n", "[]"])
def test_commands_do_not_pass_what_was_never_written(command: str, text: str) -> None:
    result = CliRunner().invoke(app, [command, "-"], input=text)
    assert result.stdout == ""
    assert isinstance(result.exception, RecordError) and "nothing to verify" in str(result.exception)
