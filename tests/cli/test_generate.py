from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from holdtrue.cli.generate import generate_app
from holdtrue.errors import SettingsError
from holdtrue.suites.drift.generate import generate
from holdtrue.suites.drift.load import load_problems


def test_writes_problems_that_load(tmp_path: Path) -> None:
    options = ["drift", "--seed", "3", "--count", "6", "--out", str(tmp_path)]
    shown = CliRunner().invoke(generate_app, options)
    assert shown.exit_code == 0, shown.output
    assert shown.output == f"6 problems in {tmp_path}: 0 in dev, 6 in test\n"
    assert load_problems(tmp_path) == generate(3, 6)
    again = CliRunner().invoke(generate_app, options)
    assert isinstance(again.exception, SettingsError)
    assert str(tmp_path) in str(again.exception)


def test_turns_and_domains_can_be_given(tmp_path: Path) -> None:
    options = ["drift", "--count", "2", "--turns", "3", "--domain", "seating", "--out", str(tmp_path)]
    assert CliRunner().invoke(generate_app, options).exit_code == 0
    assert [(problem.domain, len(problem.turns)) for problem in load_problems(tmp_path)] == [("seating", 3)] * 2


@pytest.mark.parametrize("option", ["--count=0", "--turns=0", "--seed=x"])
def test_wrong_options_are_usage_errors(tmp_path: Path, option: str) -> None:
    assert CliRunner().invoke(generate_app, ["drift", "--out", str(tmp_path), option]).exit_code == 2
