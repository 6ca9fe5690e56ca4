"""The naive twin of journal reading, against which it is timed, reads the same data."""

from __future__ import annotations

from pathlib import Path

import pytest

from bench import report
from holdtrue_lab.kit.journal import decode
from holdtrue_lab.kit.settings import JOURNAL_FILE


def test_the_twin_reads_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(report, "PROBLEMS", 1)
    turns = report.make_journal(tmp_path, 50)
    lines = (tmp_path / JOURNAL_FILE).read_bytes().splitlines()
    assert len(lines) == turns >= 50
    twin = report.decode_naively()
    assert [twin(line) for line in lines] == [decode(line) for line in lines]
