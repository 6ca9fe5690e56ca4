"""Requests that schemathesis makes of the description of the API never end in a failure of the server."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

OWN = Path(".venvs/schemathesis/bin/st")
FOUND = str(OWN.resolve()) if OWN.exists() else shutil.which("st")
CHECKS = "not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance"


@pytest.mark.slow
@pytest.mark.skipif(FOUND is None, reason="schemathesis has an environment of its own: make test-schema")
def test_five_thousand_requests_end_in_no_failure(tmp_path: Path) -> None:
    server = subprocess.Popen(
        [sys.executable, "-m", "tests.serve.schema_server"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    with server:
        assert server.stdout is not None and FOUND is not None
        url = server.stdout.readline().strip()
        command = [FOUND, "run", f"{url}/openapi.json", "--max-examples", "2700", "--checks", CHECKS, "--seed", "7"]
        options = [
            "--workers",
            "2",
            "-H",
            "Holdtrue-Conversation: c",
            "--continue-on-failure",
            "--phases",
            "coverage,fuzzing",
        ]
        done = subprocess.run([*command, *options], capture_output=True, text=True, cwd=tmp_path, timeout=1_500)
        assert server.stdin is not None
        server.stdin.close()
    count = re.search(r"(\d[\d,]*) generated", done.stdout)
    assert done.returncode == 0, done.stdout[-6_000:]
    assert count is not None and int(count[1].replace(",", "")) >= 5_000, done.stdout[-1_000:]
