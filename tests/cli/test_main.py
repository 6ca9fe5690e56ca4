"""The command as a process: its version, and an output that goes away or is full."""

from __future__ import annotations

import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest

COMMAND = [sys.executable, "-m", "holdtrue"]
FULL = Path("/dev/full")


def test_it_tells_its_version() -> None:
    result = subprocess.run([*COMMAND, "--version"], capture_output=True, text=True, check=False)
    assert (result.returncode, result.stdout, result.stderr) == (0, version("holdtrue") + "\n", "")


@pytest.mark.skipif(not FULL.exists(), reason="no device is always full here")
@pytest.mark.parametrize("verb", [["--version"], ["models", "list"], ["--help"]])
def test_an_output_that_cannot_be_written_is_one_line_and_an_exit_code(verb: list[str]) -> None:
    with FULL.open("w") as full:
        result = subprocess.run([*COMMAND, *verb], stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert result.returncode == 4
    assert result.stderr == "holdtrue: the output cannot be written: No space left on device\n"


def test_a_reader_who_leaves_is_no_error() -> None:
    with subprocess.Popen([*COMMAND, "models", "list"], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None and process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait() in (0, 1), "typer itself answers some of these with 1"
