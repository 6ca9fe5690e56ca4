"""Conversations that shaped the code are decided as expected, with notes for the reader."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from bench.words.__main__ import figures, is_right, plays_of, run

SETS = sorted(own for own in Path("bench/words/sets").iterdir() if own.is_dir())


@pytest.mark.parametrize("folder", SETS, ids=lambda own: own.name)
def test_calls_are_decided_as_expected(folder: Path) -> None:
    plays = list(plays_of("conversations", folder, None, consent=False))
    rows = asyncio.run(run(plays, "told", None, {}, None))
    assert sum(map(is_right, rows)) >= 0.97 * len(rows) > 100, figures(rows)
    assert not [own for own in rows if own["expected"] == "stop" and own["decided"] == "allow"]
