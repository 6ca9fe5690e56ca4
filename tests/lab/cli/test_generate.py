from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from holdtrue.cli.main import app
from holdtrue.errors import SettingsError
from holdtrue_lab.cli.benchmarks import generate_app
from holdtrue_lab.suites.belief.files import load_dialogues
from holdtrue_lab.suites.belief.generate import generate_dialogues
from holdtrue_lab.suites.drift.files import load_problems
from holdtrue_lab.suites.drift.generate import generate


def test_writes_problems_that_load(tmp_path: Path) -> None:
    options = ["drift", "--seed", "3", "--count", "6", "--out", str(tmp_path)]
    shown = CliRunner().invoke(generate_app, options)
    assert shown.exit_code == 0, shown.output
    assert shown.output == f"6 problems in {tmp_path}: 0 in dev, 6 in test\n"
    assert load_problems(tmp_path) == generate(3, 6)
    again = CliRunner().invoke(generate_app, options)
    assert isinstance(again.exception, SettingsError)
    assert str(tmp_path) in str(again.exception)


@pytest.mark.parametrize(
    ("options", "fault"),
    [
        (["generate", "drift", "--phrasing", "rhymed", "--out", "x"], "unknown phrasing 'rhymed'"),
        (["run", "drift", "--generate", "1", "--phrasing", "rhymed", "--model", "sim/perfect"], "unknown phrasing"),
        (["run", "drift", "--problems", "x", "--phrasing", "varied", "--model", "script/x"], "for --generate"),
        (["run", "drift", "--generate", "1", "--phrasing", "varied", "--model", "sim/perfect"], "published wording"),
    ],
)
def test_a_phrasing_that_cannot_be_is_a_settings_error(options: list[str], fault: str) -> None:
    result = CliRunner().invoke(app, options)
    assert isinstance(result.exception, SettingsError)
    assert fault in str(result.exception)


def test_dialogues_of_a_schedule_are_written_once(tmp_path: Path) -> None:
    options = ["belief", "--seed", "7", "--count", "4", "--turns", "6", "--schedule", "random", "--out", str(tmp_path)]
    shown = CliRunner().invoke(generate_app, options)
    assert shown.exit_code == 0, shown.output
    assert shown.output.startswith(f"4 dialogues in {tmp_path / 'dialogues_random.json'}: ")
    assert load_dialogues(tmp_path) == generate_dialogues(7, 4, turns=6, schedule="random")
    again = CliRunner().invoke(generate_app, options)
    assert isinstance(again.exception, SettingsError)
    assert "already holds random dialogues" in str(again.exception)
