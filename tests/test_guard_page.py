"""The pages on the guard and their examples are correct, and use no network."""

from __future__ import annotations

import runpy
import socket
import sys
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from holdtrue.cli.main import app
from tests.test_docs_examples import ROOT, blocks, printed, promised

EXAMPLES = ROOT / "examples" / "guard"


@pytest.fixture(autouse=True)
def no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    """Refuse every connection: nothing that the guard does by itself may need one."""

    def refuse(self: Any, address: Any, *rest: Any) -> None:
        raise AssertionError(f"a connection to {address} was tried")

    for name in ("connect", "connect_ex", "sendto"):
        monkeypatch.setattr(socket.socket, name, refuse)


@pytest.mark.parametrize(("page", "count"), [("docs/guard.md", 13), ("docs/guard-clients.md", 1)])
def test_the_pages_run_and_print_what_their_comments_say(
    page: str, count: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    # The example with Anthropic's client needs a server: see tests/guard/clients/test_messages.py.
    code = "\n".join(own for own in blocks(page, "python") if "anthropic" not in own)
    lines = printed(code).splitlines()
    assert len(lines) == count and all(line in promised(code) for line in lines), lines


def test_the_ledger_shows_what_the_page_has_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    printed("\n".join(blocks("docs/guard.md", "python")))
    shown = CliRunner().invoke(app, ["ledger", "show", "talks.db", "visitor-17", "--tenant", "acme"])
    assert "user: A table for two tomorrow" in shown.output


def run_example(name: str, monkeypatch: pytest.MonkeyPatch, *args: str) -> None:
    monkeypatch.syspath_prepend(str(EXAMPLES))
    monkeypatch.setattr(sys, "argv", [name, *args])
    runpy.run_path(str(EXAMPLES / name), run_name="__main__")


def test_the_calendar_is_held_to_the_users_hour(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    run_example("calendar_tools.py", monkeypatch)
    out = capsys.readouterr().out
    assert out.count("called:") == 1 and '"start": "10:00"' in out
    assert "ask: Calendar.AddEvent(" in out and 'start="11:00"' in out


def test_a_travel_plan_is_stopped_before_it_is_filled_in(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    run_example("travel_answers.py", monkeypatch)
    assert [line.split(" ")[2].rstrip(":") for line in capsys.readouterr().out.splitlines()] == [
        "open",
        "block",
        "open",
        "block",
        "allow",
    ]


def test_a_rota_keeps_its_promises_and_a_person_lets_one_call_through(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    store = tmp_path / "rota.db"
    run_example("clinic_rota.py", monkeypatch, str(store))
    out = capsys.readouterr().out.splitlines()
    assert out[0].startswith("stopped: ") and "'night', which may be about shift" in out[0]
    assert out[2] == "unmet: [('promise', 'Rota.SendNote'), ('obligation', 'told')]"
    assert out[4] == "stopped: This cannot be done: Nobody is put on more than two shifts."
    assert out[-1] == "unmet: ()"
    shown = CliRunner().invoke(app, ["ledger", "show", str(store), "rota-7"]).output
    assert "is let through by head nurse: two are ill" in shown
    assert CliRunner().invoke(app, ["ledger", "verify", str(store)]).exit_code == 0
