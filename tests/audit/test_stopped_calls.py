"""An audit reports the calls that a policy would have stopped, by rule, with places, values and words."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from typer.testing import CliRunner

from holdtrue.cli.main import app
from tests.adapters.desk import CALLS, FOLDER, ROWS
from tests.serve.messages import message_of


def talk(id: str, *calls: dict[str, Any]) -> str:
    messages = [{"role": "user", "content": ROWS[0]["text"]}]
    for number, own in enumerate(calls):
        result = {"role": "tool", "tool_call_id": f"c{number}", "content": json.dumps(own["result"])}
        messages += [message_of(own, f"c{number}"), result]
    return json.dumps({"id": id, "messages": messages})


def test_a_folder_of_logs_shows_what_a_policy_would_stop(tmp_path: Path) -> None:
    (tmp_path / "logs").mkdir()
    (tmp_path / "logs" / "a.jsonl").write_text("\n".join((talk("one", *CALLS[:3]), talk("two", *CALLS[:2]))))
    (tmp_path / "logs" / "b.jsonl").write_text(talk("three", CALLS[0], CALLS[3]))
    given = ["audit", "--policy", f"{FOLDER / 'policy.yaml'}", "--engine", "process", f"{tmp_path / 'logs'}"]
    page = tmp_path / "page.html"
    shown = CliRunner().invoke(app, [*given, f"{tmp_path / 'out'}", "--html", f"{page}"])
    assert shown.exit_code == 1 and "(of 7 calls in 3 conversations; nobody listened to users' words):" in shown.output
    rule = shown.output.partition("  R1 ")[2].splitlines()
    assert rule[0].split() == ["2", "in", "2", "conversations"]
    assert "a.jsonl:1 one, message 3: refund(" in rule[1] and "call.amount is 300.00 EUR" in rule[2]
    assert "Hello, booking HN4T8R has to be cancelled" in rule[3]
    assert "message 3, after “Hello, booking HN4T8R" in page.read_text()
    stopped = json.loads(CliRunner().invoke(app, [*given, f"{tmp_path / 'again'}", "--json"]).output)["stopped"]
    assert {rule: (own["calls"], own["conversations"]) for rule, own in stopped.items()} == {"R1": (2, 2), "R5": (1, 1)}
    assert [own["conversation"] for own in stopped["R1"]["examples"]] == ["one", "two"]
