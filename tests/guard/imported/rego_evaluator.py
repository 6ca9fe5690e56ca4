"""Evaluate a package in Rego on many inputs, in a process of its own: see `rego_compiler`."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from typing import Any

PROGRAM = """
import json, sys
from regopy import Interpreter
text, inputs = json.load(sys.stdin)
rego = Interpreter()
rego.add_module("policy.rego", text)
found = []
for own in inputs:
    rego.set_input(own)
    found.append(json.loads(str(rego.query("data.agent")))["expressions"][0])
json.dump(found, sys.stdout)
"""


def evaluate(text: str, inputs: Sequence[Any]) -> list[dict[str, Any]]:
    """The values of all rules of the package `agent`, for each input."""
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], input=json.dumps([text, inputs]), capture_output=True, text=True, check=True
    )
    found: list[dict[str, Any]] = json.loads(done.stdout)
    return found
