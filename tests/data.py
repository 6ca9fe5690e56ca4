"""The place of the real test data. Tests that need it are skipped if it is missing."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
DRIFT = DATA / "drift_bench"
needs_data = pytest.mark.skipif(not DRIFT.is_dir(), reason="the real test data is not beside the repository")


def read_jsonl(path: Path) -> list[dict[str, Any]]:
    """The objects of a JSON-lines file."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
