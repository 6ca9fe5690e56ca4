"""Counting calls where somebody watches."""

from __future__ import annotations

import io

import pytest

from holdtrue.models.chat import Request, user
from holdtrue.models.scripted import ScriptModel
from holdtrue_claims.cli import WatchedModel


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize("watched", [True, False])
async def test_calls_are_told_on_a_terminal_only(watched: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    shown = Terminal() if watched else io.StringIO()
    monkeypatch.setattr("sys.stderr", shown)
    model = WatchedModel(ScriptModel(["Yes.", "No."]))
    replies = [(await model.complete(Request((user("So?"),), purpose))).text for purpose in ("judge", "retell")]
    await model.aclose()
    assert (replies, model.name) == (["Yes.", "No."], "script")
    lines = [line.strip() for line in shown.getvalue().split("\r")]
    assert lines == (["", "call 1: judge", "call 2: retell", "", ""] if watched else [""])
