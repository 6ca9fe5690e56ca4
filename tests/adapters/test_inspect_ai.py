"""Inspect is tested in a process of its own, because it replaces functions of asyncio for all later tests."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from holdtrue.extras import has

HERE = Path(__file__).parent


@pytest.mark.skipif(not has("inspect_ai"), reason="inspect-ai is not installed")
def test_evaluations_of_inspect_are_guarded() -> None:
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-p",
        "no:xdist",
        "-p",
        "no:cacheprovider",
        str(HERE / "inspect_alone.py"),
    ]
    ended = subprocess.run(command, cwd=HERE.parents[1], capture_output=True, text=True)
    assert ended.returncode == 0, ended.stdout
