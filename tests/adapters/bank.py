"""A payment that needs a person's yes, begun in a process that is killed while the person is asked."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from holdtrue.guard import Guard, SqliteStore, read_policy

POLICY = """
policy: bank
now: 2026-03-02T09:00:00
tools:
  definitions:
    - name: pay
      description: Pay somebody
      parameters:
        type: object
        properties: {to: {type: string}, amount: {type: integer, maximum: 100}}
        required: [to, amount]
  writes: [pay]
  consent: [pay]
  types: {pay: {amount: whole 0..}}
rules:
  - {id: most, on: pay, hold: call.amount <= 50, say: At most 50.}
"""
CALL = {"to": "Ann", "amount": 5}


def bank(folder: Path | None = None, **settings: Any) -> Guard:
    store = None if folder is None else SqliteStore(folder / "talks.db")
    return Guard(read_policy(POLICY), store=store, **settings)


LIMITED = (
    POLICY.replace(
        "  writes: [pay]",
        "    - {name: open_account, parameters: {type: object, properties: {}}}\n  writes: [pay, open_account]",
    )
    + """
  - {id: left, on: pay, hold: call.amount <= facts.account().left, say: The account has enough.}
facts:
  account: {key: {}, record: {left: whole}, from: [{tool: open_account, key: {}}]}
"""
)
"""A policy that also needs a fact. No reading tool shows the fact, so the guard asks a person for it first."""


def limited_bank() -> Guard:
    return Guard(read_policy(LIMITED))


async def account_opened(guard: Guard) -> None:
    """Tell a conversation the missing fact, so that only the yes is missing."""
    await guard.conversation("t1").saw("open_account", {}, {"left": 90}, outcome="succeeded")


class Payments:
    """The tool. It notes payments in a file, so that those of a killed process count."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "paid.jsonl"

    def pay(self, to: str, amount: int) -> str:
        """Pay somebody"""
        with self.path.open("a") as file:
            file.write(json.dumps({"to": to, "amount": amount}) + "\n")
        return "paid"

    @property
    def made(self) -> list[dict[str, Any]]:
        return [json.loads(own) for own in self.path.read_text().splitlines()] if self.path.exists() else []


KILLED = 9


def killed_in(function: str, folder: Path) -> None:
    """Run `module:function` on a folder in a process of its own, which has to end itself with `os._exit(KILLED)`."""
    module, _, name = function.partition(":")
    code = f"from pathlib import Path; from {module} import {name}; {name}(Path({str(folder)!r}))"
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert ended.returncode == KILLED, ended.stderr
