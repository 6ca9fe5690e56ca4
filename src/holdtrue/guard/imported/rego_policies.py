"""Read the rules `allow` and `deny` of a package in Rego, by the plan that a compiler of OPA makes of them.

A call is allowed if `allow` is true, where the package has it, and nothing is in `deny`, where it has that.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from holdtrue.errors import InputError
from holdtrue.extras import need
from holdtrue.guard.imported.folded_conditions import FALSE
from holdtrue.guard.imported.foreign_statements import Statement
from holdtrue.guard.imported.rego_plans import RegoPlan
from holdtrue.guard.policy import Policy

LIMIT_S = 60
_COMPILER = """
import sys
from regopy import Interpreter
rego = Interpreter()
rego.add_module("policy.rego", sys.stdin.buffer.read().decode())
rego.save_bundle(sys.argv[1], rego.build(None, sys.argv[2:]))
"""
"""The compiler runs in a process of its own: it and the RE2 of `matches()` spoil each other's memory."""


def plan_of(text: str) -> Mapping[str, Any]:
    """Return the plan of the rules `allow` and `deny` of a package. Raises `InputError` for a text that is no Rego."""
    need("the import of Rego", "regopy")
    package = re.search(r"^\s*package\s+([\w.]+)", text, re.MULTILINE)
    names = [own for own in ("allow", "deny") if re.search(rf"^\s*(default\s+)?{own}\b", text, re.MULTILINE)]
    if package is None or not names:
        raise InputError("a policy in Rego has a package, and a rule allow or deny")
    rules = [f"{package[1].replace('.', '/')}/{own}" for own in names]
    with TemporaryDirectory() as folder:
        program = [sys.executable, "-c", _COMPILER, folder, *rules]
        try:
            done = subprocess.run(program, input=text.encode(), capture_output=True, timeout=LIMIT_S, check=False)
        except subprocess.TimeoutExpired as error:
            raise InputError(f"the compiler of Rego took more than {LIMIT_S} seconds") from error
        if done.returncode:
            raise InputError(_fault(text, done.stderr.decode(errors="replace")))
        found: Mapping[str, Any] = json.loads((Path(folder) / "plan.json").read_text(encoding="utf-8"))
    return found


def _fault(text: str, told: str) -> str:
    """Return the compiler's first fault, with its line."""
    own = re.search(r"\(error \d+:policy\.rego\|(\d+)\|\d+\s*\(errormsg \d+:([^)]*)\)", told)
    if own is None:
        return f"this is no Rego: {told.strip()[-300:]}"
    return f"line {1 + text.encode()[: int(own[1])].count(10)}: {own[2]}"


def read_rego(text: str, policy: Policy) -> tuple[tuple[Statement, ...], bool]:
    """Return each body of `allow` and `deny` as a statement, and whether the package has `allow`."""
    plan = plan_of(text)
    found: dict[tuple[str, int, bool], Statement] = {}
    rules = {own["path"][-1]: own for own in plan["funcs"]["funcs"] if own["path"][-1] in ("allow", "deny")}
    for name, rule in rules.items():
        for tool in policy.tools:
            for place, line, makes_true, parts in RegoPlan(plan, policy, tool).bodies(rule):
                forbids, say = (name == "deny") is makes_true, f"The rule {name} on line {line} denies this call."
                if not forbids and name == "deny":
                    continue  # A body that makes `deny` false denies nothing.
                usual = Statement(f"{name}-{line}", line, forbids, say, {})
                own = found.setdefault((name, place, forbids), usual)
                if FALSE not in parts:
                    found[name, place, forbids] = replace(own, parts={**own.parts, tool: parts})
    told = {key[:2] for key, own in found.items() if own.parts}
    return tuple(own for key, own in found.items() if own.parts or key[:2] not in told), "allow" in rules
