"""Standard input and files are read alike, whatever is in them."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import pytest

from holdtrue.cli.logged_input import open_input
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
