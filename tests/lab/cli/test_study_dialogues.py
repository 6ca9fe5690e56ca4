"""The command `holdtrue study dialogues`."""

from __future__ import annotations

import json

import pytest
from typer.testing import CliRunner, Result

from holdtrue.cli.main import app
from holdtrue.errors import InputError


def run(*args: str) -> Result:
    return CliRunner().invoke(app, ["study", "dialogues", *args])


def test_what_was_found_is_told() -> None:
    given = ["--model", "sim/claims", "--formal", "gold", "--only", "access"]
    result = run(*given)
    assert result.exit_code == 0
    assert result.stdout.splitlines() == [
        "7 turns, 2 with drift, 4 others that look like it.",
        "Found 2 of 2, missed 0, undecided 0.",
        "False alarms 0 of 5 (0 of the 4), undecided 5.",
        "Of 2 drifts 2 were explained by just the right statements, 2 by statements of the right turns.",
    ]
    lines = result.stderr.splitlines()
    assert lines[2] == "policy-access, turn 3: drift (drift was planted)"
    assert lines[3] == "policy-access, turn 4: undecided (nothing was planted)"
    counts = json.loads(run(*given, "--json").stdout)
    assert (counts["found"], counts["named"], counts["false_alarms"]) == (2, 2, 0)


def test_messages_can_be_read_as_they_are() -> None:
    result = run("--model", "sim/claims", "--only", "billing", "--own-reading", "--json")
    assert json.loads(result.stdout)["turns"] == 5


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (["--model", "sim/claims", "--formal", "silver"], "there are llm, gold_entities, gold"),
        (["--model", "sim/claims", "--only", "opera"], "no dialogue has 'opera' in its name"),
        (["--model", "sim/claims:more=1"], "cannot make out"),
        (["--model", "magic"], "no model 'magic'"),
    ],
)
def test_wrong_usage_is_said(args: list[str], says: str) -> None:
    result = run(*args)
    assert isinstance(result.exception, InputError) and says in str(result.exception)
